import GlobalStyles from '@mui/material/GlobalStyles';

/** What is of no use on paper: what leads elsewhere, and what can be pressed or filled in. */
const ON_SCREEN_ONLY = [
  'nav',
  'header',
  'form',
  '.RaSidebar-fixed',
  '.MuiDrawer-root',
  'button',
  '.MuiIconButton-root',
  '.MuiButton-root',
  '.MuiCheckbox-root',
  '.RaList-actions',
  '.MuiTablePagination-root',
  '.MuiSnackbar-root',
  '.MuiTableSortLabel-icon',
  '.skip-nav-button',
  '.column-selected',
  '.column-actions',
  '.column-decisions',
].join();

/** Whole on paper, where nothing scrolls. */
const SCROLLING = '[role=group], [role=region], [role=log], main .MuiPaper-root, .RaDataTable-tableWrapper';

const PRINT = {
  [ON_SCREEN_ONLY]: { display: 'none !important' },
  // The colours of the dark theme cannot be read on white.
  '*': { color: '#000 !important', backgroundColor: 'transparent !important', boxShadow: 'none !important' },
  [SCROLLING]: { overflow: 'visible !important', height: 'auto !important', maxHeight: 'none !important' },
  '.RaLayout-appFrame': { marginTop: '0 !important' },
  '.RaLayout-content': { padding: '0 !important' },
  'tr, article': { breakInside: 'avoid' },
} as const;

/** What every page has, on the screen and on paper. */
export const PageStyles = () => (
  <GlobalStyles styles={{ 'input, textarea': { unicodeBidi: 'plaintext' }, '@media print': PRINT }} />
);

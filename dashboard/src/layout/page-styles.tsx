import GlobalStyles from '@mui/material/GlobalStyles';

/** Hidden in print: navigation, buttons and inputs. */
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

/** Scrolling areas, which are printed in full. */
const SCROLLING = '[role=group], [role=region], [role=log], main .MuiPaper-root, .RaDataTable-tableWrapper';

const PRINT = {
  [ON_SCREEN_ONLY]: { display: 'none !important' },
  // The colours of the dark theme are unreadable on white paper.
  '*': { color: '#000 !important', backgroundColor: 'transparent !important', boxShadow: 'none !important' },
  [SCROLLING]: { overflow: 'visible !important', height: 'auto !important', maxHeight: 'none !important' },
  '.RaLayout-appFrame': { marginTop: '0 !important' },
  '.RaLayout-content': { padding: '0 !important' },
  'tr, article': { breakInside: 'avoid' },
} as const;

/** Global styles, including those for print. */
export const PageStyles = () => (
  <GlobalStyles styles={{ 'input, textarea': { unicodeBidi: 'plaintext' }, '@media print': PRINT }} />
);

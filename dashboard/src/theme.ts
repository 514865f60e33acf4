import { alpha, type ThemeOptions } from '@mui/material/styles';
import { deepmerge } from '@mui/utils';
import { defaultTheme, type RaThemeOptions } from 'ra-ui-materialui';

/* The light and dark themes. All text has a contrast of at least 4.5 to 1. */

const FONTS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

export const SIDEBAR = { width: 232, closedWidth: 56 };

const shape = (options: ThemeOptions): RaThemeOptions =>
  deepmerge<RaThemeOptions>(defaultTheme, {
    typography: { fontFamily: FONTS, h6: { fontWeight: 600 }, button: { textTransform: 'none', fontWeight: 600 } },
    shape: { borderRadius: 8 },
    sidebar: SIDEBAR,
    ...options,
    components: {
      ...defaultTheme.components,
      MuiButton: { defaultProps: { disableElevation: true } },
      MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
      MuiTableCell: {
        styleOverrides: {
          head: { fontWeight: 600, whiteSpace: 'nowrap' },
          sizeSmall: { paddingLeft: 10, paddingRight: 10 },
        },
      },
      // A page is never wider than the window; wide tables scroll horizontally.
      RaLayout: { styleOverrides: { root: { minWidth: 0, '& .RaLayout-content': { minWidth: 0 } } } },
      RaList: { styleOverrides: { root: { '& .RaList-content, & .RaList-main': { minWidth: 0 } } } },
      RaDataTable: {
        styleOverrides: {
          root: { '& .RaDataTable-tableWrapper': { overflowX: 'auto' } },
        },
      },
      MuiTextField: { defaultProps: { variant: 'outlined' } },
      MuiFormControl: { defaultProps: { variant: 'outlined' } },
    },
  });

const BLUE = '#1d4f91';
const SKY = '#9cc4f0';

export const lightTheme = shape({
  palette: {
    mode: 'light',
    primary: { main: BLUE },
    secondary: { main: BLUE },
    error: { main: '#b3261e' },
    warning: { main: '#8a5300' },
    success: { main: '#1b6e3c' },
    info: { main: '#0b6077' },
    background: { default: '#f5f6f8', paper: '#ffffff' },
    text: { primary: '#1b1d21', secondary: '#545b66' },
    divider: alpha('#1b1d21', 0.12),
  },
});

export const darkTheme = shape({
  palette: {
    mode: 'dark',
    primary: { main: SKY },
    secondary: { main: SKY },
    error: { main: '#ffb4ab' },
    warning: { main: '#ffb95f' },
    success: { main: '#8fd8a8' },
    info: { main: '#82d2ea' },
    background: { default: '#121418', paper: '#1b1e24' },
    text: { primary: '#e8eaee', secondary: '#b0b7c3' },
    divider: alpha('#e8eaee', 0.16),
  },
});

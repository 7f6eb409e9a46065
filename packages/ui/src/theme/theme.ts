import { createTheme, type Theme } from '@mui/material/styles';
import { darkColors, lightColors, type SchemeColors } from './palette.ts';

declare module '@mui/material/styles' {
  interface TypeText {
    tertiary: string;
  }
  interface TypeBackground {
    sunken: string;
    selected: string;
    chip: string;
    match: string;
  }
  interface Palette {
    border: { input: string };
  }
  interface PaletteOptions {
    border?: { input: string };
  }
  interface PaletteColor {
    tint?: string;
  }
  interface SimplePaletteColorOptions {
    tint?: string;
  }
}

const monospace = '"Roboto Mono", ui-monospace, monospace';

const palette = (colors: SchemeColors) => ({
  primary: { main: colors.primary.main, dark: colors.primary.hover, contrastText: colors.primary.contrast },
  error: colors.error,
  warning: colors.warning,
  success: colors.success,
  info: colors.info,
  divider: colors.divider,
  border: { input: colors.border },
  background: {
    default: colors.background,
    paper: colors.paper,
    sunken: colors.sunken,
    selected: colors.selected,
    chip: colors.chip,
    match: colors.match,
  },
  text: colors.text,
});

const focusRing = (theme: Theme) => ({
  outline: `2px solid ${theme.vars?.palette.primary.main ?? ''}`,
  outlineOffset: 2,
});

/** The console's theme: ink on paper, one accent colour, thin borders instead of shadows. */
export const theme = createTheme({
  cssVariables: { colorSchemeSelector: 'data' },
  colorSchemes: { light: { palette: palette(lightColors) }, dark: { palette: palette(darkColors) } },
  shape: { borderRadius: 4 },
  spacing: 8,
  typography: {
    fontFamily: 'Roboto, system-ui, sans-serif',
    fontSize: 14,
    h1: { fontSize: 20, lineHeight: '28px', fontWeight: 500 },
    h2: { fontSize: 16, lineHeight: '24px', fontWeight: 500 },
    body1: { fontSize: 14, lineHeight: '20px' },
    body2: { fontSize: 13, lineHeight: '20px' },
    caption: { fontSize: 12, lineHeight: '16px' },
    button: { textTransform: 'none', fontWeight: 500, fontSize: 14 },
  },
  components: {
    MuiCssBaseline: {
      styleOverrides: {
        body: { fontVariantNumeric: 'tabular-nums' },
        code: { fontFamily: monospace, fontSize: 13 },
        mark: {
          color: 'var(--mui-palette-text-primary)',
          backgroundColor: 'var(--mui-palette-background-match)',
          borderRadius: 2,
        },
        a: { color: 'var(--mui-palette-primary-main)' },
        'a:focus-visible, button:focus-visible, [tabindex]:focus-visible': {
          outline: '2px solid var(--mui-palette-primary-main)',
          outlineOffset: 2,
        },
        '@media (prefers-reduced-motion: reduce)': {
          '*': { animationDuration: '0s !important', transitionDuration: '0s !important' },
        },
      },
    },
    MuiDialogActions: { styleOverrides: { root: { padding: '8px 24px 24px' } } },
    MuiButtonBase: { defaultProps: { disableRipple: true } },
    MuiButton: {
      defaultProps: { disableElevation: true, variant: 'outlined', color: 'inherit' },
      styleOverrides: {
        root: ({ theme: own }) => ({
          minHeight: 32,
          padding: '4px 12px',
          '@media (pointer: coarse)': { minHeight: 40 },
          '&:focus-visible': focusRing(own),
          '&.MuiButton-outlined.MuiButton-colorInherit': {
            borderColor: own.vars?.palette.divider,
            '&:hover': { borderColor: own.vars?.palette.text.secondary },
          },
        }),
      },
    },
    MuiIconButton: { styleOverrides: { root: { borderRadius: 4, padding: 6 } } },
    MuiOutlinedInput: {
      styleOverrides: {
        root: ({ theme: own }) => ({
          minHeight: 32,
          fontSize: 14,
          backgroundColor: own.vars?.palette.background.paper,
        }),
        input: { padding: '6px 8px' },
        notchedOutline: ({ theme: own }) => ({ borderColor: own.vars?.palette.border.input }),
      },
    },
    MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
    MuiTab: {
      styleOverrides: { root: { minHeight: 40, padding: '8px 12px', minWidth: 0, fontSize: 14 } },
    },
    MuiTabs: { styleOverrides: { root: { minHeight: 40 } } },
    MuiTooltip: { styleOverrides: { tooltip: { fontSize: 12 } } },
    MuiTableCell: {
      styleOverrides: {
        root: ({ theme: own }) => ({
          fontSize: 13,
          lineHeight: '20px',
          padding: 'var(--redoubt-cell-padding, 7px) 12px',
          borderBottom: `1px solid ${own.vars?.palette.divider ?? ''}`,
        }),
        head: ({ theme: own }) => ({
          fontSize: 12,
          lineHeight: '16px',
          fontWeight: 500,
          color: own.vars?.palette.text.secondary,
          backgroundColor: own.vars?.palette.background.sunken,
          whiteSpace: 'nowrap',
        }),
        sizeSmall: { padding: 'var(--redoubt-cell-padding, 7px) 12px' },
      },
    },
    MuiTableRow: {
      styleOverrides: {
        root: { '&.MuiTableRow-hover:hover': { backgroundColor: 'var(--mui-palette-action-hover)' } },
      },
    },
    MuiToggleButton: { styleOverrides: { root: { textTransform: 'none' } } },
  },
});

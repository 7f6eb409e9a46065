/** The look of tables: a sunken header with quiet text, thin lines, rows of 36 px. */
export const tableSx = {
  '& th': {
    fontSize: 12,
    lineHeight: '16px',
    fontWeight: 500,
    color: 'text.secondary',
    backgroundColor: 'background.sunken',
  },
  '& td, & th': { borderBottom: 1, borderColor: 'divider', py: 0.75 },
  '& td .MuiButton-root': { minHeight: 24, py: 0, px: 1, fontSize: 13 },
} as const;

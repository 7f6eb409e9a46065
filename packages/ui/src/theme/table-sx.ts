/** Makes buttons in the cells of a table small enough not to make the row higher. */
export const tableSx = {
  '& td .MuiButton-root': { minHeight: 24, my: -0.25, py: 0, px: 1, fontSize: 13 },
} as const;

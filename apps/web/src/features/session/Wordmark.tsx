import Box from '@mui/material/Box';
import type { ReactElement } from 'react';

/** The logo: three lines that stand for records, one of them covered. */
export const Wordmark = (): ReactElement => (
  <Box
    component="span"
    sx={{ display: 'inline-flex', alignItems: 'center', gap: 1, fontWeight: 700, fontSize: 16 }}
  >
    <Box
      component="svg"
      viewBox="0 0 16 16"
      aria-hidden
      sx={{ width: 18, height: 18, color: 'primary.main' }}
    >
      <path d="M2 3h12M2 13h12" stroke="currentColor" strokeWidth="2" />
      <rect x="2" y="6.5" width="12" height="3" fill="currentColor" />
    </Box>
    Redoubt
  </Box>
);

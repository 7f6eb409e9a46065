import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactElement, ReactNode } from 'react';

/** The facts of a page: names with values, in up to four columns. */
export const FactList = ({ children }: { children: ReactNode }): ReactElement => (
  <Box
    component="dl"
    sx={{
      display: 'grid',
      gap: 2,
      m: 0,
      mb: 3,
      gridTemplateColumns: {
        xs: 'minmax(0, 1fr)',
        sm: 'repeat(2, minmax(0, 1fr))',
        md: 'repeat(4, minmax(0, 1fr))',
      },
    }}
  >
    {children}
  </Box>
);

/** A fact in a list: its name above its value. */
export const Fact = ({ name, children }: { name: string; children: ReactNode }): ReactElement => (
  <Box sx={{ minWidth: 0 }}>
    <Typography component="dt" variant="caption" sx={{ color: 'text.secondary', fontWeight: 500 }}>
      {name}
    </Typography>
    <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
      {children}
    </Box>
  </Box>
);

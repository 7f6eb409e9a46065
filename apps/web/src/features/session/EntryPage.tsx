import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactElement, ReactNode } from 'react';
import { Wordmark } from './Wordmark.tsx';

/** A page with one form, for people who have not entered a workspace. */
export const EntryPage = ({ title, children }: { title: string; children: ReactNode }): ReactElement => (
  <Box component="main" sx={{ maxWidth: 360, mx: 'auto', px: 2, pt: { xs: 4, sm: 12 }, pb: 4 }}>
    <title>{`${title} · Redoubt`}</title>
    <Wordmark />
    <Typography variant="h1" sx={{ mt: 4, mb: 3 }}>
      {title}
    </Typography>
    {children}
  </Box>
);

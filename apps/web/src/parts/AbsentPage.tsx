import { EmptyState } from '@redoubt/ui';
import Box from '@mui/material/Box';
import type { ReactElement, ReactNode } from 'react';

interface AbsentPageProps {
  /** Such as `There is no such dataset`. */
  title: string;
  /** Why it may be absent; the same for what is hidden. */
  hint: string;
  /** A link to where one can go on. */
  children: ReactNode;
}

/** The page of what does not exist for the person. */
export const AbsentPage = ({ title, hint, children }: AbsentPageProps): ReactElement => (
  <Box sx={{ pt: { xs: 2, sm: 8 } }}>
    <title>{`${title} · Redoubt`}</title>
    <EmptyState title={title} subject="absent" action={children}>
      {hint}
    </EmptyState>
  </Box>
);

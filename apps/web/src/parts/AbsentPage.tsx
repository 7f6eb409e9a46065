import { EmptyState } from '@redoubt/ui';
import Box from '@mui/material/Box';
import type { ReactElement, ReactNode } from 'react';

interface AbsentPageProps {
  /** Such as `There is no such dataset`. */
  title: string;
  /** Why the object may be absent. The text is the same for a hidden object, so that it discloses nothing. */
  hint: string;
  /** A link to another page. */
  children: ReactNode;
}

/** The page for an object that does not exist or is hidden. */
export const AbsentPage = ({ title, hint, children }: AbsentPageProps): ReactElement => (
  <Box sx={{ pt: { xs: 2, sm: 8 } }}>
    <title>{`${title} · Redoubt`}</title>
    <EmptyState title={title} subject="absent" action={children}>
      {hint}
    </EmptyState>
  </Box>
);

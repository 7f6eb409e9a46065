import { ErrorState } from '@redoubt/ui';
import Box from '@mui/material/Box';
import type { ReactElement, ReactNode } from 'react';
import { describeError, isError } from '../api/client.ts';
import { AbsentPage } from './AbsentPage.tsx';

interface LoadProblemProps {
  error: Error;
  absent: string;
  absentHint: string;
  failed: string;
  onRetry: () => void;
  /** Where to go if there is no such object. */
  children: ReactNode;
}

/** What the page of an object shows instead of it: that it is absent, or that it could not be loaded. */
export const LoadProblem = ({
  error,
  absent,
  absentHint,
  failed,
  onRetry,
  children,
}: LoadProblemProps): ReactElement =>
  isError(error, 'NotFoundError') ? (
    <AbsentPage title={absent} hint={absentHint}>
      {children}
    </AbsentPage>
  ) : (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <ErrorState title={failed} {...describeError(error)} onRetry={onRetry} />
    </Box>
  );

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactElement, ReactNode } from 'react';

interface PageStateProps {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** What stands where the content of a page would be: that there is none, and what to do. */
export const EmptyState = ({ title, children, action }: PageStateProps): ReactElement => (
  <Box sx={{ py: 6, px: 2, maxWidth: 560, mx: 'auto', textAlign: 'center' }}>
    <Typography variant="h2" component="p" sx={{ mb: 1 }}>
      {title}
    </Typography>
    {children !== undefined && (
      <Typography component="div" sx={{ color: 'text.secondary', mb: 2 }}>
        {children}
      </Typography>
    )}
    {action}
  </Box>
);

interface ErrorStateProps {
  title: string;
  message: string;
  /** Such as `QueryError (400)`. */
  code?: string | undefined;
  onRetry?: (() => void) | undefined;
}

/** An error: its cause, the next step and its code. */
export const ErrorState = ({ title, message, code, onRetry }: ErrorStateProps): ReactElement => (
  <Box
    role="alert"
    sx={{
      border: 1,
      borderColor: 'error.main',
      borderRadius: 1,
      p: 2,
      my: 2,
      backgroundColor: (own) => own.vars?.palette.error.tint,
    }}
  >
    <Typography variant="h2" component="p" sx={{ color: 'error.main', mb: 0.5 }}>
      {title}
    </Typography>
    <Typography sx={{ overflowWrap: 'anywhere' }}>{message}</Typography>
    {code !== undefined && (
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mt: 1 }}>
        {code}
      </Typography>
    )}
    {onRetry !== undefined && (
      <Button onClick={onRetry} sx={{ mt: 1 }}>
        Try again
      </Button>
    )}
  </Box>
);

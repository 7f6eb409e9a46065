import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { TriangleAlert } from '../icons/icons.ts';
import type { ReactElement, ReactNode } from 'react';
import { StateDrawing, type StateSubject } from './StateDrawing.tsx';

interface PageStateProps {
  title: string;
  /** The drawing above the title. */
  subject?: StateSubject;
  children?: ReactNode;
  action?: ReactNode;
}

/** Replaces the content of a page that has none, and says what to do. */
export const EmptyState = ({ title, subject = 'rows', children, action }: PageStateProps): ReactElement => (
  <Box sx={{ py: 6, px: 2, maxWidth: 560, mx: 'auto', textAlign: 'center' }}>
    <StateDrawing subject={subject} />
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

/** The documentation page of an error is below this path. */
const errorPages = '/docs/handling-error-codes/';

/** An error: its cause, the next step and its code. */
export const ErrorState = ({ title, message, code, onRetry }: ErrorStateProps): ReactElement => (
  <Box
    role="alert"
    sx={{
      display: 'flex',
      gap: 1.5,
      borderLeft: 2,
      borderColor: 'error.main',
      borderRadius: 1,
      p: 2,
      my: 2,
      maxWidth: 880,
      backgroundColor: (own) => own.vars?.palette.error.tint,
      '& > svg': { flex: 'none', mt: 0.5, color: 'error.main' },
    }}
  >
    <TriangleAlert size={16} strokeWidth={1.5} aria-hidden />
    <Box sx={{ minWidth: 0 }}>
      <Typography variant="h2" component="p" sx={{ color: 'error.main', mb: 0.5 }}>
        {title}
      </Typography>
      <Typography sx={{ overflowWrap: 'anywhere' }}>{message}</Typography>
      {code !== undefined && (
        <Typography variant="caption" component="p" sx={{ color: 'text.primary', mt: 1 }}>
          {code} ·{' '}
          <Link href={errorPages} target="_blank" rel="noopener" sx={{ color: 'inherit' }}>
            What errors mean
          </Link>
        </Typography>
      )}
      {onRetry !== undefined && (
        <Button onClick={onRetry} sx={{ mt: 1, backgroundColor: 'background.paper' }}>
          Try again
        </Button>
      )}
    </Box>
  </Box>
);

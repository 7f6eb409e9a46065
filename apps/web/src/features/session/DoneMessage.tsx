import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import type { ReactElement, ReactNode } from 'react';
import { signInPath } from '../../api/page-session.ts';

/** Says that the action of a link in a mail is done, and leads to the console. */
export const DoneMessage = ({
  children,
  linkText = 'Go to the console',
}: {
  children: ReactNode;
  linkText?: string;
}): ReactElement => (
  <>
    <Alert severity="success" variant="outlined" sx={{ mb: 2 }}>
      {children}
    </Alert>
    <Button component="a" href={signInPath} variant="contained" color="primary" fullWidth>
      {linkText}
    </Button>
  </>
);

import Alert from '@mui/material/Alert';
import type { ReactElement } from 'react';

/** An error inside a form, above its fields. */
export const InlineError = ({ message }: { message: string }): ReactElement => (
  <Alert severity="error" variant="outlined" sx={{ mb: 2 }}>
    {message}
  </Alert>
);

import { TextInput, InlineError } from '@redoubt/ui';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useState, type FormEvent, type ReactElement } from 'react';
import { describeError } from '../../api/client.ts';
import { wasSessionExpired } from '../../api/page-session.ts';
import { sessionText } from '../../text/session.ts';
import { EntryPage } from './EntryPage.tsx';
import { textOf } from './form-text.ts';
import { useSignIn, useSignUp } from './session.ts';

/** The page for people who are not signed in: sign in, or create an account. */
export const SignInPage = (): ReactElement => {
  const [isNew, setIsNew] = useState(false);
  const signIn = useSignIn();
  const signUp = useSignUp();
  const { error, isPending } = isNew ? signUp : signIn;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const credentials = { email: textOf(form, 'email').trim(), password: textOf(form, 'password') };
    if (isNew) {
      signUp.mutate({
        ...credentials,
        firstName: textOf(form, 'firstName').trim(),
        lastName: textOf(form, 'lastName').trim(),
      });
    } else signIn.mutate(credentials);
  };
  return (
    <EntryPage title={isNew ? 'Create an account' : 'Sign in'}>
      <form onSubmit={submit}>
        {wasSessionExpired && error === null && !isNew && (
          <Alert severity="info" variant="outlined" sx={{ mb: 2 }}>
            {sessionText.expired}
          </Alert>
        )}
        {error !== null && <InlineError message={describeError(error).message} />}
        {isNew && (
          <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 1 }}>
            <TextInput label="First name" name="firstName" autoComplete="given-name" required />
            <TextInput label="Last name" name="lastName" autoComplete="family-name" required />
          </Box>
        )}
        <TextInput label="Email" name="email" type="email" autoComplete="username" required autoFocus />
        <TextInput
          label="Password"
          name="password"
          type="password"
          required
          autoComplete={isNew ? 'new-password' : 'current-password'}
          hint={isNew ? 'At least 8 characters.' : undefined}
          inputProps={{ minLength: isNew ? 8 : 1 }}
        />
        <Button type="submit" variant="contained" color="primary" fullWidth loading={isPending}>
          {isNew ? 'Create account' : 'Sign in'}
        </Button>
      </form>
      <Typography sx={{ mt: 2, color: 'text.secondary' }}>
        {isNew ? 'You have an account? ' : 'No account yet? '}
        <Link component="button" type="button" onClick={() => setIsNew(!isNew)}>
          {isNew ? 'Sign in' : 'Create one'}
        </Link>
      </Typography>
      {!isNew && (
        <Typography variant="caption" component="p" sx={{ mt: 1, color: 'text.secondary' }}>
          Forgot your password? Ask the operator of this server for a link.
        </Typography>
      )}
    </EntryPage>
  );
};

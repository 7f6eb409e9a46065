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
import { readSignInAddress } from './entry-address.ts';
import { textOf } from './form-text.ts';
import { ProviderButtons } from './ProviderButtons.tsx';
import { useSignIn, useSignUp } from './session.ts';
import { useSignInOptions } from './sign-in-options.ts';
import { WorkspaceChoice } from './WorkspaceChoice.tsx';
import { sessionText as texts } from '../../text/session.ts';

interface SignInPageProps {
  /** The page of the console to open after signing in. */
  next: string;
  /** Why the previous attempt failed. */
  problem?: string | undefined;
}

/** The page for people who are not signed in. They sign in, or create an account. */
export const SignInPage = ({ next, problem }: SignInPageProps): ReactElement => {
  const [isNew, setIsNew] = useState(false);
  const [workspaceId, setWorkspaceId] = useState(() => readSignInAddress().workspaceId);
  const { data: options } = useSignInOptions(workspaceId);
  const signIn = useSignIn();
  const signUp = useSignUp();
  const { error, isPending } = isNew ? signUp : signIn;
  const message = error === null ? problem : describeError(error).message;
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
    } else signIn.mutate({ ...credentials, ...(workspaceId !== '' && { workspaceId }) });
  };
  return (
    <EntryPage title={isNew ? texts.createAccountTitle : texts.signIn}>
      <form onSubmit={submit}>
        {wasSessionExpired && message === undefined && !isNew && (
          <Alert severity="info" variant="outlined" sx={{ mb: 2 }}>
            {sessionText.expired}
          </Alert>
        )}
        {message !== undefined && <InlineError message={message} />}
        {isNew && (
          <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 1 }}>
            <TextInput
              label={texts.firstName}
              name="firstName"
              autoComplete="given-name"
              required
              autoFocus
            />
            <TextInput label={texts.lastName} name="lastName" autoComplete="family-name" required />
          </Box>
        )}
        <TextInput label={texts.email} name="email" type="email" autoComplete="username" required autoFocus />
        <TextInput
          label={texts.password}
          name="password"
          type="password"
          required
          autoComplete={isNew ? 'new-password' : 'current-password'}
          hint={isNew ? texts.passwordHint : undefined}
          inputProps={{ minLength: isNew ? 8 : 1 }}
        />
        <Button type="submit" variant="contained" color="primary" fullWidth loading={isPending}>
          {isNew ? texts.createAccount : texts.signIn}
        </Button>
      </form>
      {!isNew && (
        <>
          <Typography sx={{ mt: 1 }}>
            <Link href="/reset-password">{texts.forgotYourPassword}</Link>
          </Typography>
          <ProviderButtons providers={options?.providers ?? []} workspaceId={workspaceId} next={next} />
        </>
      )}
      {options?.signUp === 'open' && (
        <Typography sx={{ mt: 3, color: 'text.secondary' }}>
          {isNew ? texts.haveAccount : texts.noAccount}{' '}
          <Link
            component="button"
            type="button"
            sx={{ verticalAlign: 'baseline' }}
            onClick={() => setIsNew(!isNew)}
          >
            {isNew ? texts.signIn : texts.createOne}
          </Link>
        </Typography>
      )}
      {!isNew && <WorkspaceChoice workspaceId={workspaceId} onChange={setWorkspaceId} />}
    </EntryPage>
  );
};

import type { OpenInvitation } from '@redoubt/contract';
import { ErrorState, InlineError, TextInput } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactElement } from 'react';
import { api, describeError } from '../../api/client.ts';
import { EntryPage } from './EntryPage.tsx';
import { keepInvitation } from './kept-invitation.ts';
import { ProviderButtons } from './ProviderButtons.tsx';
import { useSignInOptions } from './sign-in-options.ts';
import { textOf } from './form-text.ts';
import { invitationToken, leaveInvitation, useAcceptInvitation, useJoin } from './invitation.ts';
import { useMe, useSignIn, useSignOut } from './session.ts';

const NewAccountForm = ({ token, email }: { token: string; email: string }): ReactElement => {
  const join = useJoin();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    join.mutate({
      token,
      email,
      firstName: textOf(form, 'firstName').trim(),
      lastName: textOf(form, 'lastName').trim(),
      password: textOf(form, 'password'),
    });
  };
  return (
    <form onSubmit={submit}>
      {join.error !== null && <InlineError message={describeError(join.error).message} />}
      <input type="hidden" name="email" value={email} autoComplete="username" />
      <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 1 }}>
        <TextInput label="First name" name="firstName" autoComplete="given-name" required autoFocus />
        <TextInput label="Last name" name="lastName" autoComplete="family-name" required />
      </Box>
      <TextInput
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        required
        hint="At least 8 characters."
        inputProps={{ minLength: 8 }}
      />
      <Button type="submit" variant="contained" color="primary" fullWidth loading={join.isPending}>
        Join
      </Button>
    </form>
  );
};

const SignInForm = ({ email }: { email: string }): ReactElement => {
  const signIn = useSignIn();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    signIn.mutate({ email, password: textOf(new FormData(event.currentTarget), 'password') });
  };
  return (
    <form onSubmit={submit}>
      {signIn.error !== null && <InlineError message={describeError(signIn.error).message} />}
      <TextInput
        label={`Password of ${email}`}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        autoFocus
      />
      <Button type="submit" variant="contained" color="primary" fullWidth loading={signIn.isPending}>
        Sign in
      </Button>
    </form>
  );
};

const AcceptForm = ({ token, workspace }: { token: string; workspace: string }): ReactElement => {
  const accept = useAcceptInvitation();
  return (
    <>
      {accept.error !== null && <InlineError message={describeError(accept.error).message} />}
      <Button
        variant="contained"
        color="primary"
        fullWidth
        loading={accept.isPending}
        onClick={() => accept.mutate(token)}
      >
        Join <bdi>&nbsp;{workspace}</bdi>
      </Button>
    </>
  );
};

const Reply = ({ token, invitation }: { token: string; invitation: OpenInvitation }): ReactElement => {
  const { data: me } = useMe();
  const signOut = useSignOut();
  const { data: options } = useSignInOptions('');
  const { email, hasAccount, workspaceName } = invitation;
  const isSignedIn = me !== null && me !== undefined;
  if (isSignedIn && me.email !== email) {
    return (
      <>
        <Typography sx={{ mb: 2 }}>
          You are signed in as <bdi>{me.email}</bdi>. Sign out to accept as <bdi>{email}</bdi>.
        </Typography>
        <Button fullWidth onClick={() => signOut.mutate(me.sessionId ?? '')}>
          Sign out
        </Button>
      </>
    );
  }
  if (isSignedIn) return <AcceptForm token={token} workspace={workspaceName} />;
  return (
    <>
      {hasAccount ? <SignInForm email={email} /> : <NewAccountForm token={token} email={email} />}
      <ProviderButtons
        providers={options?.providers ?? []}
        workspaceId=""
        next="/app/"
        onLeave={() => keepInvitation(token)}
      />
    </>
  );
};

/**
 * The page that the link of an invitation opens. The token is in the fragment, which browsers do not send
 * to servers.
 */
export const InvitationPage = (): ReactElement => {
  const [token] = useState(invitationToken);
  const { data, error } = useQuery({
    queryKey: ['me', 'invitation', token],
    retry: false,
    queryFn: () => api.lookAtInvitation({ body: { token } }),
  });
  return (
    <EntryPage title={data === undefined ? 'Invitation' : `Join ${data.workspaceName}`}>
      {error !== null && (
        <>
          <ErrorState title="This invitation is not open" {...describeError(error)} />
          <Button onClick={leaveInvitation}>Go to the console</Button>
        </>
      )}
      {data !== undefined && (
        <>
          <Typography sx={{ mb: 3, color: 'text.secondary' }}>
            <bdi>{data.invitedBy}</bdi> invites <bdi>{data.email}</bdi> as{' '}
            {data.role === 'admin' ? 'an admin' : 'a member'}.
          </Typography>
          <Reply token={token} invitation={data} />
        </>
      )}
    </EntryPage>
  );
};

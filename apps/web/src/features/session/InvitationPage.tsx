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
import { sessionText as texts } from '../../text/session.ts';
import { FilledText } from '../../parts/FilledText.tsx';

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
        <TextInput label={texts.firstName} name="firstName" autoComplete="given-name" required autoFocus />
        <TextInput label={texts.lastName} name="lastName" autoComplete="family-name" required />
      </Box>
      <TextInput
        label={texts.password}
        name="password"
        type="password"
        autoComplete="new-password"
        required
        hint={texts.passwordHint}
        inputProps={{ minLength: 8 }}
      />
      <Button type="submit" variant="contained" color="primary" fullWidth loading={join.isPending}>
        {texts.join}
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
        label={texts.passwordOf(email)}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        autoFocus
      />
      <Button type="submit" variant="contained" color="primary" fullWidth loading={signIn.isPending}>
        {texts.signIn}
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
        <FilledText text={texts.joinWorkspace} values={{ workspace: <bdi>{workspace}</bdi> }} />
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
          <FilledText
            text={texts.signedInAsOther}
            values={{ present: <bdi>{me.email}</bdi>, invited: <bdi>{email}</bdi> }}
          />
        </Typography>
        <Button fullWidth onClick={() => signOut.mutate(me.sessionId ?? '')}>
          {texts.signOut}
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
    <EntryPage title={data === undefined ? texts.invitation : texts.joinTitle(data.workspaceName)}>
      {error !== null && (
        <>
          <ErrorState title={texts.invitationNotOpen} {...describeError(error)} />
          <Button onClick={leaveInvitation}>{texts.openConsole}</Button>
        </>
      )}
      {data !== undefined && (
        <>
          <Typography sx={{ mb: 3, color: 'text.secondary' }}>
            <FilledText
              text={data.role === 'admin' ? texts.invitesAdmin : texts.invitesMember}
              values={{ inviter: <bdi>{data.invitedBy}</bdi>, email: <bdi>{data.email}</bdi> }}
            />
          </Typography>
          <Reply token={token} invitation={data} />
        </>
      )}
    </EntryPage>
  );
};

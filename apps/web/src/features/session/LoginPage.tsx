import type { Me } from '@redoubt/contract';
import CircularProgress from '@mui/material/CircularProgress';
import { useEffect, type ReactElement } from 'react';
import { describeError } from '../../api/client.ts';
import { invitationPath } from '../../api/page-session.ts';
import { EntryPage } from './EntryPage.tsx';
import { readSignInAddress, returnedSignIn } from './entry-address.ts';
import { forgetInvitation, takeInvitation } from './kept-invitation.ts';
import { describeSignInProblem, useReturnedSignIn } from './sign-in-options.ts';
import { SignInPage } from './SignInPage.tsx';
import { sessionText as texts } from '../../text/session.ts';

interface LoginPageProps {
  me: Me | null;
  /** The page of the console to open after signing in. */
  next: string;
}

/** The page at `/login`. People sign in there, or return there from an identity provider. */
export const LoginPage = ({ me, next }: LoginPageProps): ReactElement => {
  const returned = useReturnedSignIn(me === null);
  const isHere = me !== null;
  useEffect(() => {
    // `replace` removes this page from the history, so that the Back button does not return to the sign-in.
    if (!isHere) return;
    // The invitation was kept for a sign-in at a provider. Who signs in by a password instead may be somebody else.
    const invitation = returnedSignIn === undefined ? undefined : takeInvitation();
    forgetInvitation();
    location.replace(invitation === undefined ? next : `${invitationPath}#${invitation}`);
  }, [isHere, next]);
  if (isHere || returned.isFetching) {
    return (
      <EntryPage title={texts.signingYouIn}>
        <CircularProgress size={24} aria-label={texts.signingYouIn} />
      </EntryPage>
    );
  }
  const problem =
    returned.error === null
      ? describeSignInProblem(readSignInAddress().error)
      : describeError(returned.error).message;
  return <SignInPage next={next} problem={problem} />;
};

import type { Me } from '@redoubt/contract';
import CircularProgress from '@mui/material/CircularProgress';
import { useEffect, type ReactElement } from 'react';
import { describeError } from '../../api/client.ts';
import { EntryPage } from './EntryPage.tsx';
import { readSignInAddress } from './entry-address.ts';
import { describeSignInProblem, useReturnedSignIn } from './sign-in-options.ts';
import { SignInPage } from './SignInPage.tsx';

interface LoginPageProps {
  me: Me | null;
  /** The page of the console to go on to. */
  next: string;
}

/** The page at `/login`: people sign in, or come back from an identity provider, and go on to the console. */
export const LoginPage = ({ me, next }: LoginPageProps): ReactElement => {
  const returned = useReturnedSignIn(me === null);
  const isHere = me !== null;
  useEffect(() => {
    // Not even the Back button leads to the sign-in of somebody who is signed in.
    if (isHere) location.replace(next);
  }, [isHere, next]);
  if (isHere || returned.isFetching) {
    return (
      <EntryPage title="Signing you in">
        <CircularProgress size={24} aria-label="Signing you in" />
      </EntryPage>
    );
  }
  const problem =
    returned.error === null
      ? describeSignInProblem(readSignInAddress().error)
      : describeError(returned.error).message;
  return <SignInPage next={next} problem={problem} />;
};

import { unauthenticated } from '@redoubt/errors';
import type { OpenSession, SignedSession } from '../../platform/auth/open-session.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { ResolvedAccount, Caller, SingleSignOn } from '../single-sign-on/index.ts';
import type { SignInRequest } from './credentials.ts';

type ProviderSignIn = SignInRequest & { strategy: 'provider' | 'proxy' };

/** Opens a session for a person whom an identity provider or a proxy has authenticated. */
export const createProviderSignIn = ({
  singleSignOn,
  openSession,
  clock,
}: {
  singleSignOn: SingleSignOn;
  openSession: OpenSession;
  clock: Clock;
}) => {
  const authenticate = (signIn: ProviderSignIn, caller: Caller): Promise<ResolvedAccount> => {
    const { workspaceId } = signIn;
    if (signIn.strategy === 'proxy') return singleSignOn.byProxy(signIn, caller);
    const request = { strategy: signIn.provider, workspaceId };
    return 'code' in signIn.shown
      ? singleSignOn.byCode({ ...request, ...signIn.shown }, caller)
      : singleSignOn.byToken({ ...request, ...signIn.shown });
  };

  return async (signIn: ProviderSignIn, caller: Caller): Promise<SignedSession> => {
    const { accountId: id, email, workspaceUid, proof } = await authenticate(signIn, caller);
    const session = { account: { id, email }, workspaceUid, createdAt: clock.now() };
    const signed = await openSession(session, proof);
    if (signed !== undefined) return signed;
    throw unauthenticated('The account changed during this sign-in. Sign in again.');
  };
};

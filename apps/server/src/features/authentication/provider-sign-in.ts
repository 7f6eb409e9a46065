import { unauthenticated } from '@redoubt/errors';
import type { OpenSession, SignedSession } from '../../platform/auth/open-session.ts';
import type { LiveSession } from '../../platform/auth/session.repository.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { Admission, Caller, SingleSignOn } from '../single-sign-on/index.ts';
import type { SignIn } from './credentials.ts';

type ByOthers = SignIn & { strategy: 'provider' | 'proxy' };

/** A session by what an identity provider or a proxy says. */
export const createProviderSignIn = ({
  singleSignOn,
  openSession,
  findSession,
  clock,
}: {
  singleSignOn: SingleSignOn;
  openSession: OpenSession;
  findSession: (token: string) => Promise<LiveSession | undefined>;
  clock: Clock;
}) => {
  /** The account of whoever shows a token of their own as well, to link it. */
  const ownAccount = async (token: string | undefined): Promise<string | undefined> => {
    const session = token === undefined ? undefined : await findSession(token);
    const isOwn = session?.credential.kind === 'session';
    if (token !== undefined && !isOwn)
      throw unauthenticated('accessToken: it is no valid token of your own sign-in: sign in again.');
    return session?.accountId;
  };

  const admit = async (signIn: ByOthers, caller: Caller): Promise<Admission> => {
    const { workspaceId } = signIn;
    if (signIn.strategy === 'proxy') return singleSignOn.byProxy(signIn, caller);
    const ownAccountId = await ownAccount(signIn.ownToken);
    const request = { strategy: signIn.provider, workspaceId, ownAccountId };
    return 'code' in signIn.shown
      ? singleSignOn.byCode({ ...request, ...signIn.shown }, caller)
      : singleSignOn.byToken({ ...request, ...signIn.shown });
  };

  return async (signIn: ByOthers, caller: Caller): Promise<SignedSession> => {
    const { accountId: id, email, workspaceUid, proof } = await admit(signIn, caller);
    const session = { account: { id, email }, workspaceUid, createdAt: clock.now() };
    const signed = await openSession(session, proof);
    if (signed !== undefined) return signed;
    throw unauthenticated('The account has changed while this sign-in ran: sign in again.');
  };
};

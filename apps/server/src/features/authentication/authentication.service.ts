import type { AuthenticationResult, Credentials, Me } from '@redoubt/contract';
import { RedoubtError, unauthenticated } from '@redoubt/errors';
import type { AuditedChange } from '../../platform/audit/index.ts';
import type { RequestOrigin, Person } from '../../platform/auth/actor.ts';
import type { SignInThrottle } from '../../platform/auth/sign-in-throttle.ts';
import { createOpenSession, type SignedSession } from '../../platform/auth/open-session.ts';
import type { Passwords } from '../../platform/auth/passwords.ts';
import type { KeyRepository } from '../../platform/auth/key.repository.ts';
import type { SessionRepository } from '../../platform/auth/session.repository.ts';
import { tokenLifetimeSeconds, type Tokens } from '../../platform/auth/tokens.ts';
import { addressOwner } from '../../platform/http/client-address.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { authenticationResult, displayNameOf } from './authentication-result.ts';
import type { AuthenticationRepository } from './authentication.repository.ts';
import type { Caller, SingleSignOn } from '../single-sign-on/index.ts';
import { parseCredentials, type SignInRequest } from './credentials.ts';
import type { SignInAudit } from './sign-in-audit.ts';
import { createKeySignIn } from './key-sign-in.ts';
import { createProviderSignIn } from './provider-sign-in.ts';

export interface AuthenticationService {
  /**
   * @param source the address that the request comes from, as trusted proxies tell it
   * @param caller its headers, and who is at the other end of the connection
   * @throws 401 in the same words and time for every reason why the sign-in does not hold, 429 after too many of them
   */
  authenticate(
    credentials: Credentials,
    query: { apiKey?: boolean; workspaceId?: string },
    source: string,
    caller?: Caller,
    requestId?: string,
  ): Promise<AuthenticationResult>;
  /**
   * Ends a session at once.
   * @param id the token, or the text `null` for the token of the header
   */
  signOut(
    actor: Person | undefined,
    id: string,
    headerToken: string | undefined,
    origin: RequestOrigin,
  ): Promise<AuthenticationResult>;
  me(actor: Person, token: string): Promise<Me>;
}

export interface AuthenticationDeps {
  repository: AuthenticationRepository;
  passwords: Pick<Passwords, 'verify'>;
  tokens: Tokens;
  sessions: Pick<SessionRepository, 'create' | 'findLive'>;
  auditedSessions: AuditedChange<Pick<SessionRepository, 'revoke'>>;
  signIns: SignInAudit;
  keys: Pick<KeyRepository, 'findByKey'>;
  guesses: SignInThrottle;
  singleSignOn: SingleSignOn;
  runtime: Pick<Runtime, 'clock' | 'ids'>;
}

/** Where a request is not passed on, no proxy vouches for anybody. */
const unknownCaller: Caller = { headers: {}, peer: undefined };

const inWorkspace = (workspaceId: string | undefined): string =>
  workspaceId === undefined ? '' : `, or the person is no member of workspace "${workspaceId}"`;

export const createAuthenticationService = (deps: AuthenticationDeps): AuthenticationService => {
  const { repository, passwords, tokens, sessions, keys, guesses, singleSignOn, signIns, runtime } = deps;

  const openSession = createOpenSession({ tokens, sessions, ids: runtime.ids });
  const signInWithKey = createKeySignIn({ keys, openSession, clock: runtime.clock });

  const liveSession = async (token: string) => {
    const claims = await tokens.verify(token);
    const session = claims && (await sessions.findLive(claims.jti, runtime.clock.now()));
    return claims === undefined || session === undefined ? undefined : { claims, session };
  };

  const signInByOthers = createProviderSignIn({
    singleSignOn,
    openSession,
    clock: runtime.clock,
  });

  /** The work is the same whether the address is known or not, and whatever is wrong. */
  const signInLocally = async ({ email, password, workspaceId }: SignInRequest & { strategy: 'local' }) => {
    const account = await repository.findSecret(email.toLowerCase());
    const right = await passwords.verify(password, account?.passwordHash ?? null);
    const workspaces = await repository.workspacesOf(account?.id ?? '');
    const named = workspaces.find(({ slug }) => slug === workspaceId);
    const isRefused = account === undefined || !right || (workspaceId !== undefined && named === undefined);
    const passwordHash = account?.passwordHash ?? '';
    const only = workspaces.length === 1 ? workspaces[0] : undefined;
    const workspaceUid = (named ?? only)?.uniqueId ?? null;
    const signed = isRefused
      ? undefined
      : await openSession({ account, workspaceUid, createdAt: runtime.clock.now() }, { passwordHash });
    if (signed !== undefined) return signed;
    throw unauthenticated(
      `The email address or the password is wrong${inWorkspace(workspaceId)}: check what was sent.`,
    );
  };

  /** With the workspace of the token, or none named, the token itself; else a session there that ends with it. */
  const signInWithToken = async ({ accessToken, workspaceId }: SignInRequest & { strategy: 'jwt' }) => {
    const live = await liveSession(accessToken);
    const workspaces = await repository.workspacesOf(live?.session.accountId ?? '');
    const named = workspaces.find(({ slug }) => slug === workspaceId);
    const refusal = unauthenticated(
      `The access token is not valid, has expired or was signed out${inWorkspace(workspaceId)}: sign in again.`,
    );
    if (live === undefined || (workspaceId !== undefined && named === undefined)) throw refusal;
    const { claims, session } = live;
    if (named === undefined || named.uniqueId === session.workspace?.uniqueId) {
      return { token: accessToken, claims };
    }
    // What was given for a key or to an application is for its one workspace.
    if (session.credential.kind !== 'session') throw refusal;
    // So is what a provider of that workspace said: whoever runs it could name anybody.
    if (session.isConfined) throw refusal;
    const account = { id: session.accountId, email: session.email };
    const createdAt = new Date((claims.exp - tokenLifetimeSeconds) * 1000);
    const elsewhere = { account, workspaceUid: named.uniqueId, createdAt };
    const signed = await openSession(elsewhere, { sessionId: claims.jti });
    if (signed === undefined) throw refusal;
    return signed;
  };

  const signInBy = (signIn: SignInRequest, source: string, caller: Caller): Promise<SignedSession> => {
    switch (signIn.strategy) {
      case 'local':
        return guesses.attempt({ account: signIn.email.toLowerCase(), source: addressOwner(source) }, () =>
          signInLocally(signIn),
        );
      case 'jwt':
        return signInWithToken(signIn);
      case 'key':
        return signInWithKey(signIn);
      case 'proxy':
      case 'provider':
        return signInByOthers(signIn, caller);
    }
  };

  return {
    authenticate: async (credentials, query, source, caller = unknownCaller, requestId = '') => {
      const signIn = parseCredentials(credentials, query);
      const origin = { ip: source, requestId };
      const signed = await signInBy(signIn, source, caller).catch(async (fault: unknown) => {
        await signIns.refused(fault, signIn, origin);
        throw fault;
      });
      await signIns.signedIn(signed, signIn, origin);
      return authenticationResult(
        credentials.strategy,
        signed,
        await repository.account(signed.claims.sub, signed.claims.jti),
      );
    },

    signOut: async (actor, id, headerToken, origin) => {
      const token = id === 'null' ? headerToken : id;
      if (token === undefined) {
        throw unauthenticated(
          'Nothing says who signs out: send the access token in the Authorization header.',
        );
      }
      const live = await liveSession(token);
      if (live === undefined || (actor !== undefined && live.session.accountId !== actor.accountId)) {
        const message = 'There is no session of yours with the token in the path: it may have ended.';
        throw actor === undefined ? unauthenticated(message) : new RedoubtError('NotFoundError', message);
      }
      const account = await repository.account(live.claims.sub, live.claims.jti);
      const { accountId, email, workspace } = live.session;
      const ended = {
        type: 'Login' as const,
        description: 'signed out',
        details: { sessionId: live.claims.jti },
      };
      await deps.auditedSessions({ accountId, email, workspace, origin }, ended, (repository) =>
        repository.revoke(live.claims.jti, runtime.clock.now()),
      );
      return authenticationResult('jwt', { token, claims: live.claims }, account);
    },

    me: async (actor, token) => {
      const account = await repository.account(actor.accountId, actor.sessionId);
      return {
        workspaceId: actor.workspace?.slug ?? null,
        email: account.email,
        firstName: account.firstName,
        lastName: account.lastName,
        displayName: displayNameOf(account),
        accessToken: token,
      };
    },
  };
};

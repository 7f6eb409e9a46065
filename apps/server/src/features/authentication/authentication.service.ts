import type { AuthenticationResult, Credentials, Me } from '@redoubt/contract';
import { RedoubtError, unauthenticated } from '@redoubt/errors';
import type { AuditedChange } from '../../platform/audit/index.ts';
import type { RequestOrigin, Person } from '../../platform/auth/actor.ts';
import type { SignInThrottle } from '../../platform/auth/sign-in-throttle.ts';
import { createOpenSession, type SignedSession } from '../../platform/auth/open-session.ts';
import type { PasswordHashing } from '../../platform/auth/passwords.ts';
import type { KeyRepository } from '../../platform/auth/key.repository.ts';
import type { SessionRepository } from '../../platform/auth/session.repository.ts';
import {
  createSessionSecret,
  hashSessionSecret,
  type CookieCredential,
} from '../../platform/auth/session-secret.ts';
import { tokenLifetimeSeconds, type Tokens } from '../../platform/auth/tokens.ts';
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
   * Signs a person in.
   * @param source the address of the client, as trusted proxies report it
   * @param caller the headers of the request, and the address of the connection's peer
   * @throws RedoubtError 401 with the same message and timing for every wrong credential, 429 after too many failures
   */
  authenticate(
    credentials: Credentials,
    query: { apiKey?: boolean; workspaceId?: string },
    source: string,
    caller?: Caller,
    requestId?: string,
  ): Promise<AuthenticationResult>;
  /**
   * Ends a session immediately.
   * @param id the token of the session, or the string `null` for the token in the header
   */
  signOut(
    actor: Person | undefined,
    id: string,
    headerToken: string | undefined,
    origin: RequestOrigin,
  ): Promise<AuthenticationResult>;
  /** Replaces the token of a new session by a cookie: the result holds no token any more. */
  moveToCookie(
    signedIn: AuthenticationResult,
  ): Promise<{ result: AuthenticationResult; cookie: CookieCredential }>;
  me(actor: Person, token: string): Promise<Me>;
}

export interface AuthenticationDeps {
  repository: AuthenticationRepository;
  tokens: Tokens;
  sessions: Pick<SessionRepository, 'create' | 'findLive' | 'requireCookie'>;
  auditedSessions: AuditedChange<Pick<SessionRepository, 'revoke'>>;
  signIns: SignInAudit;
  keys: Pick<KeyRepository, 'findByKey'>;
  throttle: SignInThrottle;
  singleSignOn: SingleSignOn;
  runtime: Pick<Runtime, 'clock' | 'ids' | 'random'>;
}

/** Without a request, no proxy can be trusted. */
const unknownCaller: Caller = { headers: {}, peer: undefined };

const workspaceHint = (workspaceId: string | undefined): string =>
  workspaceId === undefined ? '' : `, or the person is not a member of workspace "${workspaceId}"`;

export const createAuthenticationService = (deps: AuthenticationDeps): AuthenticationService => {
  const { repository, tokens, sessions, keys, throttle, singleSignOn, signIns, runtime } = deps;

  const openSession = createOpenSession({ tokens, sessions, ids: runtime.ids });
  const signInWithKey = createKeySignIn({ keys, openSession, clock: runtime.clock });

  const liveSession = async (token: string) => {
    const claims = await tokens.verify(token);
    const session = claims && (await sessions.findLive(claims.jti, runtime.clock.now(), 'token'));
    return claims === undefined || session === undefined ? undefined : { claims, session };
  };

  const signInByProvider = createProviderSignIn({
    singleSignOn,
    openSession,
    clock: runtime.clock,
  });

  /** Does the same work whether or not the address is known, and whatever is wrong, so that timing discloses nothing. */
  const signInLocally = async (
    { email, password, workspaceId }: SignInRequest & { strategy: 'local' },
    hashing: PasswordHashing,
  ) => {
    const account = await repository.findSecret(email.toLowerCase());
    const isPasswordRight = await hashing.verify(password, account?.passwordHash ?? null);
    const workspaces = await repository.workspacesOf(account?.id ?? '');
    const named = workspaces.find(({ slug }) => slug === workspaceId);
    const isRejected =
      account === undefined || !isPasswordRight || (workspaceId !== undefined && named === undefined);
    const passwordHash = account?.passwordHash ?? '';
    const onlyWorkspace = workspaces.length === 1 ? workspaces[0] : undefined;
    const workspaceUid = (named ?? onlyWorkspace)?.uniqueId ?? null;
    const signed = isRejected
      ? undefined
      : await openSession({ account, workspaceUid, createdAt: runtime.clock.now() }, { passwordHash });
    if (signed !== undefined) return signed;
    throw unauthenticated(
      `The email address or the password is wrong${workspaceHint(workspaceId)}. Check what you sent.`,
    );
  };

  /**
   * Returns the sent token if it belongs to the named workspace or if none is named. Otherwise opens a session in the
   * named workspace, which ends when the sent token does.
   */
  const signInWithToken = async ({ accessToken, workspaceId }: SignInRequest & { strategy: 'jwt' }) => {
    const live = await liveSession(accessToken);
    const workspaces = await repository.workspacesOf(live?.session.accountId ?? '');
    const named = workspaces.find(({ slug }) => slug === workspaceId);
    const rejection = unauthenticated(
      `The access token is not valid, has expired or was signed out${workspaceHint(workspaceId)}. Sign in again.`,
    );
    if (live === undefined || (workspaceId !== undefined && named === undefined)) throw rejection;
    const { claims, session } = live;
    if (named === undefined || named.uniqueId === session.workspace?.uniqueId) {
      return { token: accessToken, claims };
    }
    // A session of a key or an application is confined to its workspace.
    if (session.credential.kind !== 'session') throw rejection;
    // So is a session through a provider of the workspace, which could otherwise impersonate people elsewhere.
    if (session.isConfined) throw rejection;
    const account = { id: session.accountId, email: session.email };
    const createdAt = new Date((claims.exp - tokenLifetimeSeconds) * 1000);
    const elsewhere = { account, workspaceUid: named.uniqueId, createdAt };
    const signed = await openSession(elsewhere, { sessionId: claims.jti });
    if (signed === undefined) throw rejection;
    return signed;
  };

  const signInBy = (signIn: SignInRequest, source: string, caller: Caller): Promise<SignedSession> => {
    switch (signIn.strategy) {
      case 'local':
        return throttle.attempt({ account: signIn.email.toLowerCase(), ip: source }, (hashing) =>
          signInLocally(signIn, hashing),
        );
      case 'jwt':
        return signInWithToken(signIn);
      case 'key':
        return signInWithKey(signIn);
      case 'proxy':
      case 'provider':
        return signInByProvider(signIn, caller);
    }
  };

  return {
    authenticate: async (credentials, query, source, caller = unknownCaller, requestId = '') => {
      const signIn = parseCredentials(credentials, query);
      const origin = { ip: source, requestId };
      const signed = await signInBy(signIn, source, caller).catch(async (error: unknown) => {
        await signIns.failed(error, signIn, origin);
        throw error;
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
          'Signing out needs an access token, got none. Send it in the Authorization header or in the path.',
        );
      }
      const live = await liveSession(token);
      if (live === undefined || (actor !== undefined && live.session.accountId !== actor.accountId)) {
        const message =
          'The token in the path belongs to no active session of yours. The session may have ended.';
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

    moveToCookie: async (signedIn) => {
      const { payload } = signedIn.authentication;
      const cookie = { sessionId: payload.jti, secret: createSessionSecret(runtime.random) };
      await sessions.requireCookie(cookie.sessionId, hashSessionSecret(cookie.secret));
      const authentication = { ...signedIn.authentication, accessToken: '' };
      return { result: { ...signedIn, accessToken: '', authentication }, cookie };
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
        sessionId: actor.sessionId === '' ? null : actor.sessionId,
      };
    },
  };
};

import type { AuthenticationResult, Credentials, Me } from '@redoubt/contract';
import { RedoubtError, unauthenticated } from '@redoubt/errors';
import type { Person } from '../../platform/auth/actor.ts';
import type { Passwords } from '../../platform/auth/passwords.ts';
import type { SessionRepository } from '../../platform/auth/session.repository.ts';
import { tokenLifetimeSeconds, type AccessClaims, type Tokens } from '../../platform/auth/tokens.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { authenticationResult, displayNameOf } from './authentication-result.ts';
import type { AuthenticationRepository } from './authentication.repository.ts';
import { readCredentials, type SignIn } from './credentials.ts';

export interface AuthenticationService {
  /** @throws 401 in the same words and time for every reason why the sign-in does not hold */
  authenticate(
    credentials: Credentials,
    query: { apiKey?: boolean; workspaceId?: string },
  ): Promise<AuthenticationResult>;
  /**
   * Ends a session at once.
   * @param id the token, or the text `null` for the token of the header
   */
  signOut(
    actor: Person | undefined,
    id: string,
    headerToken: string | undefined,
  ): Promise<AuthenticationResult>;
  me(actor: Person, token: string): Promise<Me>;
}

export interface AuthenticationDeps {
  repository: AuthenticationRepository;
  passwords: Pick<Passwords, 'verify'>;
  tokens: Tokens;
  sessions: Pick<SessionRepository, 'create' | 'findLive' | 'revoke'>;
  runtime: Pick<Runtime, 'clock' | 'ids'>;
}

const inWorkspace = (workspaceId: string | undefined): string =>
  workspaceId === undefined ? '' : `, or the person is no member of workspace "${workspaceId}"`;

export const createAuthenticationService = (deps: AuthenticationDeps): AuthenticationService => {
  const { repository, passwords, tokens, sessions, runtime } = deps;

  const openSession = async (
    account: { id: string; email: string },
    workspaceUid: string | null,
    createdAt: Date,
  ): Promise<{ token: string; claims: AccessClaims }> => {
    const id = runtime.ids.uuid();
    const signed = await tokens.sign({ id, accountId: account.id, email: account.email, createdAt });
    const expiresAt = new Date(signed.claims.exp * 1000);
    await sessions.create({ id, accountId: account.id, workspaceUid, createdAt, expiresAt });
    return signed;
  };

  const liveSession = async (token: string) => {
    const claims = await tokens.verify(token);
    const session = claims && (await sessions.findLive(claims.jti, runtime.clock.now()));
    return claims === undefined || session === undefined ? undefined : { claims, session };
  };

  /** The work is the same whether the address is known or not, and whatever is wrong. */
  const signInLocally = async ({ email, password, workspaceId }: SignIn & { strategy: 'local' }) => {
    const account = await repository.findSecret(email.toLowerCase());
    const right = await passwords.verify(password, account?.passwordHash ?? null);
    const workspaces = await repository.workspacesOf(account?.id ?? '');
    const named = workspaces.find(({ slug }) => slug === workspaceId);
    if (account === undefined || !right || (workspaceId !== undefined && named === undefined)) {
      throw unauthenticated(
        `The email address or the password is wrong${inWorkspace(workspaceId)}: check what was sent.`,
      );
    }
    const only = workspaces.length === 1 ? workspaces[0] : undefined;
    return openSession(account, (named ?? only)?.uniqueId ?? null, runtime.clock.now());
  };

  /** With the workspace of the token, or none named, the token itself; else a session there that ends with it. */
  const signInWithToken = async ({ accessToken, workspaceId }: SignIn & { strategy: 'jwt' }) => {
    const live = await liveSession(accessToken);
    const workspaces = await repository.workspacesOf(live?.session.accountId ?? '');
    const named = workspaces.find(({ slug }) => slug === workspaceId);
    if (live === undefined || (workspaceId !== undefined && named === undefined)) {
      throw unauthenticated(
        `The access token is not valid, has expired or was signed out${inWorkspace(workspaceId)}: sign in again.`,
      );
    }
    const { claims, session } = live;
    if (named === undefined || named.uniqueId === session.workspace?.uniqueId) {
      return { token: accessToken, claims };
    }
    const account = { id: session.accountId, email: session.email };
    return openSession(account, named.uniqueId, new Date((claims.exp - tokenLifetimeSeconds) * 1000));
  };

  return {
    authenticate: async (credentials, query) => {
      const signIn = readCredentials(credentials, query);
      const signed = await (signIn.strategy === 'local' ? signInLocally(signIn) : signInWithToken(signIn));
      return authenticationResult(signIn.strategy, signed, await repository.account(signed.claims.sub));
    },

    signOut: async (actor, id, headerToken) => {
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
      const account = await repository.account(live.claims.sub);
      await sessions.revoke(live.claims.jti, runtime.clock.now());
      return authenticationResult('jwt', { token, claims: live.claims }, account);
    },

    me: async (actor, token) => {
      const account = await repository.account(actor.accountId);
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

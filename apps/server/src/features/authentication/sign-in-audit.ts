import { RedoubtError } from '@redoubt/errors';
import type { Audit } from '../../platform/audit/index.ts';
import type { RequestOrigin } from '../../platform/auth/actor.ts';
import type { SignedSession } from '../../platform/auth/open-session.ts';
import type { SessionRepository } from '../../platform/auth/session.repository.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { AuthenticationRepository } from './authentication.repository.ts';
import type { SignInRequest } from './credentials.ts';

/** Logs audit events for sign-ins and failed attempts. */
export interface SignInAudit {
  signedIn(signed: SignedSession, signIn: SignInRequest, origin: RequestOrigin): Promise<void>;
  failed(error: unknown, signIn: SignInRequest, origin: RequestOrigin): Promise<void>;
}

/** The strategy as it was sent. */
const strategyOf = (signIn: SignInRequest): string =>
  signIn.strategy === 'provider' ? signIn.provider : signIn.strategy;

export const createSignInAudit = ({
  audit,
  repository,
  sessions,
  clock,
}: {
  audit: Pick<Audit, 'log'>;
  repository: Pick<AuthenticationRepository, 'findSecret' | 'workspacesOf'>;
  sessions: Pick<SessionRepository, 'findLive'>;
  clock: Clock;
}): SignInAudit => ({
  signedIn: async ({ token, claims }, signIn, origin) => {
    // Checking an existing token opens no session.
    if (signIn.strategy === 'jwt' && signIn.accessToken === token) return;
    const session = await sessions.findLive(claims.jti, clock.now());
    await audit.log(
      {
        accountId: claims.sub,
        email: claims.email,
        workspace: session?.workspace,
        credential: session?.credential,
        origin,
      },
      {
        type: 'Login',
        description: 'signed in',
        details: { strategy: strategyOf(signIn), sessionId: claims.jti, outcome: 'success' },
      },
    );
  },

  // Does the same work whether or not the address is known. An unknown address is not logged, because it may be a password
  // that was typed into the wrong field.
  failed: async (error, signIn, origin) => {
    if (!(error instanceof RedoubtError) || error.name !== 'AuthError') return;
    const email = signIn.strategy === 'local' ? signIn.email.toLowerCase() : '';
    const account = await repository.findSecret(email);
    const workspaces = await repository.workspacesOf(account?.id ?? '');
    const named = workspaces.find(({ slug }) => slug === signIn.workspaceId);
    const onlyWorkspace = workspaces.length === 1 ? workspaces[0] : undefined;
    await audit.log(
      { accountId: account?.id, email: account?.email ?? '', workspace: named ?? onlyWorkspace, origin },
      {
        type: 'Login',
        description: 'failed to sign in',
        details: { strategy: strategyOf(signIn), outcome: 'failed' },
      },
    );
  },
});

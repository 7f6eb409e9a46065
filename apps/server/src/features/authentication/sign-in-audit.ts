import { RedoubtError } from '@redoubt/errors';
import type { Audit } from '../../platform/audit/index.ts';
import type { RequestOrigin } from '../../platform/auth/actor.ts';
import type { SignedSession } from '../../platform/auth/open-session.ts';
import type { SessionRepository } from '../../platform/auth/session.repository.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { AuthenticationRepository } from './authentication.repository.ts';
import type { SignInRequest } from './credentials.ts';

/** Notes who signs in and out, and who tries to in vain. */
export interface SignInAudit {
  signedIn(signed: SignedSession, signIn: SignInRequest, origin: RequestOrigin): Promise<void>;
  refused(fault: unknown, signIn: SignInRequest, origin: RequestOrigin): Promise<void>;
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
  audit: Pick<Audit, 'tell'>;
  repository: Pick<AuthenticationRepository, 'findSecret' | 'workspacesOf'>;
  sessions: Pick<SessionRepository, 'findLive'>;
  clock: Clock;
}): SignInAudit => ({
  signedIn: async ({ token, claims }, signIn, origin) => {
    // A token that is only checked is no new session.
    if (signIn.strategy === 'jwt' && signIn.accessToken === token) return;
    const session = await sessions.findLive(claims.jti, clock.now());
    await audit.tell(
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

  // The work is the same whether the address is known or not. One that is not known is not kept: it may be a password that was
  // typed into the wrong field.
  refused: async (fault, signIn, origin) => {
    if (!(fault instanceof RedoubtError) || fault.name !== 'AuthError') return;
    const email = signIn.strategy === 'local' ? signIn.email.toLowerCase() : '';
    const account = await repository.findSecret(email);
    const workspaces = await repository.workspacesOf(account?.id ?? '');
    const named = workspaces.find(({ slug }) => slug === signIn.workspaceId);
    const only = workspaces.length === 1 ? workspaces[0] : undefined;
    await audit.tell(
      { accountId: account?.id, email: account?.email ?? '', workspace: named ?? only, origin },
      {
        type: 'Login',
        description: 'failed to sign in',
        details: { strategy: strategyOf(signIn), outcome: 'failed' },
      },
    );
  },
});

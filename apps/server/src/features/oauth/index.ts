import { createOpenSession } from '../../platform/auth/open-session.ts';
import type { SessionRepository } from '../../platform/auth/session.repository.ts';
import type { Tokens } from '../../platform/auth/tokens.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { AuthenticationService } from '../authentication/index.ts';
import { createAuthorizationService } from './authorization.service.ts';
import { createConsentProofs } from './consent-proofs.ts';
import { createOAuthRepository } from './oauth.repository.ts';
import { createOAuthRoutes } from './oauth.routes.ts';
import { createTokenService } from './token.service.ts';

/** OAuth 2.1, by which people let applications act for them. */
export const wireOAuth = ({
  db,
  runtime,
  signingKey,
  publicUrl,
  tokens,
  sessions,
  authenticate,
}: {
  db: Db;
  runtime: Runtime;
  signingKey: Uint8Array;
  /** The address by which people reach the server. */
  publicUrl(): string;
  tokens: Tokens;
  sessions: SessionRepository;
  authenticate: AuthenticationService['authenticate'];
}): RouteBinding[] => {
  const repository = createOAuthRepository(db);
  const issuer = (): string => publicUrl().replace(/\/+$/, '');
  const proofs = createConsentProofs({ secret: signingKey, clock: runtime.clock });
  const openSession = createOpenSession({ tokens, sessions, ids: runtime.ids });
  return createOAuthRoutes({
    authorization: createAuthorizationService({ repository, proofs, sessions, issuer, runtime }),
    tokenService: createTokenService({ repository, openSession, tokens, sessions, runtime }),
    authenticate,
    issuer,
    random: runtime.random,
  });
};

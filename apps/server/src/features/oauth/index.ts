import { createAuditedChange, type Audit } from '../../platform/audit/index.ts';
import { createOpenSession } from '../../platform/auth/open-session.ts';
import type { SessionRepository } from '../../platform/auth/session.repository.ts';
import type { Tokens } from '../../platform/auth/tokens.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { AuthenticationService } from '../authentication/index.ts';
import { createAuthorizationService } from './authorization.service.ts';
import { createConsentProofs } from './consent-proofs.ts';
import { createGrantListRepository } from './grant.repository.ts';
import { createGrantRoutes } from './grant.routes.ts';
import { createGrantService } from './grant.service.ts';
import { createOAuthRepository } from './oauth.repository.ts';
import { createOAuthRoutes } from './oauth.routes.ts';
import { createTokenService } from './token.service.ts';

/** Wires OAuth 2.1, which lets applications act for people. */
export const wireOAuth = ({
  db,
  audit,
  runtime,
  signingKey,
  publicUrl,
  tokens,
  sessions,
  authenticate,
}: {
  db: Db;
  audit: Audit;
  runtime: Runtime;
  signingKey: Uint8Array;
  /** The address at which people reach the server. */
  publicUrl(): string;
  tokens: Tokens;
  sessions: SessionRepository;
  authenticate: AuthenticationService['authenticate'];
}): RouteBinding[] => {
  const repository = createOAuthRepository(db);
  const audited = createAuditedChange(audit, createOAuthRepository);
  const issuer = (): string => publicUrl().replace(/\/+$/, '');
  const proofs = createConsentProofs({ secret: signingKey, clock: runtime.clock });
  const openSession = createOpenSession({ tokens, sessions, ids: runtime.ids });
  const grants = createGrantService({
    grants: createGrantListRepository(db),
    audited,
    workspaceUidOf: repository.workspaceUidOf,
    clock: runtime.clock,
  });
  const oauthRoutes = createOAuthRoutes({
    authorization: createAuthorizationService({ repository, audited, proofs, sessions, issuer, runtime }),
    tokenService: createTokenService({ repository, audited, openSession, tokens, sessions, runtime }),
    authenticate,
    issuer,
    random: runtime.random,
  });
  return [...oauthRoutes, ...createGrantRoutes(grants)];
};

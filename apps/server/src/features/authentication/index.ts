import { createAuditedChange, type Audit } from '../../platform/audit/index.ts';
import type { SignInThrottle } from '../../platform/auth/sign-in-throttle.ts';
import type { KeyRepository } from '../../platform/auth/key.repository.ts';
import { createSessionRepository, type SessionRepository } from '../../platform/auth/session.repository.ts';
import type { Tokens } from '../../platform/auth/tokens.ts';
import type { Db } from '../../platform/db/database.ts';
import type { SignUp, SingleSignOnSettings } from '../../platform/config/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { Logger } from '../../platform/log/logger.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { MailQueue } from '../../platform/mail/index.ts';
import type { FindWorkspaceProvider, ListProvidersOfWorkspace } from '../identity-providers/index.ts';
import { wireSingleSignOn } from '../single-sign-on/index.ts';
import {
  createAuthenticationRepository,
  type AuthenticationRepository,
} from './authentication.repository.ts';
import { createAuthenticationRoutes } from './authentication.routes.ts';
import { createSignInAudit } from './sign-in-audit.ts';
import { createAuthenticationService, type AuthenticationService } from './authentication.service.ts';

export type { AuthenticationService } from './authentication.service.ts';

export const wireAuthentication = (deps: {
  db: Db;
  tokens: Tokens;
  sessions: SessionRepository;
  keys: KeyRepository;
  throttle: SignInThrottle;
  runtime: Runtime;
  secrets: SecretBox;
  signUp: SignUp;
  logger: Logger;
  publicUrl: () => string;
  singleSignOn?: SingleSignOnSettings | undefined;
  findOwnProvider: FindWorkspaceProvider;
  listProvidersOfWorkspace: ListProvidersOfWorkspace;
  /** Whether the server serves the console, whose sign-in page shows errors. */
  hasConsole: boolean;
  mail: Pick<MailQueue, 'sends'>;
  audit: Audit;
}): {
  bindings: RouteBinding[];
  authenticate: AuthenticationService['authenticate'];
  workspacesOf: AuthenticationRepository['workspacesOf'];
} => {
  const repository = createAuthenticationRepository(deps.db);
  const { bindings, singleSignOn } = wireSingleSignOn({ ...deps, workspacesOf: repository.workspacesOf });
  const service = createAuthenticationService({
    ...deps,
    repository,
    singleSignOn,
    auditedSessions: createAuditedChange(deps.audit, createSessionRepository),
    signIns: createSignInAudit({ ...deps, repository, clock: deps.runtime.clock }),
  });
  return {
    bindings: [...createAuthenticationRoutes(service), ...bindings],
    authenticate: service.authenticate,
    workspacesOf: repository.workspacesOf,
  };
};

import type { KeyRepository } from '../../platform/auth/key.repository.ts';
import type { Passwords } from '../../platform/auth/passwords.ts';
import type { SessionRepository } from '../../platform/auth/session.repository.ts';
import type { Tokens } from '../../platform/auth/tokens.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { createAuthenticationRepository } from './authentication.repository.ts';
import { createAuthenticationRoutes } from './authentication.routes.ts';
import { createAuthenticationService } from './authentication.service.ts';

export const wireAuthentication = (deps: {
  db: Db;
  passwords: Passwords;
  tokens: Tokens;
  sessions: SessionRepository;
  keys: KeyRepository;
  runtime: Runtime;
}): RouteBinding[] =>
  createAuthenticationRoutes(
    createAuthenticationService({ ...deps, repository: createAuthenticationRepository(deps.db) }),
  );

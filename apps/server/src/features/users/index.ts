import type { Passwords } from '../../platform/auth/passwords.ts';
import type { SignUp } from '../../platform/config/index.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { createInvitationService } from '../invitations/index.ts';
import { createUserRoutes } from './user.routes.ts';
import { createUserService } from './user.service.ts';

export const wireUsers = (deps: {
  db: Db;
  passwords: Passwords;
  runtime: Runtime;
  signUp: SignUp;
}): RouteBinding[] =>
  createUserRoutes(createUserService({ ...deps, invitations: createInvitationService(deps) }));

import type { Audit } from '../../platform/audit/index.ts';
import type { SignInThrottle } from '../../platform/auth/sign-in-throttle.ts';
import type { Passwords } from '../../platform/auth/passwords.ts';
import type { SignUp } from '../../platform/config/index.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { MailQueue } from '../../platform/mail/index.ts';
import type { AccountChanges } from '../accounts/index.ts';
import type { InvitationService } from '../invitations/index.ts';
import { createUserRoutes } from './user.routes.ts';
import { createUserService, type UserService } from './user.service.ts';

export type { UserService } from './user.service.ts';

export const wireUsers = (deps: {
  db: Db;
  passwords: Passwords;
  runtime: Runtime;
  signUp: SignUp;
  throttle: SignInThrottle;
  mail: MailQueue;
  accounts: AccountChanges;
  invitations: InvitationService;
  audit: Audit;
}): { bindings: RouteBinding[]; users: UserService } => {
  const users = createUserService(deps);
  return { bindings: createUserRoutes(users), users };
};

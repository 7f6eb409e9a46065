import type { Audit } from '../../platform/audit/index.ts';
import type { Passwords } from '../../platform/auth/passwords.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { MailQueue } from '../../platform/mail/index.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { createAccountLinks, type AccountLinks } from './account-links.ts';
import { registerAccountMail } from './account-mail.ts';
import { createAccountRoutes } from './account.routes.ts';
import { createEmailAddressService, type EmailAddressService } from './email-address.service.ts';
import { createPasswordResetService, type PasswordResetService } from './password-reset.service.ts';
import { createPeopleRepository } from './people.repository.ts';

export { createOperatorAccounts, type OperatorAccounts } from './operator-accounts.ts';

/** What other features use when they change accounts. */
export type AccountChanges = Pick<EmailAddressService, 'beginChange'> &
  Pick<PasswordResetService, 'endOpenLinks'>;

/** Wires the confirmation and change of email addresses, and password resets. */
export const wireAccounts = (deps: {
  audit: Audit;
  db: Db;
  mail: MailQueue;
  passwords: Passwords;
  publicUrl: () => string;
  runtime: Runtime;
}): { bindings: RouteBinding[]; changes: AccountChanges; links: AccountLinks } => {
  const links = createAccountLinks(deps.runtime);
  const addresses = createEmailAddressService({ ...deps, links });
  const people = createPeopleRepository(deps.db);
  const resets = createPasswordResetService({ ...deps, links, people });
  registerAccountMail({ ...deps, links });
  return {
    bindings: createAccountRoutes(addresses, resets),
    links,
    changes: {
      beginChange: addresses.beginChange,
      endOpenLinks: resets.endOpenLinks,
    },
  };
};

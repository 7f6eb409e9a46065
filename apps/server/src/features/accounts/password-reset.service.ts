import type { LinkSent, PasswordReset, ResetStarted } from '@redoubt/contract';
import { notFound } from '@redoubt/errors';
import type { Audit } from '../../platform/audit/index.ts';
import { requireCall } from '../../platform/auth/access.ts';
import type { Member, RequestOrigin } from '../../platform/auth/actor.ts';
import type { Passwords } from '../../platform/auth/passwords.ts';
import { createSessionRepository } from '../../platform/auth/session.repository.ts';
import type { Db } from '../../platform/db/database.ts';
import { requireMail, type MailQueue } from '../../platform/mail/index.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { AccountLinks } from './account-links.ts';
import { createAccountStateRepository } from './account-state.repository.ts';
import { createEmailChangeRepository } from './email-change.repository.ts';
import { linkAuditActor } from './link-audit-actor.ts';
import { invalidLinkError, toSeconds, linkLifetimes } from './link-rules.ts';
import type { PeopleRepository } from './people.repository.ts';

export interface PasswordResetService {
  /** Does the same work for every address. Only the later rendering of the mail checks whether there is an account. */
  request(email: string): Promise<LinkSent>;
  start(actor: Member, userId: string): Promise<ResetStarted>;
  confirm(token: string, password: string, origin: RequestOrigin): Promise<PasswordReset>;
  /** Revokes what an intruder may have prepared: links of the account, and a pending change of its address. */
  endOpenLinks(trx: Db, accountId: string): Promise<void>;
}

export const createPasswordResetService = ({
  db,
  links,
  audit,
  mail,
  passwords,
  people,
  runtime: { clock },
}: {
  audit: Pick<Audit, 'change' | 'note'>;
  db: Db;
  links: AccountLinks;
  mail: MailQueue;
  passwords: Passwords;
  people: PeopleRepository;
  runtime: Pick<Runtime, 'clock'>;
}): PasswordResetService => {
  const validForSeconds = toSeconds(linkLifetimes.reset);
  const endOpenLinks = async (trx: Db, accountId: string): Promise<void> => {
    await createEmailChangeRepository(trx).remove(accountId);
    await links.revokeAll(trx, accountId);
  };

  return {
    request: async (email) => {
      requireMail(mail, 'no link can be sent: ask its operator to reset the account');
      await mail.add(db, 'reset-password', { email: email.toLowerCase() });
      mail.wake();
      return { email, validForSeconds };
    },

    start: async (actor, userId) => {
      if (!(await people.isMember(actor.workspace.uniqueId, userId))) throw notFound('user', userId);
      requireCall(actor, 'startPasswordReset', `start a reset for user "${userId}"`);
      requireMail(
        mail,
        'the link cannot go to the person, and nobody else gets it: ask the operator of the server to reset the account',
      );
      const started = {
        type: 'UserManagement',
        description: 'sent a user a link to set a new password',
        details: { userId },
      } as const;
      await audit.change(actor, started, (trx) => mail.add(trx, 'reset-password', { accountId: userId }));
      mail.wake();
      return { userId, validForSeconds };
    },

    confirm: (token, password, origin) =>
      passwords.attempt(origin.ip, async (hashing) => {
        // Checks the token first: hashing is expensive, and must not be done for guessed tokens.
        if ((await links.find(db, token, ['reset-password'])) === undefined) throw invalidLinkError();
        const passwordHash = await hashing.hash(password);
        const reset = await db.transaction().execute(async (trx) => {
          const link = await links.use(trx, token, ['reset-password']);
          const accounts = createAccountStateRepository(trx);
          const account = link && (await accounts.lock(link.accountId));
          // A link that was created during a change of address is in the old mailbox. An operator's link has no address.
          const isForAccount = link?.email === '' || link?.email === account?.email;
          if (account === undefined || !isForAccount) throw invalidLinkError();
          const now = clock.now();
          await accounts.setPassword(account.id, passwordHash, now);
          // A person with the link can read the mail of that address, which confirms it.
          if (account.email === link?.email) await accounts.setVerified(account.id, now);
          await createSessionRepository(trx).revokeOthers(account.id, '', now);
          await endOpenLinks(trx, account.id);
          await mail.add(trx, 'password-changed', { accountId: account.id });
          await audit.note(trx, linkAuditActor(account, origin), {
            type: 'UserProfileManagement',
            description: 'set a new password through a link, which ended all sessions',
            details: { userId: account.id },
          });
          return { email: account.email };
        });
        mail.wake();
        return reset;
      }),

    endOpenLinks,
  };
};

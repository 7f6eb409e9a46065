import type { EmailChange, LinkSent, VerifiedEmail } from '@redoubt/contract';
import { badRequest, conflict } from '@redoubt/errors';
import type { Audit } from '../../platform/audit/index.ts';
import type { RequestOrigin, Person } from '../../platform/auth/actor.ts';
import { isUniqueViolation, type Db } from '../../platform/db/database.ts';
import { requireMail, type MailQueue } from '../../platform/mail/index.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { AccountLinks } from './account-links.ts';
import { createAccountStateRepository } from './account-state.repository.ts';
import { createEmailChangeRepository } from './email-change.repository.ts';
import { linkAuditActor } from './link-audit-actor.ts';
import { invalidLinkError, toSeconds, linkLifetimes } from './link-rules.ts';

export interface EmailAddressService {
  requestVerification(actor: Person): Promise<LinkSent>;
  confirm(token: string, origin: RequestOrigin): Promise<VerifiedEmail>;
  /**
   * Starts a change of the actor's own address, which replaces a pending one.
   * @param email in lower case; the present address only withdraws a pending change
   */
  beginChange(trx: Db, actor: Person, email: string): Promise<void>;
  confirmChange(token: string, origin: RequestOrigin): Promise<EmailChange>;
}

const addressTaken = (email: string) =>
  conflict(`email: "${email}" already has an account. Send another address.`);

export const createEmailAddressService = ({
  db,
  links,
  audit,
  mail,
  runtime: { clock },
}: {
  db: Db;
  links: AccountLinks;
  audit: Pick<Audit, 'note'>;
  mail: MailQueue;
  runtime: Pick<Runtime, 'clock'>;
}): EmailAddressService => {
  /** Changes the address, once both addresses have confirmed it. */
  const applyChange = async (
    trx: Db,
    accountId: string,
    newEmail: string,
    origin: RequestOrigin,
  ): Promise<void> => {
    const accounts = createAccountStateRepository(trx);
    const account = await accounts.find(accountId);
    if (account === undefined) throw invalidLinkError();
    await accounts.setEmail(accountId, newEmail, clock.now());
    await createEmailChangeRepository(trx).remove(accountId);
    // Links in the old mailbox, such as one to set a password, must stop working.
    await links.revokeAll(trx, accountId);
    await mail.add(trx, 'email-changed', { email: account.email, newEmail });
    await audit.note(trx, linkAuditActor(account, origin), {
      type: 'UserProfileManagement',
      description: 'changed their email address, which both addresses have confirmed',
      details: { userId: accountId },
    });
  };

  return {
    requestVerification: async (actor) => {
      requireMail(mail, 'no address can be confirmed');
      const account = await createAccountStateRepository(db).find(actor.accountId);
      if (account?.verified === true)
        throw badRequest(`The address "${account.email}" is already confirmed. There is nothing to do.`);
      await mail.add(db, 'verify-email', { accountId: actor.accountId });
      mail.wake();
      return { email: actor.email, validForSeconds: toSeconds(linkLifetimes.verification) };
    },

    confirm: (token, origin) =>
      db.transaction().execute(async (trx) => {
        const link = await links.use(trx, token, ['verify-email']);
        const accounts = createAccountStateRepository(trx);
        const account = link && (await accounts.lock(link.accountId));
        if (account === undefined || account.email !== link?.email) throw invalidLinkError();
        await accounts.setVerified(account.id, clock.now());
        await audit.note(trx, linkAuditActor(account, origin), {
          type: 'UserProfileManagement',
          description: 'confirmed their email address',
          details: { userId: account.id },
        });
        return { email: account.email, verified: true };
      }),

    beginChange: async (trx, actor, email) => {
      const changes = createEmailChangeRepository(trx);
      const accounts = createAccountStateRepository(trx);
      await accounts.lock(actor.accountId);
      await changes.remove(actor.accountId);
      if (email === actor.email) return;
      requireMail(mail, `"${email}" cannot be confirmed, and neither can the change at the present address`);
      if ((await accounts.findByEmail(email)) !== undefined) throw addressTaken(email);
      const expiresAt = new Date(clock.now().getTime() + linkLifetimes.change);
      await changes.create(actor.accountId, email, expiresAt);
      for (const kind of ['leave-email', 'take-email'] as const)
        await mail.add(trx, kind, { accountId: actor.accountId, newEmail: email });
    },

    confirmChange: async (token, origin) => {
      let newEmail = '';
      try {
        const change = await db.transaction().execute(async (trx) => {
          const link = await links.use(trx, token, ['leave-email', 'take-email']);
          if (link === undefined) throw invalidLinkError();
          const { accountId, purpose } = link;
          const account = await createAccountStateRepository(trx).lock(accountId);
          const changes = createEmailChangeRepository(trx);
          const pending = await changes.find(accountId);
          // The pending change may have been replaced since the link was created: the link proves only its own address.
          if (link.email !== (purpose === 'leave-email' ? account?.email : pending?.newEmail))
            throw invalidLinkError();
          await changes.confirm(accountId, purpose === 'leave-email' ? 'old' : 'new');
          const now = await changes.find(accountId);
          if (now === undefined) throw invalidLinkError();
          ({ newEmail } = now);
          if (now.oldConfirmed && now.newConfirmed) await applyChange(trx, accountId, newEmail, origin);
          return now;
        });
        mail.wake();
        return {
          newEmail: change.newEmail,
          confirmedAtOldAddress: change.oldConfirmed,
          confirmedAtNewAddress: change.newConfirmed,
          expiresAt: change.expiresAt.toISOString(),
        };
      } catch (error) {
        throw isUniqueViolation(error) ? addressTaken(newEmail) : error;
      }
    },
  };
};

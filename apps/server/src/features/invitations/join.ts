import type { Invitation, InvitationJoin } from '@redoubt/contract';
import { conflict } from '@redoubt/errors';
import type { Audit } from '../../platform/audit/index.ts';
import type { RequestOrigin } from '../../platform/auth/actor.ts';
import type { Passwords } from '../../platform/auth/passwords.ts';
import { insertAccount } from '../../platform/auth/account.repository.ts';
import { isUniqueViolation, type Db } from '../../platform/db/database.ts';
import type { MailQueue } from '../../platform/mail/index.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { Subscriptions } from '../../platform/subscriptions/index.ts';
import { eventOf, hashOf, invalidTokenError } from './invitation-rules.ts';
import { createInvitationRepository } from './invitation.repository.ts';

export type Join = (input: InvitationJoin, origin: RequestOrigin) => Promise<Invitation>;

const hasAccountError = (email: string) =>
  conflict(`email: "${email}" already has an account. Sign in, then accept the invitation.`);

/** Accepts an invitation without a credential: creates the account of its address as a member. */
export const createJoin =
  (deps: {
    db: Db;
    mail: Pick<MailQueue, 'sends'>;
    passwords: Passwords;
    runtime: Pick<Runtime, 'clock' | 'ids'>;
    audit: Pick<Audit, 'note'>;
    subscriptions: Pick<Subscriptions, 'requireOpenIn'>;
  }): Join =>
  ({ token, firstName, lastName, password }, origin) =>
    deps.passwords.attempt(origin.ip, async (hashing) => {
      const tokenHash = hashOf(token);
      // Checks the token first: hashing is expensive, and must not be done for guessed tokens.
      const found = await createInvitationRepository(deps.db).findOpen(tokenHash, deps.runtime.clock.now());
      if (found === undefined) throw invalidTokenError();
      if (found.hasAccount) throw hasAccountError(found.email);
      const passwordHash = await hashing.hash(password);
      const accountId = deps.runtime.ids.uuid();
      try {
        return await deps.db.transaction().execute(async (trx) => {
          const invitations = createInvitationRepository(trx);
          const now = deps.runtime.clock.now();
          const open = await invitations.lockUnclaimed(tokenHash, now);
          if (open === undefined) throw invalidTokenError();
          const { id, email, role, workspaceUid, workspaceId, createdBy, createdAt, expiresAt } = open;
          await deps.subscriptions.requireOpenIn(trx, workspaceUid);
          await insertAccount(trx, {
            id: accountId,
            email,
            firstName,
            lastName,
            passwordHash,
            // Only a mail proves that the owner of the address has the token. Otherwise the inviter had it, too.
            passwordChosenIn: deps.mail.sends ? null : workspaceUid,
            verified: deps.mail.sends,
            now,
          });
          await invitations.join(workspaceUid, accountId, role, now);
          await invitations.markAccepted(id, accountId, now);
          await deps.audit.note(
            trx,
            { accountId, email, workspace: { uniqueId: workspaceUid }, origin },
            eventOf('accepted an invitation and created an account', { id, role }),
          );
          return {
            id,
            email,
            workspaceId,
            role,
            createdBy,
            createdAt: createdAt.toISOString(),
            expiresAt: expiresAt.toISOString(),
            acceptedAt: now.toISOString(),
          };
        });
      } catch (error) {
        throw isUniqueViolation(error) ? hasAccountError(found.email) : error;
      }
    });

import type { User, UserPatch } from '@redoubt/contract';
import { badField, conflict, forbidden } from '@redoubt/errors';
import type { Audit, AuditEvent } from '../../platform/audit/index.ts';
import { requireCall, requireRoleAtMostOwn } from '../../platform/auth/access.ts';
import type { Person, WorkspaceContext } from '../../platform/auth/actor.ts';
import { refuseChanges, requireWholeAccount } from '../../platform/auth/guards.ts';
import type { Passwords } from '../../platform/auth/passwords.ts';
import { createSessionRepository } from '../../platform/auth/session.repository.ts';
import type { Db } from '../../platform/db/database.ts';
import type { MailQueue } from '../../platform/mail/index.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { AccountChanges } from '../accounts/index.ts';
import { createAccountRepository } from './account.repository.ts';
import { createCurrentPasswordCheck, type CurrentPasswordDeps } from './current-password.ts';
import { createMembershipRepository } from './membership.repository.ts';

export interface UserChangeDeps extends CurrentPasswordDeps {
  db: Db;
  passwords: Passwords;
  mail: Pick<MailQueue, 'add' | 'wake'>;
  accounts: Pick<AccountChanges, 'beginChange' | 'endOpenLinks'>;
  runtime: Pick<Runtime, 'clock'>;
  audit: Pick<Audit, 'change'>;
}

const refuseForAll = (id: string, patch: UserPatch): void => {
  for (const field of ['workspaceId', 'stripeLatestCharge'] as const) {
    if (patch[field] !== undefined) {
      throw forbidden(
        `${field}: ${JSON.stringify(patch[field])} was sent, and nobody sets it here. Leave it out.`,
      );
    }
  }
  refuseChanges({ id }, patch);
};

/** Nobody gives themselves a role, but an admin may step down. */
const refuseOwnStanding = (target: User, { role, disabled }: UserPatch): void => {
  const stepsDown = target.role === 'admin' && role === 'member';
  if (role !== undefined && role !== target.role && !stepsDown) {
    throw forbidden(`role: nobody gives themselves "${role}". Ask an admin of the workspace.`);
  }
  if (disabled !== undefined && disabled !== target.disabled) {
    throw forbidden(`disabled: nobody sets it for themselves (sent: ${disabled}). Leave it out.`);
  }
};

const personalFields = ['email', 'firstName', 'lastName', 'password', 'currentPassword'] as const;

const refusePersonal = (target: User, patch: UserPatch): void => {
  const field = personalFields.find((name) => patch[name] !== undefined);
  if (field !== undefined) {
    throw forbidden(
      `${field}: only user "${target.id}" may change it. Admins change "role" and "disabled" of others.`,
    );
  }
};

export const lastAdmin = (slug: string) =>
  conflict(
    `Workspace "${slug}" would be left without an admin: make somebody else an admin first, or delete the workspace.`,
  );

/** `PATCH /users/{id}`, once the actor sees the target. */
export const createUserChange = ({
  db,
  audit,
  passwords,
  mail,
  accounts: changes,
  throttle,
  runtime,
}: UserChangeDeps) => {
  const checkCurrent = createCurrentPasswordCheck({ db, passwords, throttle });

  const setStanding = async (
    trx: Db,
    { uniqueId, slug }: WorkspaceContext,
    accountId: string,
    { role, disabled }: UserPatch,
  ): Promise<void> => {
    if (role === undefined && disabled === undefined) return;
    const memberships = createMembershipRepository(trx);
    await memberships.lock(uniqueId);
    await memberships.update(uniqueId, accountId, {
      ...(role === undefined ? {} : { role }),
      ...(disabled === undefined ? {} : { disabled }),
    });
    if (!(await memberships.hasAdmin(uniqueId))) throw lastAdmin(slug);
    if (role === 'member' || disabled === true) await memberships.removeInvitationsBy(uniqueId, accountId);
    if (disabled === true) {
      await createSessionRepository(trx).revokeInWorkspace(accountId, uniqueId, runtime.clock.now());
    }
  };

  /** The hash of the new password; undefined where none was sent. */
  const newHash = async (actor: Person, patch: UserPatch): Promise<string | undefined> => {
    const { password, currentPassword } = patch;
    if (password === undefined && currentPassword === undefined) return undefined;
    if (password === undefined) throw badField('password', 'is missing: "currentPassword" was sent.');
    if (currentPassword === undefined) {
      throw badField('currentPassword', 'is missing: it is needed to change the password.');
    }
    await checkCurrent(actor, currentPassword);
    return passwords.hash(password);
  };

  const changeSelf = async (actor: Person, target: User, patch: UserPatch): Promise<void> => {
    if (personalFields.some((name) => patch[name] !== undefined)) requireWholeAccount(actor);
    refuseOwnStanding(target, patch);
    const { firstName, lastName } = patch;
    const passwordHash = await newHash(actor, patch);
    const now = runtime.clock.now();
    const fields = Object.keys(patch).filter((name) => name !== 'currentPassword' && name !== 'id');
    const changed: AuditEvent = {
      type: 'UserProfileManagement',
      description: 'changed their account',
      details: { userId: target.id, fields },
    };
    await audit.change(actor, changed, async (trx) => {
      await createAccountRepository(trx).update(actor.accountId, { firstName, lastName, passwordHash }, now);
      if (actor.workspace !== undefined) await setStanding(trx, actor.workspace, target.id, patch);
      if (passwordHash !== undefined) {
        await createSessionRepository(trx).revokeOthers(actor.accountId, actor.sessionId, now);
        await changes.endOpenLinks(trx, actor.accountId);
        await mail.add(trx, 'password-changed', { accountId: actor.accountId });
      }
      if (patch.email !== undefined) await changes.beginChange(trx, actor, patch.email.toLowerCase());
    });
    mail.wake();
  };

  const changeOther = async (actor: Person, target: User, patch: UserPatch): Promise<void> => {
    const { workspace } = actor;
    requireCall(actor, 'updateUser', `change user "${target.id}"`);
    refusePersonal(target, patch);
    if (workspace === undefined) return;
    requireRoleAtMostOwn(actor, patch.role);
    const { role, disabled } = patch;
    const changed: AuditEvent = {
      type: 'UserManagement',
      description: 'changed what somebody is in the workspace',
      details: { userId: target.id, role, disabled },
    };
    await audit.change(actor, changed, async (trx) => {
      const memberships = createMembershipRepository(trx);
      await memberships.lock(workspace.uniqueId);
      requireRoleAtMostOwn(actor, await memberships.roleOf(workspace.uniqueId, target.id));
      await setStanding(trx, workspace, target.id, patch);
    });
  };

  return async (actor: Person, target: User, patch: UserPatch): Promise<void> => {
    refuseForAll(target.id, patch);
    await (target.id === actor.accountId ? changeSelf : changeOther)(actor, target, patch);
  };
};

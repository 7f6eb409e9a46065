import type { User, UserPatch } from '@redoubt/contract';
import { conflict, describeValue, forbidden, invalidField } from '@redoubt/errors';
import type { Audit, AuditEvent } from '../../platform/audit/index.ts';
import { requireCall, requireRoleAtMostOwn } from '../../platform/auth/access.ts';
import type { Person, WorkspaceContext } from '../../platform/auth/actor.ts';
import { refuseChanges, requireWholeAccount } from '../../platform/auth/guards.ts';
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
  mail: Pick<MailQueue, 'add' | 'wake'>;
  accounts: Pick<AccountChanges, 'beginChange' | 'endOpenLinks'>;
  runtime: Pick<Runtime, 'clock'>;
  audit: Pick<Audit, 'change'>;
}

const rejectFixedFields = (id: string, patch: UserPatch): void => {
  for (const field of ['workspaceId', 'stripeLatestCharge'] as const) {
    if (patch[field] !== undefined) {
      throw forbidden(
        `${field} cannot be changed with this call, got ${describeValue(patch[field])}. Leave it out.`,
      );
    }
  }
  refuseChanges({ id }, patch);
};

/** Nobody can change their own role or disable themselves, except that an admin may become a member. */
const rejectOwnPrivileges = (target: User, { role, disabled }: UserPatch): void => {
  const stepsDown = target.role === 'admin' && role === 'member';
  if (role !== undefined && role !== target.role && !stepsDown) {
    throw forbidden(
      `role: nobody may assign the role "${role}" to themselves. Ask an admin of the workspace.`,
    );
  }
  if (disabled !== undefined && disabled !== target.disabled) {
    throw forbidden(`disabled can be changed by others alone, got ${disabled} for yourself. Leave it out.`);
  }
};

const personalFields = ['email', 'firstName', 'lastName', 'password', 'currentPassword'] as const;

const rejectPersonalFields = (target: User, patch: UserPatch): void => {
  const field = personalFields.find((name) => patch[name] !== undefined);
  if (field !== undefined) {
    throw forbidden(
      `${field} can be changed by user "${target.id}" alone. Leave it out. Of other users, admins can change "role" and "disabled".`,
    );
  }
};

export const lastAdmin = (slug: string) =>
  conflict(
    `Workspace "${slug}" would have no admin left. Make another person an admin first, or delete the workspace.`,
  );

/** Performs `PATCH /users/{id}` for a target that is visible to the actor. */
export const createUserChange = ({
  db,
  audit,
  mail,
  accounts: changes,
  throttle,
  runtime,
}: UserChangeDeps) => {
  const checkCurrent = createCurrentPasswordCheck({ db, throttle });

  const updateMembership = async (
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

  /** Hashes the new password after checking the current one; undefined if neither was sent. */
  const hashNewPassword = async (actor: Person, patch: UserPatch): Promise<string | undefined> => {
    const { password, currentPassword } = patch;
    if (password === undefined && currentPassword === undefined) return undefined;
    if (password === undefined) {
      throw invalidField({
        field: 'password',
        expected: 'present with "currentPassword"',
        got: 'nothing',
        advice: 'Send the new password.',
      });
    }
    if (currentPassword === undefined) {
      throw invalidField({
        field: 'currentPassword',
        expected: 'present to change the password',
        got: 'nothing',
        advice: 'Send the current password.',
      });
    }
    return checkCurrent(actor, currentPassword, (hashing) => hashing.hash(password));
  };

  const changeSelf = async (actor: Person, target: User, patch: UserPatch): Promise<void> => {
    if (personalFields.some((name) => patch[name] !== undefined)) requireWholeAccount(actor);
    rejectOwnPrivileges(target, patch);
    const { firstName, lastName } = patch;
    const passwordHash = await hashNewPassword(actor, patch);
    const now = runtime.clock.now();
    const fields = Object.keys(patch).filter((name) => name !== 'currentPassword' && name !== 'id');
    const changed: AuditEvent = {
      type: 'UserProfileManagement',
      description: 'changed their account',
      details: { userId: target.id, fields },
    };
    await audit.change(actor, changed, async (trx) => {
      await createAccountRepository(trx).update(actor.accountId, { firstName, lastName, passwordHash }, now);
      if (actor.workspace !== undefined) await updateMembership(trx, actor.workspace, target.id, patch);
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
    rejectPersonalFields(target, patch);
    if (workspace === undefined) return;
    requireRoleAtMostOwn(actor, patch.role);
    const { role, disabled } = patch;
    const changed: AuditEvent = {
      type: 'UserManagement',
      description: 'changed the membership of a user',
      details: { userId: target.id, role, disabled },
    };
    await audit.change(actor, changed, async (trx) => {
      const memberships = createMembershipRepository(trx);
      await memberships.lock(workspace.uniqueId);
      requireRoleAtMostOwn(actor, await memberships.roleOf(workspace.uniqueId, target.id));
      await updateMembership(trx, workspace, target.id, patch);
    });
  };

  return async (actor: Person, target: User, patch: UserPatch): Promise<void> => {
    rejectFixedFields(target.id, patch);
    await (target.id === actor.accountId ? changeSelf : changeOther)(actor, target, patch);
  };
};

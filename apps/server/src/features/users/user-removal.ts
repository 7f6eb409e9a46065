import type { User } from '@redoubt/contract';
import { requireCall, requireRoleWithin } from '../../platform/auth/access.ts';
import type { Person, WorkspaceContext } from '../../platform/auth/actor.ts';
import { createSessionRepository } from '../../platform/auth/session.repository.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { createAccountRepository } from './account.repository.ts';
import { createMembershipRepository } from './membership.repository.ts';
import { lastAdmin } from './user-change.ts';

/** `DELETE /users/{id}`, once the actor sees the target. */
export const createUserRemoval = ({ db, runtime }: { db: Db; runtime: Pick<Runtime, 'clock'> }) => {
  const removeFromWorkspace = (
    actor: Person,
    { uniqueId, slug }: WorkspaceContext,
    accountId: string,
  ): Promise<void> =>
    db.transaction().execute(async (trx) => {
      const memberships = createMembershipRepository(trx);
      await memberships.lock(uniqueId);
      if (accountId !== actor.accountId) {
        requireRoleWithin(actor, await memberships.roleOf(uniqueId, accountId));
      }
      await memberships.remove(uniqueId, accountId);
      if (!(await memberships.hasAdmin(uniqueId))) throw lastAdmin(slug);
      await memberships.removeInvitationsBy(uniqueId, accountId);
      await createSessionRepository(trx).revokeInWorkspace(accountId, uniqueId, runtime.clock.now());
    });

  const removeAccount = (accountId: string): Promise<void> =>
    db.transaction().execute(async (trx) => {
      const accounts = createAccountRepository(trx);
      const workspaces = await accounts.lockWithWorkspaces(accountId);
      await accounts.remove(accountId);
      for (const { uniqueId, slug } of workspaces) {
        if (!(await createMembershipRepository(trx).hasAdmin(uniqueId))) throw lastAdmin(slug);
      }
    });

  return async (actor: Person, target: User): Promise<void> => {
    const isSelf = target.id === actor.accountId;
    requireCall(actor, 'deleteUser', `remove user "${target.id}"`, isSelf ? ['self'] : []);
    await (actor.workspace === undefined
      ? removeAccount(actor.accountId)
      : removeFromWorkspace(actor, actor.workspace, target.id));
  };
};

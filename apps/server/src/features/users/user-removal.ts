import type { User } from '@redoubt/contract';
import { forbidden } from '@redoubt/errors';
import { isAdmin, type Person, type WorkspaceContext } from '../../platform/auth/actor.ts';
import { createSessionRepository } from '../../platform/auth/session.repository.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { createAccountRepository } from './account.repository.ts';
import { createMembershipRepository } from './membership.repository.ts';
import { lastAdmin } from './user-change.ts';

/** `DELETE /users/{id}`, once the actor sees the target. */
export const createUserRemoval = ({ db, runtime }: { db: Db; runtime: Pick<Runtime, 'clock'> }) => {
  const removeFromWorkspace = ({ uniqueId, slug }: WorkspaceContext, accountId: string): Promise<void> =>
    db.transaction().execute(async (trx) => {
      const memberships = createMembershipRepository(trx);
      await memberships.lock(uniqueId);
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
    if (target.id !== actor.accountId && !isAdmin(actor)) {
      throw forbidden(`Only an admin of the workspace may remove user "${target.id}": ask one of them.`);
    }
    await (actor.workspace === undefined
      ? removeAccount(actor.accountId)
      : removeFromWorkspace(actor.workspace, target.id));
  };
};

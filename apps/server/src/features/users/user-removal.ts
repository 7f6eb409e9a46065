import type { User } from '@redoubt/contract';
import type { Audit, AuditEvent } from '../../platform/audit/index.ts';
import { requireCall, requireRoleAtMostOwn } from '../../platform/auth/access.ts';
import type { Person, WorkspaceContext } from '../../platform/auth/actor.ts';
import { createSessionRepository } from '../../platform/auth/session.repository.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { createAccountRepository } from './account.repository.ts';
import { createMembershipRepository } from './membership.repository.ts';
import { lastAdmin } from './user-change.ts';

const eventOf = (description: string, userId: string): AuditEvent => ({
  type: 'UserManagement',
  description,
  details: { userId },
});

/** Performs `DELETE /users/{id}` for a target that is visible to the actor. */
export const createUserRemoval = ({
  audit,
  runtime,
}: {
  audit: Pick<Audit, 'change'>;
  runtime: Pick<Runtime, 'clock'>;
}) => {
  const removeFromWorkspace = (
    actor: Person,
    { uniqueId, slug }: WorkspaceContext,
    accountId: string,
  ): Promise<void> =>
    audit.change(actor, eventOf('removed a user from the workspace', accountId), async (trx) => {
      const memberships = createMembershipRepository(trx);
      await memberships.lock(uniqueId);
      if (accountId !== actor.accountId) {
        requireRoleAtMostOwn(actor, await memberships.roleOf(uniqueId, accountId));
      }
      await memberships.remove(uniqueId, accountId);
      if (!(await memberships.hasAdmin(uniqueId))) throw lastAdmin(slug);
      await memberships.removeInvitationsBy(uniqueId, accountId);
      await createSessionRepository(trx).revokeInWorkspace(accountId, uniqueId, runtime.clock.now());
    });

  const removeAccount = (actor: Person): Promise<void> =>
    audit.change(actor, eventOf('deleted their account', actor.accountId), async (trx) => {
      const { accountId } = actor;
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
      ? removeAccount(actor)
      : removeFromWorkspace(actor, actor.workspace, target.id));
  };
};

import type { GroupMembership, GroupSummary } from '@redoubt/contract';
import { hasPermission, type Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { textListSubquery } from '../../platform/db/text-list-subquery.ts';
import { visibleGroups } from './visible-groups.repository.ts';

type GroupMember = NonNullable<GroupMembership['user']>;

export interface MembershipPopulationRepository {
  /** Returns people of the workspace by id. Email addresses are null, except the actor's own, and for user managers. */
  people(actor: Member, ids: readonly string[]): Promise<Map<string, GroupMember>>;
  /** Returns the groups that the actor may see, by id. */
  groups(actor: Member, ids: readonly string[]): Promise<Map<string, GroupSummary>>;
}

export const createMembershipPopulationRepository = (db: Db): MembershipPopulationRepository => ({
  people: async (actor, ids) => {
    const rows = await db
      .selectFrom('accounts')
      .innerJoin('memberships', 'memberships.account_id', 'accounts.id')
      .where('memberships.workspace_uid', '=', actor.workspace.uniqueId)
      .where('accounts.id', 'in', textListSubquery(ids))
      .select([
        'accounts.id',
        'accounts.email',
        'accounts.first_name as firstName',
        'accounts.last_name as lastName',
      ])
      .execute();
    return new Map(
      rows.map(({ email, ...person }) => {
        const isEmailVisible = hasPermission(actor, 'manage-users') || person.id === actor.accountId;
        return [person.id, { ...person, email: isEmailVisible ? email : null }];
      }),
    );
  },
  groups: async (actor, ids) => {
    const rows = await visibleGroups(db, actor).where('groups.id', 'in', textListSubquery(ids)).execute();
    return new Map(rows.map((group) => [group.id, group]));
  },
});

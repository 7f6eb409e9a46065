import type { GroupRole } from '@redoubt/contract';
import { sql } from 'kysely';

/** The columns of a group membership as the API names them. */
export const membershipColumns = () => ({
  id: sql.ref<string>('group_memberships.id'),
  groupId: sql.ref<string>('group_memberships.group_id'),
  userId: sql.ref<string | null>('group_memberships.account_id'),
  childGroupId: sql.ref<string | null>('group_memberships.child_group_id'),
  role: sql.ref<GroupRole>('group_memberships.role'),
});

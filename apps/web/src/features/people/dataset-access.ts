import type { DatasetAction, DatasetPermission, GroupMembership } from '@redoubt/contract';
import { membersOf } from './members-of.ts';

export const datasetActions: readonly { value: DatasetAction; text: string }[] = [
  { value: 'read', text: 'read' },
  { value: 'write', text: 'write' },
  { value: 'manage', text: 'manage' },
];

export const toDatasetAction = (text: string): DatasetAction =>
  datasetActions.find(({ value }) => value === text)?.value ?? 'read';

/** The rights of a person on a dataset, and the groups that give them. */
export interface PersonAccess {
  userId: string;
  actions: ReadonlySet<DatasetAction>;
  groupIds: ReadonlySet<string>;
}

/** The people who have rights through groups. People in groups whose memberships are hidden are missing. */
export const peopleWithAccess = (
  permissions: readonly DatasetPermission[],
  memberships: readonly GroupMembership[],
): readonly PersonAccess[] => {
  const people = new Map<string, { actions: Set<DatasetAction>; groupIds: Set<string> }>();
  for (const { action, groupId } of permissions) {
    for (const userId of membersOf(groupId, memberships)) {
      const access = people.get(userId) ?? { actions: new Set(), groupIds: new Set() };
      access.actions.add(action);
      access.groupIds.add(groupId);
      people.set(userId, access);
    }
  }
  return [...people].map(([userId, access]) => ({ userId, ...access }));
};

/** The rights as a text. Manage includes the others. */
export const describeActions = (actions: ReadonlySet<DatasetAction>): string =>
  actions.has('manage')
    ? 'manage'
    : datasetActions
        .map(({ value }) => value)
        .filter((action) => actions.has(action))
        .join(', ');

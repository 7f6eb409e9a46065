/* Shows: A-console-access */
import type { GroupMembership } from '@redoubt/contract';
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { describeActions, peopleWithAccess } from './dataset-access.ts';

const member = (groupId: string, userId: string | null, childGroupId: string | null = null) =>
  ({ id: `${groupId}-${userId ?? childGroupId ?? ''}`, groupId, userId, childGroupId }) as GroupMembership;
const grant = (groupId: string, action: 'read' | 'write' | 'manage') => ({
  id: `${groupId}-${action}`,
  datasetId: 'd',
  groupId,
  action,
});

test('people have access through all their groups and those above them, and groups without visible members add nobody', () => {
  const memberships = [member('readers', 'ada'), member('readers', null, 'crew'), member('crew', 'ben')];
  const people = peopleWithAccess(
    [grant('readers', 'read'), grant('crew', 'write'), grant('hidden', 'manage')],
    memberships,
  );
  deepEqual(
    people.map(({ userId, actions, groupIds }) => [userId, describeActions(actions), [...groupIds]]),
    [
      ['ada', 'read', ['readers']],
      ['ben', 'read, write', ['readers', 'crew']],
    ],
  );
  equal(describeActions(new Set(['read', 'manage'])), 'manage');
});

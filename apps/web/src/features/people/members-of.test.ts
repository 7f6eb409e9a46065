import type { GroupMembership } from '@redoubt/contract';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membersOf } from './members-of.ts';

const member = (groupId: string, userId: string | null, childGroupId: string | null): GroupMembership => ({
  id: `${groupId}-${userId ?? childGroupId ?? ''}`,
  groupId,
  userId,
  childGroupId,
  role: 'member',
});

test('the people of a group include those of child groups, each once, and circles end', () => {
  const memberships = [
    member('a', 'ada', null),
    member('a', null, 'b'),
    member('b', 'ben', null),
    member('b', 'ada', null),
    member('b', null, 'a'),
    member('c', 'eve', null),
  ];
  assert.deepEqual([...membersOf('a', memberships)].toSorted(), ['ada', 'ben']);
  assert.deepEqual([...membersOf('c', memberships)], ['eve']);
});

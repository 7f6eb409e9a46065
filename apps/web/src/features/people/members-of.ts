import type { GroupMembership } from '@redoubt/contract';

/** The ids of all people in a group, including those in its child groups at any depth. */
export const membersOf = (groupId: string, memberships: readonly GroupMembership[]): ReadonlySet<string> => {
  const people = new Set<string>();
  const seen = new Set<string>();
  const waiting = [groupId];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    for (const membership of memberships) {
      if (membership.groupId !== id) continue;
      if (membership.userId !== null) people.add(membership.userId);
      if (membership.childGroupId !== null) waiting.push(membership.childGroupId);
    }
  }
  return people;
};

import type { GroupMembership } from '@redoubt/contract';
import type { Member } from '../../platform/auth/actor.ts';
import type { MembershipRow } from './group-membership.repository.ts';
import type { MembershipPopulationRepository } from './membership-population.repository.ts';

/** Which objects are added to a membership. */
export interface PopulateFlags {
  user?: boolean;
  group?: boolean;
  subGroup?: boolean;
}

export type PopulateMemberships = (
  actor: Member,
  rows: readonly MembershipRow[],
  flags: PopulateFlags,
) => Promise<GroupMembership[]>;

const uniqueIds = (ids: readonly (string | null)[]): string[] => [
  ...new Set(ids.filter((id) => id !== null)),
];

/** Adds the user, group and child group of each membership. An object that the actor may not see is null. */
export const createPopulateMemberships =
  (repository: MembershipPopulationRepository): PopulateMemberships =>
  async (actor, rows, flags) => {
    const people =
      flags.user && (await repository.people(actor, uniqueIds(rows.map(({ userId }) => userId))));
    const groupIds = [
      ...(flags.group ? rows.map(({ groupId }) => groupId) : []),
      ...(flags.subGroup ? rows.map(({ childGroupId }) => childGroupId) : []),
    ];
    const groups = groupIds.length > 0 && (await repository.groups(actor, uniqueIds(groupIds)));
    return rows.map((row) => {
      const membership: GroupMembership = { ...row };
      if (people) membership.user = people.get(row.userId ?? '') ?? null;
      if (flags.subGroup && groups) membership.subGroup = groups.get(row.childGroupId ?? '') ?? null;
      const group = flags.group && groups ? groups.get(row.groupId) : undefined;
      return group === undefined ? membership : { ...membership, group };
    });
  };

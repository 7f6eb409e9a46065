import { routes, type groupMembershipRoutes, type groupRoutes } from '@redoubt/contract';
import { listBriefRequests, listRequests, requests, type Case } from '../case.ts';
import type { Scenario } from '../scenario.ts';
import { as, query } from '@redoubt/testkit/requests';

/** Groups without the reader. The last one was renamed, and is a member of a group that the reader is in, too. */
const unseen = ({ hidden, groups }: Scenario): string[] => [
  hidden.group,
  hidden.foreignGroup,
  'nowhere-at-all',
  groups.closed,
];
const strangers = ({ people: { reader, outsider } }: Scenario) => [reader, outsider];
const flagSets = [
  {},
  { user: true },
  { group: true },
  { subGroup: true },
  { user: true, group: true, subGroup: true },
];

export const groupCases: Record<keyof typeof groupRoutes, Case> = {
  listGroups: requests(({ people: { reader, admin, outsider, workspace }, groups, hidden }) => [
    ...listRequests(routes.listGroups, reader, {
      id: [hidden.group, groups.closed],
      name: ['A cabal 0', 'Closed', 'A closed circle', 'Readers'],
      workspaceId: [hidden.workspace.id, workspace.id],
      userId: [admin.id, hidden.hider.id],
      memberCount: [2, 3],
    }),
    ...listRequests(routes.listGroups, reader, {}, { groupMemberships: true }),
    ...listRequests(routes.listGroups, reader, { name: ['Parent'] }, { validSubGroups: groups.club }),
    ...[groups.closed, hidden.group, groups.parent, groups.readers, 'nowhere-at-all'].map((validSubGroups) =>
      as(reader).get(`/groups${query({ validSubGroups, $limit: -1 })}`),
    ),
    ...listBriefRequests(routes.listGroups, outsider, { id: [hidden.group, groups.readers] }),
  ]),
  getGroup: requests((scenario) => [
    ...strangers(scenario).flatMap((person) => unseen(scenario).map((id) => as(person).get(`/groups/${id}`))),
    ...['readers', 'parent', 'club'].map((name) =>
      as(scenario.people.reader).get(
        `/groups/${scenario.groups[name as keyof Scenario['groups']]}?groupMemberships=true`,
      ),
    ),
  ]),
  createGroup: requests(({ people: { reader, outsider, admin, workspace }, hidden }) => [
    as(reader).post('/groups', { name: 'Mine', workspaceId: hidden.workspace.id }),
    as(reader).post('/groups', { name: 'Mine', workspaceId: workspace.id, userId: admin.id }),
    as(reader).post('/groups', { name: 'Mine', workspaceId: workspace.id }),
    as(outsider).post('/groups', { name: 'A cabal 0', workspaceId: 'elsewhere' }),
  ]),
  patchGroup: requests((scenario) => [
    ...strangers(scenario).flatMap((person) =>
      unseen(scenario).map((id) => as(person).patch(`/groups/${id}`, { name: 'Taken over' })),
    ),
    as(scenario.people.reader).patch(`/groups/${scenario.groups.club}`, { name: 'The club' }),
    as(scenario.people.reader).patch(`/groups/${scenario.groups.parent}`, { name: 'Taken over' }),
  ]),
  deleteGroup: requests((scenario) => [
    ...strangers(scenario).flatMap((person) =>
      unseen(scenario).map((id) => as(person).remove(`/groups/${id}`)),
    ),
    as(scenario.people.reader).remove(`/groups/${scenario.groups.club}`),
    as(scenario.people.reader).get('/groups?groupMemberships=true'),
    as(scenario.people.reader).get('/datasets?$limit=-1'),
  ]),
};

export const groupMembershipCases: Record<keyof typeof groupMembershipRoutes, Case> = {
  listGroupMemberships: requests(({ people, groups, memberships, hidden }) => [
    ...listRequests(routes.listGroupMemberships, people.reader, {
      id: [hidden.membership, memberships.writer],
      groupId: [hidden.group, groups.closed, groups.parent],
      userId: [people.bystander.id, people.insider.id],
      childGroupId: [groups.closed, groups.readers, hidden.group],
      role: ['admin'],
      workspaceId: [hidden.workspace.id, people.workspace.id],
    }),
    ...flagSets.map((flags) =>
      as(people.reader).get(`/groups-memberships${query({ ...flags, $limit: -1 })}`),
    ),
    ...listBriefRequests(routes.listGroupMemberships, people.outsider, {
      groupId: [hidden.group, groups.readers],
    }),
  ]),
  getGroupMembership: requests((scenario) => [
    ...strangers(scenario).flatMap((person) =>
      [scenario.hidden.membership, scenario.memberships.writer].map((id) =>
        as(person).get(`/group-memberships/${id}`),
      ),
    ),
    ...flagSets.map((flags) =>
      as(scenario.people.reader).get(
        `/group-memberships/${scenario.memberships.nestedClosed}${query(flags)}`,
      ),
    ),
  ]),
  createGroupMembership: requests(({ people: { reader, bystander, outsider }, groups, hidden }) =>
    [
      { groupId: hidden.group, userId: reader.id },
      { groupId: groups.closed, userId: reader.id },
      { groupId: groups.parent, userId: reader.id },
      { groupId: groups.club, childGroupId: hidden.group },
      { groupId: groups.club, childGroupId: groups.closed },
      { groupId: groups.club, childGroupId: groups.parent },
      { groupId: groups.club, childGroupId: groups.club },
      { groupId: groups.club, userId: hidden.hider.id },
      { groupId: groups.club, userId: outsider.id },
      { groupId: groups.club, userId: bystander.id },
    ].map((body) => as(reader).post('/group-memberships', { ...body, role: 'member' })),
  ),
  patchGroupMembership: requests((scenario) => [
    ...strangers(scenario).flatMap((person) =>
      [scenario.hidden.membership, scenario.memberships.writer, scenario.memberships.reader].map((id) =>
        as(person).patch(`/group-memberships/${id}`, { role: 'admin' }),
      ),
    ),
    as(scenario.people.admin).patch(`/group-memberships/${scenario.memberships.nestedReaders}`, {
      role: 'admin',
    }),
    as(scenario.people.reader).patch(`/group-memberships/${scenario.memberships.nestedClosed}`, {
      role: 'admin',
    }),
    as(scenario.people.reader).get('/group-memberships?subGroup=true&$limit=-1'),
  ]),
  deleteGroupMembership: requests((scenario) => [
    ...strangers(scenario).flatMap((person) =>
      [scenario.hidden.membership, scenario.memberships.writer].map((id) =>
        as(person).remove(`/group-memberships/${id}`),
      ),
    ),
    as(scenario.people.admin).remove(`/group-memberships/${scenario.memberships.nestedClosed}`),
    as(scenario.people.reader).get('/group-memberships?$limit=-1'),
  ]),
};

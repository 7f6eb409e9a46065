import { routes, type datasetPermissionRoutes, type datasetRoutes } from '@redoubt/contract';
import { listBriefRequests, listRequests, requests, type Case } from '../case.ts';
import type { Scenario } from '../scenario.ts';
import { as, type Request } from '@redoubt/testkit/requests';

const unseen = ({ hidden }: Scenario): string[] => [hidden.dataset, hidden.foreignDataset, 'nowhere-at-all'];
const unseenPermissions = ({ hidden, permissions }: Scenario): string[] => [
  hidden.permission,
  hidden.foreignPermission,
  permissions.closedReadsShared,
];
const strangers = ({ people: { reader, outsider } }: Scenario) => [reader, outsider];

/**
 * Requests of the admin for each dataset of both worlds. The admin sees all datasets, but not their labelled records.
 */
const byAdmin = ({ people, datasets }: Scenario): Request[] =>
  Object.values(datasets).map((id) => as(people.admin).get(`/datasets/${id}`));

export const datasetCases: Record<keyof typeof datasetRoutes, Case> = {
  listDatasets: requests(({ people: { reader, writer, admin, insider, outsider, workspace }, hidden }) => [
    ...listRequests(routes.listDatasets, reader, {
      id: [hidden.dataset, hidden.foreignDataset],
      name: ['Shared', 'Hidden 1'],
      recordCount: [0, 3, 50, 320, 1000],
      description: ['What Shared is about'],
      searchAnyField: ['false'],
      userId: [admin.id, insider.id],
      workspaceId: [hidden.workspace.id, workspace.id],
    }),
    ...listBriefRequests(routes.listDatasets, writer, { recordCount: [0, 50] }),
    ...listBriefRequests(routes.listDatasets, outsider, { id: [hidden.dataset], recordCount: [0] }),
  ]),
  getDataset: requests((scenario) => [
    ...strangers(scenario).flatMap((person) =>
      unseen(scenario).map((id) => as(person).get(`/datasets/${id}`)),
    ),
    ...[scenario.people.reader, scenario.people.writer].flatMap((person) =>
      Object.values(scenario.datasets).map((id) => as(person).get(`/datasets/${id}`)),
    ),
    ...byAdmin(scenario),
  ]),
  createDataset: requests(({ people: { reader, insider, workspace }, hidden }) => [
    as(reader).post('/datasets', { name: 'Shared', workspaceId: hidden.workspace.id }),
    as(reader).post('/datasets', { name: 'Shared', workspaceId: workspace.id, userId: insider.id }),
    as(reader).post('/datasets', {
      name: 'Hidden 1',
      workspaceId: workspace.id,
      recordCount: 7,
      schema: '{}',
    }),
    as(reader).get('/datasets?$limit=-1'),
  ]),
  patchDataset: requests((scenario) => [
    ...strangers(scenario).flatMap((person) =>
      unseen(scenario).map((id) => as(person).patch(`/datasets/${id}`, { name: 'Taken over' })),
    ),
    as(scenario.people.reader).patch(`/datasets/${scenario.datasets.shared}`, { name: 'Taken over' }),
    as(scenario.people.reader).patch(`/datasets/${scenario.datasets.mine}`, { description: 'Changed' }),
    as(scenario.people.admin).patch(`/datasets/${scenario.datasets.shared}`, { description: 'Changed' }),
  ]),
  deleteDataset: requests((scenario) => [
    ...strangers(scenario).flatMap((person) =>
      unseen(scenario).map((id) => as(person).remove(`/datasets/${id}`)),
    ),
    as(scenario.people.reader).remove(`/datasets/${scenario.datasets.shared}`),
    as(scenario.people.reader).remove(`/datasets/${scenario.datasets.mine}`),
    as(scenario.people.reader).get(`/datasets/${scenario.datasets.mine}`),
    as(scenario.people.admin).remove(`/datasets/${scenario.datasets.empty}`),
    as(scenario.people.reader).get('/datasets?$limit=-1&$sort[recordCount]=-1'),
  ]),
};

export const datasetPermissionCases: Record<keyof typeof datasetPermissionRoutes, Case> = {
  listDatasetPermissions: requests(({ people: { reader, outsider }, datasets, groups, hidden }) => [
    ...listRequests(routes.listDatasetPermissions, reader, {
      id: [hidden.permission],
      action: ['manage', 'read'],
      datasetId: [hidden.dataset, datasets.shared, datasets.mine],
      groupId: [hidden.group, groups.closed, groups.readers],
    }),
    ...listBriefRequests(routes.listDatasetPermissions, outsider, {
      datasetId: [hidden.dataset, datasets.shared],
    }),
  ]),
  getDatasetPermission: requests((scenario) => [
    ...strangers(scenario).flatMap((person) =>
      unseenPermissions(scenario).map((id) => as(person).get(`/dataset-permissions/${id}`)),
    ),
    as(scenario.people.reader).get(`/dataset-permissions/${scenario.permissions.readShared}`),
  ]),
  createDatasetPermission: requests(({ people: { reader, outsider }, datasets, groups, hidden }) => [
    ...[
      { action: 'read', datasetId: hidden.dataset, groupId: groups.readers },
      { action: 'read', datasetId: datasets.shared, groupId: groups.club },
      { action: 'read', datasetId: datasets.mine, groupId: hidden.group },
      { action: 'read', datasetId: datasets.mine, groupId: groups.closed },
      { action: 'read', datasetId: datasets.mine, groupId: hidden.foreignGroup },
      { action: 'read', datasetId: datasets.mine, groupId: groups.readers },
    ].map((body) => as(reader).post('/dataset-permissions', body)),
    as(outsider).post('/dataset-permissions', {
      action: 'read',
      datasetId: hidden.dataset,
      groupId: hidden.group,
    }),
  ]),
  patchDatasetPermission: requests((scenario) => [
    ...strangers(scenario).flatMap((person) =>
      unseenPermissions(scenario).map((id) =>
        as(person).patch(`/dataset-permissions/${id}`, { action: 'manage' }),
      ),
    ),
    as(scenario.people.reader).patch(`/dataset-permissions/${scenario.permissions.readShared}`, {
      action: 'manage',
    }),
    as(scenario.people.admin).patch(`/dataset-permissions/${scenario.permissions.readShared}`, {
      action: 'read',
      groupId: scenario.groups.readers,
    }),
  ]),
  deleteDatasetPermission: requests((scenario) => [
    ...strangers(scenario).flatMap((person) =>
      unseenPermissions(scenario).map((id) => as(person).remove(`/dataset-permissions/${id}`)),
    ),
    as(scenario.people.admin).remove(`/dataset-permissions/${scenario.permissions.readMany}`),
    as(scenario.people.reader).get(`/datasets/${scenario.datasets.many}`),
    as(scenario.people.reader).get('/dataset-permissions?$limit=-1'),
  ]),
};

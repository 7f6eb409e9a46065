import { routes, type transferRequestRoutes, type workspacePermissionRoutes } from '@redoubt/contract';
import { listBriefRequests, listRequests, requests, type Case } from '../case.ts';
import type { Scenario } from '../scenario.ts';
import { as, bodyOf } from '@redoubt/testkit/requests';

const assignmentsPath = '/workspace-permissions-assignments';
const transfersPath = '/transfer-resource-requests';

const assignmentOf = (workspaceId: string, userId: string, code: string) => ({
  workspacePermissionsId: code,
  workspacePermissionsCode: code,
  userId,
  workspaceId,
});

const transferOf = (resourceId: string, recipientUserId: string) => ({
  resourceId,
  resourceType: 'dataset',
  recipientUserId,
});

/** Requesters who cannot see the hidden objects: one in the workspace, and one in another. */
const strangers = ({ people: { reader, outsider } }: Scenario) => [reader, outsider];

export const workspacePermissionCases: Record<keyof typeof workspacePermissionRoutes, Case> = {
  listWorkspacePermissions: requests(({ people: { reader } }) => [
    as(reader).get('/workspace-permissions'),
    as(reader).get('/workspace-permissions?code=manage-groups'),
  ]),
  listWorkspacePermissionAssignments: requests(
    ({ people: { reader, outsider, bystander, workspace }, hidden }) => [
      ...listRequests(routes.listWorkspacePermissionAssignments, reader, {
        id: [hidden.permissionAssignment],
        userId: [bystander.id, hidden.hider.id],
        workspaceId: [hidden.workspace.id, workspace.id],
        workspacePermissionsId: ['manage-groups'],
        workspacePermissionsCode: ['manage-groups', 'manage-users'],
      }),
      ...listBriefRequests(routes.listWorkspacePermissionAssignments, outsider, { userId: [bystander.id] }),
    ],
  ),
  createWorkspacePermissionAssignment: requests((scenario) => [
    ...strangers(scenario).flatMap((person) =>
      [scenario.people.bystander.id, scenario.hidden.hider.id, person.id].map((userId) =>
        as(person).post(assignmentsPath, assignmentOf(scenario.people.workspace.id, userId, 'manage-groups')),
      ),
    ),
    as(scenario.people.admin).post(
      assignmentsPath,
      assignmentOf(scenario.people.workspace.id, scenario.hidden.hider.id, 'manage-groups'),
    ),
    as(scenario.people.admin).post(
      assignmentsPath,
      assignmentOf(scenario.people.workspace.id, scenario.people.writer.id, 'manage-billing'),
    ),
  ]),
  getWorkspacePermissionAssignment: async (send, scenario) => {
    const { reader, admin, workspace } = scenario.people;
    for (const person of strangers(scenario)) {
      for (const id of [scenario.hidden.permissionAssignment, 'nowhere-at-all']) {
        await send(as(person).get(`${assignmentsPath}/${id}`));
      }
    }
    const given = await send(
      as(admin).post(assignmentsPath, assignmentOf(workspace.id, reader.id, 'manage-billing')),
    );
    const { id } = bodyOf(given) as { id: string };
    await send(as(reader).get(`${assignmentsPath}/${id}`));
    await send(as(reader).get(assignmentsPath));
    await send(as(reader).remove(`${assignmentsPath}/${id}`));
  },
  deleteWorkspacePermissionAssignment: async (send, scenario) => {
    const { reader, admin, workspace } = scenario.people;
    for (const person of strangers(scenario)) {
      await send(as(person).remove(`${assignmentsPath}/${scenario.hidden.permissionAssignment}`));
    }
    const given = await send(
      as(admin).post(assignmentsPath, assignmentOf(workspace.id, reader.id, 'manage-audit-log')),
    );
    const { id } = bodyOf(given) as { id: string };
    await send(as(reader).remove(`${assignmentsPath}/${id}`));
    await send(as(reader).get(assignmentsPath));
  },
};

export const transferRequestCases: Record<keyof typeof transferRequestRoutes, Case> = {
  listTransferResourceRequests: requests(({ people: { reader, outsider, bystander, insider }, hidden }) => [
    ...listRequests(routes.listTransferResourceRequests, reader, {
      id: [hidden.transferRequest],
      resourceId: [hidden.dataset],
      resourceType: ['dataset'],
      recipientUserId: [bystander.id],
      status: ['pending'],
      userId: [insider.id],
    }),
    ...listBriefRequests(routes.listTransferResourceRequests, outsider, { resourceId: [hidden.dataset] }),
  ]),
  createTransferResourceRequest: async (send, scenario) => {
    const { reader, writer } = scenario.people;
    const { shared, mine } = scenario.datasets;
    for (const person of strangers(scenario)) {
      for (const id of [scenario.hidden.dataset, scenario.hidden.foreignDataset, shared]) {
        await send(as(person).post(transfersPath, transferOf(id, writer.id)));
      }
    }
    await send(as(reader).post(transfersPath, transferOf(mine, scenario.hidden.hider.id)));
    const made = await send(as(reader).post(transfersPath, transferOf(mine, writer.id)));
    const { id } = bodyOf(made) as { id: string };
    await send(as(reader).patch(`${transfersPath}/${id}`, { status: 'revoked' }));
  },
  getTransferResourceRequest: async (send, scenario) => {
    const { reader, insider } = scenario.people;
    for (const person of strangers(scenario)) {
      for (const id of [scenario.hidden.transferRequest, 'nowhere-at-all']) {
        await send(as(person).get(`${transfersPath}/${id}`));
      }
    }
    const made = await send(as(reader).post(transfersPath, transferOf(scenario.datasets.mine, insider.id)));
    const { id } = bodyOf(made) as { id: string };
    await send(as(reader).get(`${transfersPath}/${id}`));
    await send(as(reader).get(transfersPath));
    await send(as(reader).patch(`${transfersPath}/${id}`, { status: 'revoked' }));
  },
  patchTransferResourceRequest: async (send, scenario) => {
    const { reader, insider } = scenario.people;
    for (const person of strangers(scenario)) {
      for (const status of ['accepted', 'declined', 'revoked']) {
        await send(as(person).patch(`${transfersPath}/${scenario.hidden.transferRequest}`, { status }));
      }
    }
    const given = await send(
      as(reader).post('/datasets', { name: 'Given away', workspaceId: scenario.people.workspace.id }),
    );
    const { id: datasetId } = bodyOf(given) as { id: string };
    const made = await send(as(reader).post(transfersPath, transferOf(datasetId, insider.id)));
    const { id } = bodyOf(made) as { id: string };
    await send(as(reader).patch(`${transfersPath}/${id}`, { status: 'accepted' }));
    await send(as(insider).patch(`${transfersPath}/${id}`, { status: 'accepted' }));
    await send(as(reader).patch(`${transfersPath}/${id}`, { status: 'revoked' }));
    await send(as(reader).get(`/datasets/${datasetId}`));
  },
};

import { routes, type workspaceRoutes } from '@redoubt/contract';
import { listBriefRequests, listRequests, requests, type Case } from '../case.ts';
import { signInRequest } from '@redoubt/testkit/requests';
import { as, bodyOf } from '@redoubt/testkit/requests';

export const workspaceCases: Record<keyof typeof workspaceRoutes, Case> = {
  listWorkspaces: requests(({ people, hidden }) => {
    const aims = {
      id: [hidden.workspace.id],
      uniqueId: [hidden.workspace.uniqueId],
      name: ['The undisclosed'],
      userId: [hidden.hider.id],
    };
    return [
      ...listRequests(routes.listWorkspaces, people.reader, aims),
      ...[people.admin, people.loner].flatMap((person) =>
        listBriefRequests(routes.listWorkspaces, person, aims),
      ),
    ];
  }),
  getWorkspace: requests(({ people, hidden }) =>
    [people.reader, people.admin, people.loner].flatMap((person) =>
      [hidden.workspace.id, hidden.workspace.uniqueId, people.workspace.id, 'nowhere-at-all'].map((id) =>
        as(person).get(`/workspaces/${id}`),
      ),
    ),
  ),
  createWorkspace: requests(({ people: { reader, admin }, hidden }) => [
    as(reader).post('/workspaces', { name: 'Mine', id: 'mine', userId: hidden.hider.id }),
    as(reader).post('/workspaces', { name: 'Mine', id: 'mine' }),
    as(reader).post('/workspaces', { name: 'Mine again', id: 'mine-again' }),
    as(admin).post('/workspaces', { name: 'Another', id: 'another' }),
    as(reader).get('/workspaces?$limit=-1'),
  ]),
  updateWorkspace: requests(({ people: { reader, admin, workspace }, hidden }) => [
    ...[reader, admin].flatMap((person) => [
      as(person).patch(`/workspaces/${hidden.workspace.id}`, { name: 'Taken over' }),
      as(person).patch(`/workspaces/${hidden.workspace.uniqueId}`, { name: 'Taken over' }),
    ]),
    as(reader).patch(`/workspaces/${workspace.id}`, { name: 'Taken over' }),
    as(admin).patch(`/workspaces/${workspace.id}`, { name: 'The open house, renamed' }),
    as(reader).get(`/workspaces/${workspace.id}`),
  ]),
  deleteWorkspace: async (send, { people: { reader, admin, workspace }, hidden }) => {
    for (const person of [reader, admin]) {
      await send(as(person).remove(`/workspaces/${hidden.workspace.id}`));
    }
    await send(as(reader).remove(`/workspaces/${workspace.id}`));
    const { accessToken: token } = bodyOf(await send(signInRequest(reader, 'mine'))) as {
      accessToken: string;
    };
    await send(as({ token }).remove('/workspaces/mine'));
    await send(as(reader).get('/workspaces'));
  },
};

import { routes, type connectionPermissionRoutes, type connectionRoutes } from '@redoubt/contract';
import { as, bodyOf, type Person, type Request, type SendToBoth } from '@redoubt/testkit/requests';
import { listRequests, requests, type Case } from '../case.ts';
import type { Scenario } from '../scenario.ts';

const path = '/connections';

/** Requests about connections of others, which are hidden from the reader and from the admin of another workspace. */
const aboutHidden = (
  { people: { reader, outsider }, hidden }: Scenario,
  request: (person: Person, id: string) => Request,
): Request[] =>
  [reader, outsider].flatMap((person) =>
    [hidden.connection, 'nowhere-at-all'].map((id) => request(person, id)),
  );

const bucket = { endpoint: 'http://127.0.0.1:1', region: 'us-east-1', bucket: 'mine' };

/** Creates a connection of the reader. Returns its id. */
const createOwn = async (send: SendToBoth, { people }: Scenario, more: object = {}): Promise<string> => {
  const { reader, workspace } = people;
  const body = { workspaceId: workspace.id, name: 'Mine', type: 'S3', connectionInfo: bucket, ...more };
  return (bodyOf(await send(as(reader).post(path, body))) as { id: string }).id;
};

const lookAtOwn = async (send: SendToBoth, { people: { reader } }: Scenario, id: string): Promise<void> => {
  await send(as(reader).get(`${path}/${id}`));
  await send(as(reader).get(`${path}?$limit=-1`));
};

export const connectionCases: Record<keyof typeof connectionRoutes, Case> = {
  listConnections: async (send, scenario) => {
    await createOwn(send, scenario);
    const { people, hidden } = scenario;
    const aims = { id: [hidden.connection, 'none'], name: ['A hidden bucket 0', 'Mine'], type: ['S3'] };
    for (const request of listRequests(routes.listConnections, people.reader, aims)) await send(request);
    await send(as(people.outsider).get(`${path}?$limit=-1`));
  },
  createConnection: async (send, scenario) => {
    const { hidden, people } = scenario;
    for (const more of [
      {},
      { name: 'A hidden bucket 0' },
      { workspaceId: hidden.workspace.id },
      { minimumLabel: 'H5&SECRET' },
      { minimumLabel: 'A&' },
      { type: 'KAFKA' },
      { allowed: { tables: ['a.b'] } },
    ])
      await createOwn(send, scenario, more);
    await send(as(people.reader).get(`${path}?$limit=-1`));
  },
  getConnection: async (send, scenario) => {
    for (const request of aboutHidden(scenario, (person, id) => as(person).get(`${path}/${id}`)))
      await send(request);
    await lookAtOwn(send, scenario, await createOwn(send, scenario, { minimumLabel: 'SECRET' }));
  },
  patchConnection: async (send, scenario) => {
    const change = { name: 'mine', minimumLabel: 'H5' };
    for (const request of aboutHidden(scenario, (person, id) => as(person).patch(`${path}/${id}`, change)))
      await send(request);
    const own = await createOwn(send, scenario);
    for (const minimumLabel of ['ALPHA', 'SECRET', null])
      await send(as(scenario.people.reader).patch(`${path}/${own}`, { minimumLabel }));
    await lookAtOwn(send, scenario, own);
  },
  deleteConnection: async (send, scenario) => {
    for (const request of aboutHidden(scenario, (person, id) => as(person).remove(`${path}/${id}`)))
      await send(request);
    const own = await createOwn(send, scenario);
    await send(as(scenario.people.reader).remove(`${path}/${own}`));
    await lookAtOwn(send, scenario, own);
  },
  testConnection: async (send, scenario) => {
    for (const request of aboutHidden(scenario, (person, id) => as(person).post(`${path}/${id}/test`, {})))
      await send(request);
    const own = await createOwn(send, scenario);
    await send(as(scenario.people.reader).post(`${path}/${own}/test`, {}));
    await lookAtOwn(send, scenario, own);
  },
};

const permissionPath = '/connection-permissions';

const aboutHiddenPermissions = (
  { people: { reader, outsider }, hidden }: Scenario,
  request: (person: Person, target: string) => Request,
): Request[] =>
  [reader, outsider].flatMap((person) =>
    [hidden.connectionPermission, 'none'].map((id) => request(person, `${permissionPath}/${id}`)),
  );

/** Shares a connection of the reader with a group. Returns the path of the grant. */
const shareOwn = async (send: SendToBoth, scenario: Scenario): Promise<string> => {
  const { people, groups } = scenario;
  const connectionId = await createOwn(send, scenario);
  const body = { action: 'use', connectionId, groupId: groups.readers };
  const { id } = bodyOf(await send(as(people.reader).post(permissionPath, body))) as { id: string };
  return `${permissionPath}/${id}`;
};

export const connectionPermissionCases: Record<keyof typeof connectionPermissionRoutes, Case> = {
  listConnectionPermissions: requests(({ people: { reader, outsider }, hidden }) => [
    ...listRequests(routes.listConnectionPermissions, reader, {
      id: [hidden.connectionPermission, 'none'],
      connectionId: [hidden.connection],
      groupId: [hidden.group],
      action: ['use', 'manage'],
    }),
    as(outsider).get(`${permissionPath}?$limit=-1`),
  ]),
  createConnectionPermission: async (send, scenario) => {
    const { people, groups, hidden } = scenario;
    const own = await createOwn(send, scenario);
    for (const connectionId of [own, hidden.connection, 'nowhere-at-all']) {
      for (const groupId of [groups.readers, hidden.group, 'nowhere-at-all'])
        await send(as(people.reader).post(permissionPath, { action: 'use', connectionId, groupId }));
    }
    await send(as(people.reader).get(`${permissionPath}?$limit=-1`));
  },
  getConnectionPermission: async (send, scenario) => {
    for (const request of aboutHiddenPermissions(scenario, (person, id) => as(person).get(id)))
      await send(request);
    await send(as(scenario.people.reader).get(await shareOwn(send, scenario)));
  },
  deleteConnectionPermission: async (send, scenario) => {
    for (const request of aboutHiddenPermissions(scenario, (person, id) => as(person).remove(id)))
      await send(request);
    await send(as(scenario.people.reader).remove(await shareOwn(send, scenario)));
    await send(as(scenario.people.reader).get(`${permissionPath}?$limit=-1`));
  },
};

import { permissionCodes } from '@redoubt/contract';
import { applicationToken } from '@redoubt/testkit/requests';
import { createAccessMakers } from '@redoubt/testkit/requests';
import { addMember, createWorkspace, signUp, type Person } from '@redoubt/testkit/requests';
import { as, done, type Request, type Send } from '@redoubt/testkit/requests';

/** A requester: a person, a visitor without credentials, or a program that acts for a person. */
export interface TestActor extends Person {
  name: string;
  /** An API key, sent instead of a token. */
  key?: string;
}

/** Adds the credential of a requester to a request. */
export const from = ({ token, key }: Pick<TestActor, 'key' | 'token'>, request: Request): Request => {
  const { token: _token, ...rest } = request;
  if (key !== undefined) return { ...rest, headers: { ...request.headers, 'x-api-key': key } };
  return token === '' ? rest : { ...rest, token };
};

const nobody: TestActor = { name: 'nobody', id: '', email: '', password: '', token: '' };

/** Adds a person to the workspace who has no relation to any object yet. */
export const newPerson = async (
  send: Send,
  admin: Person,
  workspaceId: string,
  name: string,
): Promise<TestActor> => ({ name, ...(await addMember(send, admin, workspaceId, name)) });

/** What `newDataset` needs to create a dataset with its grants. */
interface Arranging {
  arranger: Person;
  owner: Person;
  workspace: { id: string };
  groups: { readers: string; writers: string; managers: string };
}

/** Creates a dataset of the owner with three grants. */
export const newDataset = async (
  { arranger, owner, workspace, groups }: Arranging,
  send: Send,
): Promise<string> => {
  const id = await createAccessMakers(send, owner, workspace.id).dataset('Any');
  const make = createAccessMakers(send, arranger, workspace.id);
  await make.permission('read', id, groups.readers);
  await make.permission('write', id, groups.writers);
  await make.permission('manage', id, groups.managers);
  return id;
};

const givePermission = (send: Send, admin: Person, workspaceId: string, userId: string, code: string) =>
  done(
    send,
    as(admin).post('/workspace-permissions-assignments', {
      workspacePermissionsId: code,
      workspacePermissionsCode: code,
      userId,
      workspaceId,
    }),
  );

/** What `newConnection` needs to create a connection with its grants. */
interface ConnectionArranging extends Pick<Arranging, 'arranger' | 'workspace'> {
  connectionGroups: { users: string; managers: string };
}

/** Creates a connection of the arranger to a port where nothing listens, with two grants. */
export const newConnection = async (
  { arranger, workspace, connectionGroups: { users, managers } }: ConnectionArranging,
  send: Send,
): Promise<string> => {
  const { id } = await done(
    send,
    as(arranger).post('/connections', {
      workspaceId: workspace.id,
      name: 'Any',
      type: 'S3',
      connectionInfo: { endpoint: 'http://127.0.0.1:1', region: 'us-east-1', bucket: 'any' },
    }),
  );
  const make = createAccessMakers(send, arranger, workspace.id);
  await make.connectionPermission('use', id, users);
  await make.connectionPermission('manage', id, managers);
  return id;
};

/** Creates a workspace with a requester of each kind that the access rules distinguish, and another workspace. */
export const buildAccessFixture = async (send: Send) => {
  const arranger = await signUp(send, 'arranger');
  const workspace = await createWorkspace(send, arranger, 'here');
  const foreigner = { name: 'foreigner', ...(await signUp(send, 'foreigner')) };
  const elsewhere = await createWorkspace(send, foreigner, 'elsewhere');
  const add = (name: string) => newPerson(send, arranger, workspace.id, name);
  const make = createAccessMakers(send, arranger, workspace.id);

  const codeHolders: Record<string, TestActor> = {};
  for (const code of permissionCodes) {
    const holder = await add(code);
    codeHolders[code] = holder;
    await givePermission(send, arranger, workspace.id, holder.id, code);
  }
  const [admin, keyHolder] = [await add('admin'), await add('key-holder')];
  for (const { id } of [admin, keyHolder])
    await done(send, as(arranger).patch(`/users/${id}`, { role: 'admin' }));
  const [self, owner, reader, writer] = [
    await add('self'),
    await add('owner'),
    await add('reader'),
    await add('writer'),
  ];
  const [manager, groupAdmin, groupMember] = [
    await add('manager'),
    await add('group-admin'),
    await add('group-member'),
  ];
  const starter = await add('starter');

  const groups = {
    readers: await make.group('Readers'),
    writers: await make.group('Writers'),
    managers: await make.group('Managers'),
    starters: await make.group('Starters'),
    club: await make.group('Club'),
  };
  await make.member(groups.readers, reader);
  await make.member(groups.writers, writer);
  for (const person of [manager, keyHolder]) await make.member(groups.managers, person);
  await make.member(groups.starters, starter);
  await make.member(groups.club, groupAdmin, 'admin');
  for (const person of [groupMember, keyHolder]) await make.member(groups.club, person);

  const [connectionUser, connectionManager] = [await add('connection-user'), await add('connection-manager')];
  const connectionGroups = {
    users: await make.group('Connection users'),
    managers: await make.group('Connection managers'),
  };
  await make.member(connectionGroups.users, connectionUser);
  await make.member(connectionGroups.managers, connectionManager);

  const attribute = await make.attribute('HELD');
  const assignment = await make.assignment(attribute, self);
  const base = { arranger, workspace, groups, connectionGroups, owner };
  const dataset = await newDataset(base, send);
  for (const action of ['read', 'write'] as const) await make.permission(action, dataset, groups.starters);
  await done(send, as(owner).post(`/write/${dataset}`, [{ n: 1, m: 1 }]));
  const { id: index } = await done(send, as(owner).post('/indexes', { datasetId: dataset, fields: ['n'] }));
  /** A dataset with a grant for the group "club". */
  const granted = await newDataset(base, send);
  const grant = await make.permission('read', granted, groups.club);
  const connection = await newConnection(base, send);
  /** A connection with a grant for the group "club". */
  const grantedConnection = await newConnection(base, send);
  const connectionGrant = await make.connectionPermission('use', grantedConnection, groups.club);
  const { key } = await done<{ key: string }>(
    send,
    as(keyHolder).post('/api-keys', {
      name: 'Key',
      workspaceId: workspace.id,
      groupNames: ['Managers', 'Club'],
      attributeNames: [],
    }),
  );
  const tokenOf = (type: 'mls' | 'sls') => applicationToken(send, arranger, workspace.id, admin, type);
  return {
    ...base,
    elsewhere,
    admin,
    self,
    starter,
    groupAdmin,
    attribute,
    assignment,
    dataset,
    index,
    granted,
    grant,
    connection,
    grantedConnection,
    connectionGrant,
    inhabitants: [
      nobody,
      { name: 'no-workspace', ...(await signUp(send, 'no-workspace')) },
      foreigner,
      await add('member'),
      self,
      admin,
      ...Object.values(codeHolders),
      groupAdmin,
      groupMember,
      owner,
      reader,
      writer,
      manager,
      connectionUser,
      connectionManager,
      { ...keyHolder, name: 'key', key },
      { ...admin, name: 'mls', token: await tokenOf('mls') },
      { ...admin, name: 'sls', token: await tokenOf('sls') },
    ] as readonly TestActor[],
  };
};

export type AccessFixture = Awaited<ReturnType<typeof buildAccessFixture>>;

/** Creates a group that contains the club, so the members of the club are in it. */
export const newGroup = async (
  { arranger, workspace, groups, groupAdmin }: AccessFixture,
  send: Send,
  name: string,
): Promise<string> => {
  const make = createAccessMakers(send, arranger, workspace.id);
  const id = await make.group(name);
  await make.child(id, groups.club);
  await make.member(id, groupAdmin, 'admin');
  return id;
};

import { applicationToken } from '@redoubt/testkit/requests';
import { createAccessMakers } from '@redoubt/testkit/requests';
import { createWorkspace, signInRequest, signUp, type Person } from '@redoubt/testkit/requests';
import { providerConfig } from '@redoubt/testkit/requests';
import type { VisibleWorld } from './visible-world.ts';
import { as, done, type Send } from '@redoubt/testkit/requests';

const times = async <T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> => {
  const made: T[] = [];
  for (let index = 0; index < count; index++) made.push(await act(index));
  return made;
};

const first = <T>([head]: readonly T[]): T => {
  if (head === undefined) throw new Error('Nothing was made');
  return head;
};

const inviter = (send: Send, admin: Person, workspaceId: string) => (email: string) =>
  done<{ id: string; token: string }>(
    send,
    as(admin).post('/users', {
      email,
      firstName: 'Any',
      lastName: 'Body',
      password: 'never used at all',
      workspaceId,
    }),
  );

/** Creates applications that the reader cannot use, and lets others use the visible one. */
const hideApplications = async (send: Send, world: VisibleWorld, hiddenDataset: string) => {
  const { admin, reader, bystander, workspace } = world.people;
  const make = (more: object) =>
    done<{ id: string; clientId: string; clientSecret: string }>(
      send,
      as(admin).post('/applications', {
        name: 'Hidden application',
        url: 'https://hidden.example.org',
        redirectUrl: 'https://hidden.example.org/back',
        workspaceId: workspace.id,
        visible: true,
        allowedUsers: [reader.id],
        ...more,
      }),
    );
  const requiredDatasetAccess = [{ action: 'read', datasetId: hiddenDataset }];
  const hidden = await make({ allowedUsers: [bystander.id] });
  for (const more of [{ visible: false }, { requiredDatasetAccess }, { name: 'Atlas', allowedUsers: [] }])
    await make(more);
  const allowedUsers = [reader.id, bystander.id];
  await done(send, as(admin).patch(`/applications/${world.application.id}`, { allowedUsers }));
  return hidden;
};

/** Adds attributes, groups, grants and datasets to the workspace that are hidden from the reader. */
export const addHiddenAccess = async (send: Send, world: VisibleWorld) => {
  const { admin, insider, bystander, sleeper, workspace } = world.people;
  const make = createAccessMakers(send, admin, workspace.id);
  // More than a page of each, with names before, between and after the visible ones.
  const attributes = await times(14, (index) =>
    make.attribute(`${'AGMZ'.charAt(index % 4)}-HIDDEN-${index}`),
  );
  const assignments = await times(14, (index) => make.assignment(attributes[index] ?? '', bystander));
  assignments.push(await make.assignment(world.attributes.alpha, bystander));
  const groups = await times(13, (index) => make.group(`${'ACPZ'.charAt(index % 4)} cabal ${index}`));
  const cabal = first(groups);
  const memberships = await times(13, (index) => make.member(groups[index] ?? '', insider));
  memberships.push(await make.child(cabal, world.groups.closed));
  memberships.push(await make.member(world.groups.closed, bystander, 'admin'));
  await done(send, as(admin).patch(`/groups/${world.groups.closed}`, { name: 'A closed circle' }));
  const byInsider = createAccessMakers(send, insider, workspace.id);
  const datasets = await times(12, (index) =>
    byInsider.dataset(index % 2 === 0 ? 'Shared' : `Hidden ${index}`),
  );
  const permissions = await times(12, (index) => make.permission('manage', datasets[index] ?? '', cabal));
  permissions.push(await make.permission('read', world.datasets.shared, cabal));
  permissions.push(await make.permission('manage', world.datasets.notes, cabal));
  const { id: permissionAssignment } = await done(
    send,
    as(admin).post('/workspace-permissions-assignments', {
      workspacePermissionsId: 'manage-groups',
      workspacePermissionsCode: 'manage-groups',
      userId: bystander.id,
      workspaceId: workspace.id,
    }),
  );
  const { id: transferRequest } = await done(
    send,
    as(insider).post('/transfer-resource-requests', {
      resourceId: first(datasets),
      resourceType: 'dataset',
      recipientUserId: bystander.id,
    }),
  );
  await done(send, as(admin).patch(`/users/${bystander.id}`, { role: 'admin' }));
  await done(send, as(admin).patch(`/users/${sleeper.id}`, { disabled: true }));
  const job = await done(
    send,
    as(insider).post(`/storage/datasets/${world.datasets.shared}/deleteRecords`, { recordIds: ['none'] }),
  );
  const segments = await done<{ data: { id: string }[] }>(
    send,
    as(insider).get(`/segments?datasetId=${world.datasets.shared}`),
  );
  const { id: identityProvider } = await done(
    send,
    as(admin).post('/custom-identity-providers', { providerType: 'okta', config: providerConfig('hidden') }),
  );
  const connections = await times(11, (index) =>
    done<{ id: string }>(
      send,
      as(insider).post('/connections', {
        workspaceId: workspace.id,
        name: `${'ALPZ'.charAt(index % 4)} hidden bucket ${index}`,
        type: 'S3',
        connectionInfo: { endpoint: 'http://127.0.0.1:1', region: 'us-east-1', bucket: 'hidden' },
        minimumLabel: 'SECRET',
      }),
    ),
  );
  const connection = first(connections).id;
  const connectionPermission = await make.connectionPermission('manage', connection, cabal);
  const keys = await times(12, (index) =>
    done<{ id: string; keyId: string }>(
      send,
      as(insider).post('/api-keys', {
        name: 'Hidden key',
        description: 'Not to be known',
        workspaceId: workspace.id,
        groupNames: [index % 2 === 0 ? 'A cabal 0' : 'Writers'],
        attributeNames: ['GAMMA', 'SECRET'],
        expirationAt: index === 0 ? '2031-01-01T00:00:00Z' : null,
      }),
    ),
  );
  const application = await hideApplications(send, world, first(datasets));
  for (const type of ['mls', 'sls'] as const)
    await applicationToken(send, admin, workspace.id, bystander, type);
  const grants = await done<{ data: { id: string }[] }>(send, as(bystander).get('/application-grants'));
  return {
    application,
    applicationGrant: first(grants.data).id,
    apiKey: first(keys),
    identityProvider,
    connection,
    connectionPermission,
    permissionAssignment,
    transferRequest,
    job: job.id,
    segment: first(segments.data).id,
    attribute: first(attributes),
    assignment: first(assignments),
    group: cabal,
    membership: first(memberships),
    dataset: first(datasets),
    permission: first(permissions),
    invitation: await inviter(send, admin, workspace.id)(world.people.loner.email),
    session: await done<{ accessToken: string }>(send, signInRequest(bystander)),
  };
};

/** Adds another workspace with its own people and objects. It invites the reader, who does not get the link. */
export const hideWorkspace = async (send: Send, world: VisibleWorld) => {
  const { reader, loner } = world.people;
  const hider = await signUp(send, 'hider');
  const workspace = await createWorkspace(send, hider, 'undisclosed');
  const make = createAccessMakers(send, hider, workspace.id);
  const group = await make.group('Readers');
  const dataset = await make.dataset('Shared');
  const invite = inviter(send, hider, workspace.id);
  return {
    hider,
    workspace,
    foreignProvider: (
      await done(send, as(hider).post('/custom-identity-providers', { config: providerConfig('foreign') }))
    ).id,
    foreignKey: (
      await done(
        send,
        as(hider).post('/api-keys', {
          name: 'Foreign key',
          workspaceId: workspace.id,
          groupNames: ['Readers'],
          attributeNames: [],
        }),
      )
    ).id,
    foreignAttribute: await make.attribute('ALPHA'),
    foreignGroup: group,
    foreignDataset: dataset,
    foreignPermission: await make.permission('read', dataset, group),
    /** Invitations whose tokens the reader does not have. */
    readerInvitation: await invite(reader.email),
    lonerInvitation: await invite(loner.email),
  };
};

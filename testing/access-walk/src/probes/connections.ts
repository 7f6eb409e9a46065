import type { connectionPermissionRoutes, connectionRoutes } from '@redoubt/contract';
import { createAccessMakers, type Send } from '@redoubt/testkit/requests';
import { newConnection, newGroup, type AccessFixture } from '../access-fixture.ts';
import { fresh, standing, type Probe } from '../probe.ts';
import { ownGroup } from './datasets.ts';

const id = (value: string) => ({ params: { id: value } });

export const connectionProbes: Record<keyof typeof connectionRoutes, Probe> = {
  listConnections: standing(({ connection }) => ({ request: {}, listed: connection })),
  createConnection: standing(({ workspace }) => ({
    request: () => ({
      body: {
        workspaceId: workspace.id,
        name: fresh('Made'),
        type: 'S3',
        connectionInfo: { endpoint: 'http://127.0.0.1:1', region: 'us-east-1', bucket: 'any' },
      },
    }),
  })),
  getConnection: standing(({ connection }) => ({ request: id(connection) })),
  patchConnection: standing(({ connection }) => ({ request: { ...id(connection), body: { name: 'Any' } } })),
  deleteConnection: { make: async (fixture, send) => ({ request: id(await newConnection(fixture, send)) }) },
  testConnection: standing(({ connection }) => ({ request: id(connection) })),
};

/** Creates a grant for a group that contains the club. */
const newGrant = async (fixture: AccessFixture, send: Send): Promise<string> => {
  const groupId = await newGroup(fixture, send, fresh('Connected'));
  return createAccessMakers(send, fixture.arranger, fixture.workspace.id).connectionPermission(
    'use',
    fixture.grantedConnection,
    groupId,
  );
};

export const connectionPermissionProbes: Record<keyof typeof connectionPermissionRoutes, Probe> = {
  listConnectionPermissions: standing(({ connectionGrant }) => ({ request: {}, listed: connectionGrant })),
  createConnectionPermission: {
    make: async (fixture, send) => ({
      request: async (caller) => ({
        body: {
          action: 'use',
          connectionId: fixture.connection,
          groupId: await ownGroup(fixture, send, caller),
        },
      }),
    }),
  },
  getConnectionPermission: standing(({ connectionGrant }) => ({ request: id(connectionGrant) })),
  deleteConnectionPermission: {
    make: async (fixture, send) => ({ request: id(await newGrant(fixture, send)) }),
  },
};

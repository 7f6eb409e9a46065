import type { connectionPermissionRoutes } from '../connection-permissions.ts';
import type { connectionRoutes } from '../connections.ts';
import type { AccessRule, ActorClass } from './access-rule.ts';
import { all, list, managers, readOne, withNote } from './rule-makers.ts';

const datasets = managers('manage-datasets');

/** A call on a connection: people who may only use it get 403, and people without any right get 404. */
const connection = (right: ActorClass): AccessRule => ({
  may: [right, ...datasets],
  sees: ['connection-user', ...datasets],
});
/** The lines of the access table about stored connections. */
export const connectionRules: Readonly<
  Record<keyof typeof connectionRoutes | keyof typeof connectionPermissionRoutes, AccessRule>
> = {
  listConnections: list('connection-user', ...datasets),
  getConnection: readOne('connection-user', ...datasets),
  createConnection: withNote(
    all,
    'The creator may manage it. The minimum label must be one that they may write.',
  ),
  patchConnection: withNote(
    connection('connection-manager'),
    'Nobody changes a minimum label that they do not satisfy.',
  ),
  deleteConnection: connection('connection-manager'),
  testConnection: connection('connection-user'),
  listConnectionPermissions: list('connection-manager', 'group-member', ...datasets),
  getConnectionPermission: readOne('connection-manager', 'group-member', ...datasets),
  createConnectionPermission: withNote(
    connection('connection-manager'),
    'The group must be visible to them.',
  ),
  deleteConnectionPermission: {
    may: ['connection-manager', ...datasets],
    sees: ['connection-manager', 'group-member', ...datasets],
  },
};

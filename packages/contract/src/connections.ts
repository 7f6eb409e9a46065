import { Type, type Static } from 'typebox';
import { idParams, Name, nullable, OwnWorkspaceId, strictObject, Timestamp, Uuid } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';
import { sourceTypes } from './ingest.ts';

const AllowedNames = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 4000 }), { minItems: 1, maxItems: 1000, description }),
  );

export const ConnectionAllowed = strictObject(
  {
    urlPrefixes: AllowedNames(
      'For URL, where it is required: beginnings of addresses, each of which ends with a slash or is the whole address.',
    ),
    prefixes: AllowedNames(
      'For S3: folders of keys, such as `in/2026/`, or whole keys. A job must name a prefix inside one of them.',
    ),
    tables: AllowedNames(
      'For JDBC: tables as `schema.table`. A job must name schema and table, and may send no query.',
    ),
    topics: AllowedNames('For KAFKA: names of topics.'),
    streams: AllowedNames('For OTHER: names of streams.'),
  },
  {
    title: 'ConnectionAllowed',
    description: 'What jobs may read through the connection. Without a list they may read all of it.',
  },
);
export type ConnectionAllowed = Static<typeof ConnectionAllowed>;

export const ConnectionInfo = Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), {
  description:
    'The fixed part of a source. It is stored encrypted and never returned. For URL: `{headers?}`. For S3: `{endpoint?, region, bucket, pathStyle?, accessKeyId?, secretAccessKey?, sessionToken?}`. For JDBC: `{databaseType, host, port?, database, username, password?, tls?}`. For KAFKA: `{bootstrapServers, sasl?, tls?, registry?}`. For OTHER: `{connector, config?, secrets?}`. The rest of connectionInfo, such as a prefix, a table or topics, is sent with each job.',
});

const MinimumLabel = Type.String({
  minLength: 1,
  maxLength: 10_000,
  description:
    'A label expression that every record read through the connection needs, besides its own label. You must be able to write it.',
});

export const ConnectionRights = strictObject(
  { use: Type.Boolean(), manage: Type.Boolean() },
  { title: 'ConnectionRights', description: 'What you may do with the connection.' },
);
export type ConnectionRights = Static<typeof ConnectionRights>;

export const Connection = strictObject(
  {
    id: Uuid,
    name: Name,
    type: Type.Enum([...sourceTypes]),
    workspaceId: Type.String({ description: 'The id of the workspace.' }),
    userId: Type.String({ description: 'The id of the person who created the connection.' }),
    target: Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'Where the connection leads, such as its host and bucket or database. It holds no secret.',
      },
    ),
    allowed: nullable(ConnectionAllowed),
    minimumLabel: nullable(Type.String({ description: 'In canonical form; null without one.' })),
    testedAt: nullable(
      Type.String({
        format: 'date-time',
        description: 'The last test that succeeded with what is stored now; null before it. Jobs need one.',
      }),
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    currentUserPermissions: ConnectionRights,
  },
  { title: 'Connection' },
);
export type Connection = Static<typeof Connection>;

export const ConnectionCreate = strictObject(
  {
    workspaceId: OwnWorkspaceId,
    name: Name,
    type: Type.Enum([...sourceTypes]),
    connectionInfo: ConnectionInfo,
    allowed: Type.Optional(nullable(ConnectionAllowed)),
    minimumLabel: Type.Optional(nullable(MinimumLabel)),
  },
  {
    title: 'ConnectionCreate',
    examples: [
      {
        workspaceId: 'my-workspace',
        name: 'Warehouse',
        type: 'JDBC',
        connectionInfo: {
          databaseType: 'postgresql',
          host: 'db.example.org',
          database: 'warehouse',
          username: 'reader',
          password: 'secret',
        },
        allowed: { tables: ['public.airports'] },
        minimumLabel: 'REGION:EU',
      },
    ],
  },
);
export type ConnectionCreate = Static<typeof ConnectionCreate>;

export const ConnectionPatch = Type.Partial(
  strictObject({
    name: Name,
    connectionInfo: ConnectionInfo,
    allowed: nullable(ConnectionAllowed),
    minimumLabel: nullable(MinimumLabel),
  }),
  { title: 'ConnectionPatch', additionalProperties: false },
);
export type ConnectionPatch = Static<typeof ConnectionPatch>;

export const ConnectionTest = strictObject(
  {
    succeeded: Type.Boolean(),
    message: Type.String({ description: 'What was found, or what failed and what to do.' }),
    found: Type.Array(Type.String(), {
      description: 'Some of what jobs may read: at most 20 keys or tables.',
    }),
  },
  { title: 'ConnectionTest' },
);
export type ConnectionTest = Static<typeof ConnectionTest>;

const tag = 'Connections';
const params = idParams('The id of the connection.');
const errors = [
  'AuthError',
  'ForbiddenError',
  'NotFoundError',
  'NotImplementedError',
  'SecurityError',
] as const;

/** Stored connections to sources. Jobs use them by `dataSourceParams.connectionId`. */
export const connectionRoutes = {
  listConnections: defineRoute({
    method: 'GET',
    path: '/connections',
    operationId: 'listConnections',
    tag,
    summary: 'List connections',
    description: 'Returns a page of the connections that you may use or manage.',
    caller: 'member',
    list: { entity: Connection, filters: ['id', 'name', 'type', 'userId', 'workspaceId'] },
    success: { status: 200, description: 'A page of connections.', schema: toPageSchema(Connection) },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  createConnection: defineRoute({
    method: 'POST',
    path: '/connections',
    operationId: 'createConnection',
    tag,
    summary: 'Create a connection',
    description:
      'Stores how to reach a source. You may manage the connection; others need a grant. Nobody can read what is stored, and jobs can use the connection after a test that succeeds.',
    caller: 'member',
    body: ConnectionCreate,
    success: { status: 201, description: 'The new connection.', schema: Connection },
    errors,
  }),
  getConnection: defineRoute({
    method: 'GET',
    path: '/connections/{id}',
    operationId: 'getConnection',
    tag,
    summary: 'Get a connection',
    description: 'Returns one connection, without its secrets.',
    caller: 'member',
    params,
    success: { status: 200, description: 'The connection.', schema: Connection },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
  patchConnection: defineRoute({
    method: 'PATCH',
    path: '/connections/{id}',
    operationId: 'patchConnection',
    tag,
    summary: 'Change a connection',
    description:
      'Changes name, what is allowed and the minimum label, and replaces connectionInfo as a whole. Send connectionInfo where allowed.urlPrefixes name another origin: stored headers go only where they were sent for. After a change of connectionInfo or of what is allowed, the connection must be tested again.',
    caller: 'member',
    params,
    body: ConnectionPatch,
    success: { status: 200, description: 'The changed connection.', schema: Connection },
    errors,
  }),
  deleteConnection: defineRoute({
    method: 'DELETE',
    path: '/connections/{id}',
    operationId: 'deleteConnection',
    tag,
    summary: 'Delete a connection',
    description: 'Jobs that use the connection stop. Records that were read through it stay.',
    caller: 'member',
    params,
    success: { status: 200, description: 'The deleted connection.', schema: Connection },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
  testConnection: defineRoute({
    method: 'POST',
    path: '/connections/{id}/test',
    operationId: 'testConnection',
    tag,
    summary: 'Test a connection',
    description:
      'Connects to the source and lists some of what jobs may read. A source that cannot be used is no error of this call: the result says what failed.',
    caller: 'member',
    params,
    success: { status: 200, description: 'The result of the test.', schema: ConnectionTest },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError', 'NotImplementedError'],
  }),
} as const;

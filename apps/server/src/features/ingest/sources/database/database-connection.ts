import { IdParam, strictObject } from '@redoubt/contract';
import { badField, describeValue, invalidField, notImplemented } from '@redoubt/errors';
import { isIP } from 'node:net';
import { Type, type Static } from 'typebox';
import { createValidator } from '../../../../platform/http/validation.ts';
import { findOutboundHostError } from '../../../../platform/outbound/index.ts';
import type { DatabaseTask } from './database-messages.ts';
import type { Incremental } from './incremental.ts';

const connection = 'dataSourceParams.connectionInfo';

const Name = Type.String({ minLength: 1, maxLength: 255 });

const DatabaseConnection = strictObject({
  databaseType: Type.String({ minLength: 1, maxLength: 40 }),
  host: Type.String({ minLength: 1, maxLength: 255 }),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  database: Name,
  username: Name,
  password: Type.Optional(Type.String({ maxLength: 4000 })),
  tls: Type.Optional(
    Type.Union([Type.Boolean(), strictObject({ ca: Type.String({ minLength: 1, maxLength: 200_000 }) })]),
  ),
  schema: Type.Optional(Name),
  table: Type.Optional(Name),
  query: Type.Optional(Type.String({ minLength: 1, maxLength: 100_000 })),
  incremental: Type.Optional(
    strictObject({
      column: Name,
      key: Type.Union([Name, Type.Array(Name, { minItems: 1, maxItems: 16 })]),
      overlapSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 31_536_000 })),
      overlapCount: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
    }),
  ),
  changedSinceJob: Type.Optional(IdParam),
});
type DatabaseConnection = Static<typeof DatabaseConnection>;

const requireShape = createValidator(DatabaseConnection, connection);

/** The databases that can be read, with their usual ports. */
export type DatabasePorts = Readonly<Record<string, number>>;

/** What is read again by default: PostgreSQL tells which transactions were open, so it needs none. */
const overlapOf = (databaseType: string): Pick<Incremental, 'overlapCount' | 'overlapSeconds'> =>
  databaseType === 'postgresql'
    ? { overlapSeconds: 0, overlapCount: 0 }
    : { overlapSeconds: 600, overlapCount: 1000 };

/** Comments and parentheses before the first word of a statement. */
const reading = /^(?:\s|\(|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:select|with|values|table)\b/i;

/** Comments that MySQL or MariaDB executes, and statements that write files. */
const writesOnMySql = /\/\*M?!|\binto\s+(?:outfile|dumpfile)\b/i;

/** @throws RedoubtError 400 that names the field; it never contains the password */
export const readDatabaseConnection = (
  connectionInfo: unknown,
  ports: DatabasePorts,
  allowsPrivate: boolean,
): Omit<DatabaseTask, 'columns' | 'requiredColumns' | 'since'> &
  Pick<DatabaseConnection, 'changedSinceJob'> => {
  requireShape(connectionInfo);
  const sent = connectionInfo as DatabaseConnection;
  const { databaseType, host, database, username, password = '', tls = true, schema, table, query } = sent;
  const { changedSinceJob } = sent;
  const usualPort = ports[databaseType];
  if (usualPort === undefined) {
    throw notImplemented(
      `${connection}.databaseType must be ${Object.keys(ports).join(' or ')}, got ${describeValue(databaseType)}, which is not supported yet. Send one that is.`,
    );
  }
  const problem = findOutboundHostError(host, allowsPrivate);
  if (problem !== undefined) throw badField(`${connection}.host`, `${problem}. Send another host.`);
  for (const [name, value] of Object.entries({ database, username, password, schema, table, query })) {
    if (value?.includes('\0') === true)
      throw badField(`${connection}.${name}`, 'must not contain the character NUL. Leave it out.');
  }
  // Its driver compares the certificate of an address with the name "localhost".
  if (databaseType === 'mysql' && isIP(host) !== 0 && tls !== false) {
    throw badField(
      `${connection}.host`,
      'must be a name if the connection is encrypted, because certificates of MySQL are compared with names. Send the name in the certificate, or send tls: false.',
    );
  }
  if ((table === undefined) === (query === undefined)) {
    throw badField(
      `${connection}.table`,
      table === undefined
        ? 'must be sent unless query is. Name a table, or send a query.'
        : 'must not be sent together with query. Leave one of them out.',
    );
  }
  if (schema !== undefined && table === undefined)
    throw badField(`${connection}.schema`, 'must be sent with table. Leave it out.');
  // SQL Server has no read-only transactions, and takes several statements without anything between them.
  if (query !== undefined && databaseType === 'mssql') {
    throw badField(
      `${connection}.query`,
      'must not be sent for mssql, because SQL Server cannot keep a statement from writing. Make a view of it, and name the view in table.',
    );
  }
  if (changedSinceJob !== undefined && sent.incremental === undefined) {
    throw badField(
      `${connection}.changedSinceJob`,
      'must be sent with incremental, because only a column tells which rows have changed. Leave it out, or send incremental.',
    );
  }
  if (query !== undefined && !reading.test(query)) {
    throw invalidField({
      field: `${connection}.query`,
      expected: 'one statement that reads, beginning with SELECT, WITH, VALUES or TABLE',
      got: describeValue(query),
      advice: 'Send such a statement, or name a table.',
    });
  }
  // MySQL executes comments such as /*!50000 … */, and writes files of the database host with INTO OUTFILE.
  if (query !== undefined && databaseType !== 'postgresql' && writesOnMySql.test(query)) {
    throw invalidField({
      field: `${connection}.query`,
      expected:
        'a statement without comments that begin with /*! or /*M!, and without INTO OUTFILE or INTO DUMPFILE',
      got: describeValue(query),
      advice: 'Leave them out.',
    });
  }
  const secure = tls === false ? { isSecure: false } : { isSecure: true, ...(tls === true ? {} : tls) };
  const target = query === undefined ? { schema, table } : { query };
  const port = sent.port ?? usualPort;
  const incremental = sent.incremental && {
    ...overlapOf(databaseType),
    ...sent.incremental,
    key: [sent.incremental.key].flat(),
  };
  const more = {
    ...(incremental && { incremental }),
    ...(changedSinceJob !== undefined && { changedSinceJob }),
  };
  return {
    databaseType,
    host,
    port,
    database,
    username,
    password,
    allowsPrivate,
    ...secure,
    ...target,
    ...more,
  };
};

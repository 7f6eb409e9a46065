import { IdParam, strictObject, type ConnectionAllowed } from '@redoubt/contract';
import { badField, describeValue, invalidField, notImplemented } from '@redoubt/errors';
import { Type, type Static } from 'typebox';
import { createValidator } from '../../../../platform/http/validation.ts';

/** The programs that an operator offers as connectors: the words of their command lines, by name. */
export type Connectors = Readonly<Record<string, readonly string[]>>;

const connection = 'dataSourceParams.connectionInfo';

const Settings = Type.Record(Type.String({ maxLength: 200 }), Type.Unknown());

/** What the connector gets, and the names by which people know it. */
const ConnectorFields = {
  connector: Type.String({ minLength: 1, maxLength: 100 }),
  config: Type.Optional(Settings),
  secrets: Type.Optional(Settings),
};

const ConnectorConnection = strictObject({
  ...ConnectorFields,
  stream: Type.String({ minLength: 1, maxLength: 255 }),
  incremental: Type.Optional(Type.Boolean()),
  changedSinceJob: Type.Optional(IdParam),
});
export type ConnectorConnection = Static<typeof ConnectorConnection>;

const StoredConnector = strictObject(ConnectorFields);
export type StoredConnector = Static<typeof StoredConnector>;

const requireConnection = createValidator(ConnectorConnection, connection);
const requireStored = createValidator(StoredConnector, connection);

/** The fields of connectionInfo that a stored connection holds. */
export const connectorFields = ['connector', 'config', 'secrets'] as const;

/** @throws RedoubtError 400 for a name that no connector has, 501 if this server has none at all */
export const commandOf = (connectors: Connectors, name: string): readonly string[] => {
  const command = Object.hasOwn(connectors, name) ? connectors[name] : undefined;
  if (command !== undefined) return command;
  const names = Object.keys(connectors);
  if (names.length === 0) {
    throw notImplemented(
      'dataSourceParams.type must not be "OTHER", because this server has no connectors. Its operator can add some by the setting CONNECTORS.',
    );
  }
  throw invalidField({
    field: `${connection}.connector`,
    expected: `a connector of this server: ${names.map((one) => JSON.stringify(one)).join(' or ')}`,
    got: describeValue(name),
    advice: 'Name one of these.',
  });
};

/** @throws RedoubtError 400 that names the field */
export const readConnectorConnection = (
  connectionInfo: unknown,
  connectors: Connectors,
): ConnectorConnection => {
  const { connector } = connectionInfo as { connector?: unknown };
  // A server without connectors answers 501, whatever else is wrong.
  commandOf(connectors, typeof connector === 'string' && connector !== '' ? connector : firstOf(connectors));
  requireConnection(connectionInfo);
  const sent = connectionInfo as ConnectorConnection;
  if (/\p{Cc}/u.test(sent.stream)) {
    throw invalidField({
      field: `${connection}.stream`,
      expected: 'a name without control characters',
      got: describeValue(sent.stream),
      advice: 'Name a stream of the connector.',
    });
  }
  if (sent.changedSinceJob !== undefined && sent.incremental !== true) {
    throw badField(
      `${connection}.changedSinceJob`,
      'must be sent with incremental: true, because only then the connector reads from a checkpoint. Leave it out, or send incremental.',
    );
  }
  return sent;
};

/** @throws RedoubtError 400 that names the field */
export const readStoredConnector = (stored: unknown, connectors: Connectors): StoredConnector => {
  readConnectorConnection({ ...(stored as object), stream: 'any' }, connectors);
  requireStored(stored);
  return stored as StoredConnector;
};

/** @throws RedoubtError 400 for a stream that the connection does not allow */
export const requireAllowedStream = (stream: string, allowed: ConnectionAllowed | null): void => {
  if (allowed === null || allowed.streams?.includes(stream) === true) return;
  throw invalidField({
    field: `${connection}.stream`,
    expected: 'a stream that the connection allows',
    got: describeValue(stream),
    advice: 'Name an allowed one, or ask a person who manages the connection.',
  });
};

const firstOf = (connectors: Connectors): string => Object.keys(connectors)[0] ?? '';

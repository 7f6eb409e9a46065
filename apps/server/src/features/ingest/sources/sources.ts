import type { DataSourceParams } from '@redoubt/contract';
import { notImplemented } from '@redoubt/errors';
import type { SealedConnection } from './sealed-source.ts';
import type { Source, SourceKind } from './source.ts';

/** The kinds of sources that this server reads. */
export interface Sources {
  /** @throws RedoubtError 400 that names the field, 501 for a kind that is not supported */
  open(connection: SealedConnection): Source;
}

/** The connection that a request sends. @throws RedoubtError 501 for a stored connection */
export const connectionOf = ({ type, connectionInfo, connectionId }: DataSourceParams): SealedConnection => {
  if (connectionId !== undefined) {
    throw notImplemented(
      'dataSourceParams.connectionId must not be sent, because stored connections are not supported yet. Send connectionInfo.',
    );
  }
  return { type, connectionInfo: connectionInfo ?? {} };
};

export const createSources = (kinds: readonly SourceKind[]): Sources => {
  const named = new Map(kinds.map((kind) => [kind.type, kind]));
  const names = kinds.map(({ type }) => `"${type}"`).join(' or ');
  return {
    open: ({ type, connectionInfo }) => {
      const kind = named.get(type);
      if (kind === undefined) {
        throw notImplemented(
          `dataSourceParams.type must be ${names}, got "${type}", which is not supported yet. Send one that is.`,
        );
      }
      return kind.open(connectionInfo);
    },
  };
};

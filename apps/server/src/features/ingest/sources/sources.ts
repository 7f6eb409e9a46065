import type { ConnectionAllowed } from '@redoubt/contract';
import { badField, notImplemented } from '@redoubt/errors';
import type { Member } from '../../../platform/auth/actor.ts';
import type { IngestOptions } from '../ingest-options.ts';
import type { SealedConnection } from './sealed-source.ts';
import type { OpenedConnection, Source, SourceKind } from './source.ts';
import type { StoredKind } from './stored-kind.ts';

/** The kinds of sources that this server reads. */
export interface Sources {
  /** @throws RedoubtError 400 that names the field, 501 for a kind that is not supported */
  open(connection: Pick<SealedConnection, 'connectionInfo' | 'type'>, stored?: OpenedConnection): Source;
  /** How connections of this type are stored. @throws RedoubtError 501 for a kind that is not stored */
  stored(type: string): StoredKind;
}

/** A stored connection that the actor may use, joined with the request's part. */
export interface UsableConnection {
  type: string;
  connectionInfo: unknown;
  allowed: ConnectionAllowed | null;
  minimumLabel: string | null;
}

/**
 * Opens a stored connection for a request.
 * @throws RedoubtError 404 unless the actor may use it now, 400 for what it does not allow
 */
export type OpenConnection = (
  actor: Member,
  connectionId: string,
  request: Pick<SealedConnection, 'connectionInfo' | 'type'>,
) => Promise<UsableConnection>;

/** What an ingest needs of stored connections. */
export interface StoredConnections {
  openFor: OpenConnection;
  /**
   * Checks that the starter of a job may still use the connection, and write and label rows as the job does. Call it before the job stores
   * what it has read.
   * @throws RedoubtError 403 if they may not, or if the minimum label has changed
   */
  requireUse(
    actor: Member,
    options: Partial<Pick<IngestOptions, 'connectionId' | 'minimumLabel' | 'securityLabelInfo' | 'write'>>,
  ): Promise<void>;
  /** Logs that the actor uses a connection for a dataset: for a job, or for a preview. */
  logUse(actor: Member, connectionId: string, use: { datasetId: string; jobId?: string }): Promise<void>;
}

export interface OpenedSource {
  source: Source;
  /** The label that all records of the source need; null without one. */
  minimumLabel: string | null;
}

/** Opens the source of a request or a job with the rights that the actor has now. */
export type OpenSource = (actor: Member, connection: SealedConnection) => Promise<OpenedSource>;

export const createOpenSource =
  (sources: Pick<Sources, 'open'>, openConnection: OpenConnection): OpenSource =>
  async (actor, connection) => {
    const { connectionId } = connection;
    if (connectionId === undefined) return { source: sources.open(connection), minimumLabel: null };
    const { minimumLabel, allowed, ...joined } = await openConnection(actor, connectionId, connection);
    return { source: sources.open(joined, { id: connectionId, allowed }), minimumLabel };
  };

export const createSources = (kinds: readonly SourceKind[]): Sources => {
  const named = new Map(kinds.map((kind) => [kind.type, kind]));
  const names = kinds.map(({ type }) => `"${type}"`).join(' or ');
  return {
    open: ({ type, connectionInfo }, stored) => {
      const kind = named.get(type);
      if (kind === undefined) {
        throw notImplemented(
          `dataSourceParams.type must be ${names}, got "${type}", which is not supported yet. Send one that is.`,
        );
      }
      return kind.open(connectionInfo, stored);
    },
    stored: (type) => {
      const kind = named.get(type)?.stored;
      if (kind !== undefined) return kind;
      const stored = kinds.filter((other) => other.stored !== undefined).map((other) => `"${other.type}"`);
      throw notImplemented(
        `type must be ${stored.join(' or ')}, got "${type}", of which no connections are stored yet. Send one that is.`,
      );
    },
  };
};

/** @throws RedoubtError 400 for a restriction that the source cannot honour */
export const refuseOtherRestrictions = (
  allowed: ConnectionAllowed | null,
  type: string,
  { restriction }: Pick<StoredKind, 'restriction'>,
): void => {
  const other = Object.keys(allowed ?? {}).find((field) => field !== restriction);
  if (other !== undefined) {
    throw badField(
      `allowed.${other}`,
      `must not be sent for type ${type}, which is restricted by ${restriction}. Leave it out.`,
    );
  }
  if (allowed !== null && allowed[restriction] === undefined) {
    throw badField('allowed', `must name ${restriction}, or be null to allow all. Send one of them.`);
  }
};

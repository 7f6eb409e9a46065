import { badField, describeValue } from '@redoubt/errors';
import type { IngestOptions } from '../ingest-options.ts';
import type { SealedConnection } from './sealed-source.ts';
import type { SegmentVersion, Source } from './source.ts';

const connectionField = 'dataSourceParams.connectionInfo';

/** @throws RedoubtError 400 where a job that reads only some rows would lose others */
export const requireWhole = (
  { changedSinceJob, continues, segments }: Source,
  { write }: IngestOptions,
  versions: ReadonlyMap<string, SegmentVersion>,
): void => {
  if (continues !== 'rows') return;
  if (write?.mode === 'replace') {
    throw badField(
      `${connectionField}.incremental`,
      'must not be sent with writeMode replace, because a replace needs all rows. Send append or upsert, or leave it out.',
    );
  }
  if (changedSinceJob === undefined || segments?.every(({ identity }) => versions.has(identity)) === true)
    return;
  throw badField(
    `${connectionField}.changedSinceJob`,
    `must name a completed job that read the same table or query with the same incremental.column and key, and through the same connection if one is stored, got ${describeValue(changedSinceJob)}. Retry that job, name another one, or leave it out to read all rows.`,
  );
};

/** The connection of a job that continues from an earlier one; the same one where the source cannot. */
export const continueFrom = (
  connection: SealedConnection,
  { continues, segments }: Source,
  write: IngestOptions['write'],
  earlierJob: string | undefined,
): SealedConnection => {
  const needsAll = write?.mode === 'replace' && segments?.length !== 1;
  if (earlierJob === undefined || continues === 'not' || needsAll) return connection;
  const info = connection.connectionInfo as Record<string, unknown>;
  return { ...connection, connectionInfo: { ...info, changedSinceJob: earlierJob } };
};

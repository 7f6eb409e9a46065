import { badField, notFound } from '@redoubt/errors';
import type { Member } from '../../../platform/auth/actor.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import type { WiredJobs } from '../../jobs/index.ts';
import type { IngestOptions } from '../ingest-options.ts';
import type { IngestFile, IngestRepository } from '../ingest.repository.ts';
import type { ReplacementRepository } from '../replacement.repository.ts';
import { openVersions } from './sealed-source.ts';
import type { SegmentVersion, Source } from './source.ts';

/**
 * The versions of segments that the job stored which a source names in `changedSinceJob`, by the identity of the segment.
 * Jobs of other people count as absent. A job with another connection has no versions.
 * @throws RedoubtError 404, or 400 where a replace would leave out unchanged segments
 */
export type FindEarlierVersions = (
  actor: Member,
  datasetId: string,
  source: Pick<Source, 'changedSinceJob' | 'segments'>,
  options: Pick<IngestOptions, 'connectionId' | 'write'>,
) => Promise<ReadonlyMap<string, SegmentVersion>>;

export const createFindEarlierVersions = ({
  files,
  hasStarted,
  replacements,
  secrets,
}: {
  files: Pick<IngestRepository, 'datasetOfJob' | 'filesOf' | 'uploadOf'>;
  hasStarted: WiredJobs['hasStarted'];
  replacements: Pick<ReplacementRepository, 'of'>;
  secrets: Pick<SecretBox, 'open'>;
}): FindEarlierVersions => {
  const storedFiles = async (jobId: string, connectionId: string | undefined): Promise<IngestFile[]> => {
    const all = await files.filesOf(jobId);
    const earlier = (await files.uploadOf(jobId))?.options;
    // A match would confirm a guess of what a connection holds.
    if (earlier?.connectionId !== connectionId) return [];
    const isReplace = earlier?.write?.mode === 'replace';
    const isStored = !isReplace || (await replacements.of(jobId))?.state === 'done';
    // A replace that did not finish stored nothing, but files that it found unchanged are still unchanged.
    return isStored ? all : all.filter(({ isUnchanged }) => isUnchanged);
  };
  return async (actor, datasetId, { changedSinceJob: jobId, segments }, { connectionId, write }) => {
    if (jobId === undefined) return new Map();
    const found = await files.datasetOfJob(actor.workspace.uniqueId, jobId);
    // A removed upload counts as absent, whether or not hidden records of it are left.
    const isOwn = found?.datasetId === datasetId && !found.isRemoved && (await hasStarted(actor, jobId));
    if (!isOwn) throw notFound('ingest job of yours for this dataset', jobId);
    if (write?.mode === 'replace' && segments?.length !== 1) {
      throw badField(
        'dataSourceParams.connectionInfo.changedSinceJob',
        'must not be sent when several files replace the records, because a replace needs all of them. Send one address, or leave it out.',
      );
    }
    return openVersions(secrets, await storedFiles(jobId, connectionId));
  };
};

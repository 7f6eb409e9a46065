import { badRequest } from '@redoubt/errors';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import type { RunningJob } from '../../../platform/jobs/index.ts';
import type { IngestRepository, StoredUpload } from '../ingest.repository.ts';
import type { TurnRepository } from '../turn.repository.ts';
import type { FindEarlierVersions } from './earlier-versions.ts';
import type { FindReached } from './find-reached.ts';
import type { NewFiles } from './new-files.ts';
import { openConnection } from './sealed-source.ts';
import type { SourceSegment } from './source.ts';
import type { OpenSource } from './sources.ts';

/** The maximum number of segments of a job. */
const maxSegments = 10_000;

/**
 * Lists the segments of a source, if its job has not done so. They are stored together, so a job that is resumed or
 * retried reads the same ones.
 */
export type ListSegments = (
  job: Pick<RunningJob, 'actor' | 'datasetId' | 'id' | 'signal'>,
  upload: StoredUpload,
) => Promise<void>;

export const createListSegments =
  ({
    findReached,
    findVersions,
    newFiles,
    repository,
    secrets,
    openSource,
    turnRepository,
  }: {
    findReached: FindReached;
    findVersions: FindEarlierVersions;
    newFiles: NewFiles;
    repository: Pick<IngestRepository, 'setListed'>;
    secrets: Pick<SecretBox, 'open'>;
    openSource: OpenSource;
    turnRepository: Pick<TurnRepository, 'lastFile'>;
  }): ListSegments =>
  async (job, { id, datasetId, options, sealedSource }) => {
    if (sealedSource === null) return;
    const connection = openConnection(secrets, id, sealedSource);
    const actor = await job.actor();
    const { source } = await openSource(actor, connection);
    const { turns } = source;
    const reached = await findReached(job, connection, turns);
    // A source without end keeps its connection. Its first segment is listed once.
    if (turns !== undefined && (await turnRepository.lastFile(job.id)) !== undefined) return;
    const versions = await findVersions(actor, datasetId, source, options);
    const segments: SourceSegment[] = [];
    for await (const segment of source.list(job.signal, reached)) {
      job.signal.throwIfAborted();
      if (segments.length === maxSegments) {
        throw badRequest(
          `The source has more than ${String(maxSegments)} files that fit. Name a narrower prefix or pattern, and use several jobs.`,
        );
      }
      segments.push(segment);
    }
    await repository.setListed(
      { id, jobId: job.id, files: newFiles(connection, segments, versions) },
      turns !== undefined,
    );
  };

import type { RedoubtError } from '@redoubt/errors';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { RunningJob } from '../../platform/jobs/index.ts';
import type { IngestFile, StoredUpload } from './ingest.repository.ts';
import type { NewFiles } from './sources/new-files.ts';
import { openConnection, openVersion } from './sources/sealed-source.ts';
import { NothingReadError, type SourceTurns } from './sources/source.ts';
import type { OpenSource } from './sources/sources.ts';
import type { TurnRepository } from './turn.repository.ts';

/**
 * Reads the segments of a source without end, one after another. A segment begins where the one before it ended, which is
 * stored together with its bytes. So a job that was killed at any point reads each part of the source once.
 * @param runFile stores the rows of a segment; returns an error of the source or of its rows
 */
export type ReadTurns = (
  job: RunningJob,
  upload: StoredUpload,
  turns: SourceTurns,
  runFile: (file: IngestFile) => Promise<RedoubtError | undefined>,
) => Promise<void>;

export interface Turns {
  /** How the segments of the source of an upload follow one another; undefined for a source with an end. */
  of(
    job: Pick<RunningJob, 'actor'>,
    upload: Pick<StoredUpload, 'id' | 'sealedSource'>,
  ): Promise<SourceTurns | undefined>;
  read: ReadTurns;
}

export const createTurns = ({
  newFiles,
  openSource,
  repository,
  secrets,
}: {
  newFiles: NewFiles;
  openSource: OpenSource;
  repository: Pick<TurnRepository, 'addFile' | 'dropSource' | 'lastFile'>;
  secrets: Pick<SecretBox, 'open'>;
}): Turns => {
  /** Adds the segment after one that is complete. @returns false at the end */
  const addNext = async (
    { id: jobId, signal }: RunningJob,
    { id, sealedSource }: StoredUpload,
    turns: SourceTurns,
    { file, count }: { file: IngestFile; count: number },
  ): Promise<boolean> => {
    if (file.sealedVersion === null || sealedSource === null)
      throw new Error('A complete segment has no version.');
    const { known = {} } = openVersion(secrets, file.id, file.sealedVersion);
    const next = turns.after(known);
    if (next === undefined) {
      await turns.finish(known, signal).catch(() => undefined);
      return false;
    }
    const [added] = newFiles(openConnection(secrets, id, sealedSource), [next], new Map());
    if (added !== undefined) await repository.addFile({ id, jobId }, added, count);
    return true;
  };

  return {
    of: async (job, { id, sealedSource }) => {
      if (sealedSource === null) return undefined;
      const { source } = await openSource(await job.actor(), openConnection(secrets, id, sealedSource));
      return source.turns;
    },
    read: async (job, upload, turns, runFile) => {
      for (;;) {
        job.signal.throwIfAborted();
        const last = await repository.lastFile(job.id);
        if (last === undefined) throw new Error('A source without end has no first segment.');
        if (last.file.status === 'completed') {
          if (await addNext(job, upload, turns, last)) continue;
          await repository.dropSource(upload.id);
          return;
        }
        try {
          const failure = await runFile(last.file);
          if (failure !== undefined) throw failure;
        } catch (error) {
          if (!(error instanceof NothingReadError)) throw error;
          // A lost right ends the job, also while no messages come.
          await job.actor();
        }
      }
    },
  };
};

import { badRequest } from '@redoubt/errors';
import type { RecordStore } from '@redoubt/records';
import { linesOf, type ObjectStore } from '../../../platform/files/index.ts';
import type { RunningJob } from '../../../platform/jobs/index.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import type { IngestFile } from '../ingest.repository.ts';
import type { TurnRepository } from '../turn.repository.ts';
import { groupId } from './group-id.ts';
import { openSegment, openVersion, type SealedConnection } from './sealed-source.ts';
import type { SourceTurns } from './source.ts';

/**
 * Where the last job of a group came to, for the job that continues it; undefined for the first one.
 * @throws RedoubtError 400 if a later job has continued the group meanwhile
 */
export type FindReached = (
  job: Pick<RunningJob, 'actor' | 'datasetId' | 'id'>,
  connection: Pick<SealedConnection, 'type'>,
  turns: SourceTurns | undefined,
) => Promise<string | undefined>;

export const createFindReached = ({
  files,
  repository,
  secrets,
  store,
}: {
  files: Pick<ObjectStore, 'get'>;
  repository: Pick<TurnRepository, 'groupOf' | 'lastFile'>;
  secrets: Pick<SecretBox, 'open'>;
  store: Pick<RecordStore, 'settleBlocks'>;
}): FindReached => {
  /** The lines whose rows have an outcome: a canceled job may have stored a part of a segment. */
  async function* settledLines({ objectName, nextRow }: IngestFile): AsyncGenerator<string> {
    if (objectName === null) return;
    let row = 0;
    for await (const line of linesOf(files.get(objectName))) {
      if (row++ >= nextRow) return;
      yield line;
    }
  }

  const reachedBy = (file: IngestFile, turns: SourceTurns): Promise<string> => {
    const { id, sealedSource, sealedVersion, status } = file;
    if (sealedVersion !== null) {
      const { known = {} } = openVersion(secrets, id, sealedVersion);
      return turns.reached(known, status === 'completed' ? undefined : settledLines(file));
    }
    if (sealedSource === null) throw new Error('A segment has neither a place nor a version.');
    return turns.begin(openSegment(secrets, id, sealedSource).place);
  };

  return async (job, { type }, turns) => {
    if (turns?.group === undefined) return undefined;
    const { workspace, accountId } = await job.actor();
    const names = { workspaceUid: workspace.uniqueId, accountId, datasetId: job.datasetId };
    const group = await repository.groupOf(groupId(names, type, turns.group));
    if (group?.jobId !== job.id) {
      throw badRequest(
        `A later job has continued the group "${turns.group}". Start a new job with this groupId instead of retrying this one.`,
      );
    }
    if (group.previousJobId === null) return undefined;
    await store.settleBlocks(job.datasetId);
    const last = await repository.lastFile(group.previousJobId);
    return last && (await reachedBy(last.file, turns));
  };
};

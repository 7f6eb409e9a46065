import type { Db } from '../../platform/db/database.ts';
import type { Member } from '../../platform/auth/actor.ts';
import { addSegments, openStates } from '../../platform/jobs/index.ts';
import { isStartedBy } from '../jobs/index.ts';
import {
  fileColumns,
  segmentsOf,
  storeFiles,
  type IngestFile,
  type NewFile,
  type NewUpload,
} from './ingest.repository.ts';

/** The jobs of a group, of which one reads at a time. */
export interface IngestGroup {
  /** The id of the group, which names person, dataset and source. */
  id: string;
  datasetId: string;
  jobId: string;
}

/** The segments of sources without end, which are added one by one. */
export interface TurnRepository {
  /** Adds the file after the last one, unless another worker has added it. */
  addFile(upload: Pick<NewUpload, 'id' | 'jobId'>, file: NewFile, number: number): Promise<void>;
  /** The last file of a job, and how many there are. */
  lastFile(jobId: string): Promise<{ file: IngestFile; count: number } | undefined>;
  /** Removes the source of an upload that has been read to its end. */
  dropSource(uploadId: string): Promise<void>;
  /** Replaces what the starter sees of a segment. */
  describeSegment(segmentId: string, config: Readonly<Record<string, unknown>>): Promise<void>;
  /** The job of a group, and the last one before it that read something. */
  groupOf(id: string): Promise<{ jobId: string; previousJobId: string | null } | undefined>;
}

export const createTurnRepository = (db: Db): TurnRepository => {
  const files = () =>
    db.selectFrom('ingest_files').innerJoin('segments', 'segments.id', 'ingest_files.segment_id');
  return {
    addFile: ({ id, jobId }, file, number) =>
      db.transaction().execute(async (trx) => {
        await trx.selectFrom('uploads').where('id', '=', id).select('id').forUpdate().execute();
        const taken = await trx
          .selectFrom('ingest_files')
          .where('upload_id', '=', id)
          .where('number', '=', number)
          .select('id')
          .executeTakeFirst();
        if (taken !== undefined) return;
        await addSegments(trx, jobId, segmentsOf({ id, files: [file] }), number);
        await storeFiles(trx, { id, files: [file] }, number);
      }),
    lastFile: async (jobId) => {
      const row = await files()
        .where('segments.job_id', '=', jobId)
        .select([...fileColumns, 'ingest_files.number'])
        .orderBy('ingest_files.number', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { number, ...file } = row;
      return { file, count: number + 1 };
    },
    dropSource: async (uploadId) => {
      await db.updateTable('uploads').set({ sealed_source: null }).where('id', '=', uploadId).execute();
    },
    describeSegment: async (segmentId, config) => {
      await db
        .updateTable('segments')
        .set({ config: JSON.stringify(config) })
        .where('id', '=', segmentId)
        .execute();
    },
    groupOf: async (id) => {
      const row = await db.selectFrom('ingest_groups').where('id', '=', id).selectAll().executeTakeFirst();
      return row && { jobId: row.job_id, previousJobId: row.previous_job_id };
    },
  };
};

/**
 * Gives a group to a new job, in its transaction.
 * @returns a job of the group that has not ended; then nothing is changed. `isOwn` if the actor may see it
 */
export const claimGroup = async (
  trx: Db,
  actor: Member,
  { id, datasetId, jobId }: IngestGroup,
): Promise<{ id: string; isOwn: boolean } | undefined> => {
  const created = await trx
    .insertInto('ingest_groups')
    .values({ id, dataset_id: datasetId, job_id: jobId })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (created !== undefined) return undefined;
  const before = await trx
    .selectFrom('ingest_groups')
    .where('id', '=', id)
    .selectAll()
    .forUpdate()
    .executeTakeFirstOrThrow();
  const open = await trx
    .selectFrom('jobs')
    .where('id', '=', before.job_id)
    .where('status', 'in', openStates)
    .select(['id', isStartedBy(actor).as('isOwn')])
    .executeTakeFirst();
  if (open !== undefined) return open;
  // A job that failed before its first segment read nothing: the one before it tells where to go on.
  const hasRead = await trx
    .selectFrom('segments')
    .innerJoin('ingest_files', 'ingest_files.segment_id', 'segments.id')
    .where('segments.job_id', '=', before.job_id)
    .select('segments.id')
    .limit(1)
    .executeTakeFirst();
  await trx
    .updateTable('ingest_groups')
    .set({
      job_id: jobId,
      previous_job_id: hasRead === undefined ? before.previous_job_id : before.job_id,
    })
    .where('id', '=', id)
    .execute();
  return undefined;
};

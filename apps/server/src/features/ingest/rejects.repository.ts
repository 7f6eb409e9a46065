import type { ListQuery, RejectedRow } from '@redoubt/contract';
import { sql } from 'kysely';
import type { Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';
import { isStartedBy } from '../jobs/index.ts';

export interface RejectsRepository {
  /** Rejected rows of jobs that the actor started on a dataset, in the order of files and rows. */
  list(actor: Member, datasetId: string, list: ListQuery): Promise<Page<RejectedRow>>;
  /** Removes the rejected rows of uploads that were created before this time. */
  removeBefore(moment: Date): Promise<void>;
}

const columns = {
  id: sql<string>`ingest_rejects.file_id || '/' || ingest_rejects.row_number::bigint::text`,
  jobId: sql.ref<string>('jobs.id'),
  fileId: sql.ref<string>('ingest_rejects.file_id'),
  row: sql.ref<number>('ingest_rejects.row_number'),
  line: sql.ref<number>('ingest_rejects.line'),
  offset: sql.ref<number>('ingest_rejects.byte_offset'),
  file: sql.ref<string | null>('ingest_rejects.inner_file'),
  reason: sql.ref<string>('ingest_rejects.reason'),
  text: sql.ref<string>('ingest_rejects.text'),
  replayJobId: sql.ref<string | null>('ingest_rejects.replay_job_id'),
};

/** The order of all pages: by the time of the job, then file, then row. */
const place = sql<string>`to_char(jobs.created_at at time zone 'UTC', 'YYYYMMDDHH24MISSUS') || jobs.id || lpad(ingest_files.number::text, 6, '0') || lpad(ingest_rejects.row_number::bigint::text, 16, '0')`;

export const createRejectsRepository = (db: Db): RejectsRepository => ({
  list: (actor, datasetId, list) => {
    const query = db
      .selectFrom('ingest_rejects')
      .innerJoin('ingest_files', 'ingest_files.id', 'ingest_rejects.file_id')
      .innerJoin('uploads', 'uploads.id', 'ingest_files.upload_id')
      .innerJoin('jobs', 'jobs.id', 'uploads.job_id')
      .where('uploads.removed_at', 'is', null)
      .where('jobs.workspace_uid', '=', actor.workspace.uniqueId)
      .where('jobs.dataset_id', '=', datasetId)
      .where(isStartedBy(actor))
      // Later rows belong to a block that may not have been stored.
      .whereRef('ingest_rejects.row_number', '<', 'ingest_files.next_row')
      .select([
        columns.id.as('id'),
        columns.jobId.as('jobId'),
        columns.fileId.as('fileId'),
        columns.row.as('row'),
        columns.line.as('line'),
        columns.offset.as('offset'),
        columns.file.as('file'),
        columns.reason.as('reason'),
        columns.text.as('text'),
        columns.replayJobId.as('replayJobId'),
      ]);
    return readPage(query, list, columns, place);
  },
  removeBefore: async (moment) => {
    await db
      .deleteFrom('ingest_rejects')
      .where('file_id', 'in', (rejects) =>
        rejects
          .selectFrom('ingest_files')
          .innerJoin('uploads', 'uploads.id', 'ingest_files.upload_id')
          .where('uploads.created_at', '<', moment)
          .select('ingest_files.id'),
      )
      .execute();
  },
});

import type { ListQuery, RejectedRow } from '@redoubt/contract';
import { sql } from 'kysely';
import type { Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';
import { textListSubquery } from '../../platform/db/text-list-subquery.ts';
import { isStartedBy } from '../jobs/index.ts';

export interface RejectsRepository {
  /**
   * Rejected rows of jobs that the actor started on a dataset, in the order of files and rows.
   * @param minimumLabels of rows that were read through a stored connection: those that the actor sees; '' for none
   */
  list(
    actor: Member,
    datasetId: string,
    list: ListQuery,
    minimumLabels: readonly string[],
  ): Promise<Page<RejectedRow>>;
  /** The minimum labels of stored connections that the jobs of a dataset used; '' for none. */
  minimumLabels(datasetId: string): Promise<string[]>;
  /** Removes the rejected rows of uploads that were created before this time. */
  removeBefore(moment: Date): Promise<void>;
}

/** The minimum label of the connection of an upload; empty without one. */
const minimumLabel = sql<string>`coalesce(uploads.options::jsonb ->> 'minimumLabel', '')`;

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
  list: (actor, datasetId, list, minimumLabels) => {
    const query = db
      .selectFrom('ingest_rejects')
      .innerJoin('ingest_files', 'ingest_files.id', 'ingest_rejects.file_id')
      .innerJoin('uploads', 'uploads.id', 'ingest_files.upload_id')
      .innerJoin('jobs', 'jobs.id', 'uploads.job_id')
      .where('uploads.removed_at', 'is', null)
      .where((row) =>
        row.or([
          row('uploads.connection_id', 'is', null),
          row(minimumLabel, 'in', textListSubquery(minimumLabels)),
        ]),
      )
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
  minimumLabels: async (datasetId) => {
    const rows = await db
      .selectFrom('uploads')
      .where('dataset_id', '=', datasetId)
      .where('connection_id', 'is not', null)
      .select(minimumLabel.as('label'))
      .distinct()
      .execute();
    return rows.map(({ label }) => label);
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

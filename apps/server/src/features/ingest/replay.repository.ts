import type { Db } from '../../platform/db/database.ts';
import { readerName } from './ingest.repository.ts';
import { textListSubquery } from '../../platform/db/text-list-subquery.ts';

/** A rejected row that is kept. */
export interface StoredReject {
  fileId: string;
  fileName: string;
  /** The name for readers who did not start the job. */
  readerName: string;
  row: number;
  text: string;
  /** The label that was determined for it; null if it could not be determined. */
  label: string | null;
  replayJobId: string | null;
}

export interface ReplayRepository {
  /**
   * Rejected rows of a job, except those of pending blocks.
   * @param rows the ids to find; the result may contain more rows of the same files
   */
  rejectsOf(jobId: string, rows: readonly { fileId: string; row: number }[]): Promise<StoredReject[]>;
  /**
   * Records in a transaction that a job replays these rows.
   * @returns a row that was removed or that another job replays, in which case nothing may be stored
   */
  take(trx: Db, rejects: readonly StoredReject[], jobId: string): Promise<StoredReject | undefined>;
}

/** Maximum number of rows of one statement. */
const chunkSize = 500;

const rejects = (from: Db) =>
  from
    .selectFrom('ingest_rejects')
    .innerJoin('ingest_files', 'ingest_files.id', 'ingest_rejects.file_id')
    .select([
      'ingest_rejects.file_id as fileId',
      'ingest_files.name as fileName',
      readerName,
      'ingest_rejects.row_number as row',
      'ingest_rejects.text',
      'ingest_rejects.label',
      'ingest_rejects.replay_job_id as replayJobId',
    ]);

export const createReplayRepository = (db: Db): ReplayRepository => ({
  rejectsOf: async (jobId, rows) => {
    if (rows.length === 0) return [];
    return rejects(db)
      .innerJoin('uploads', 'uploads.id', 'ingest_files.upload_id')
      .where('uploads.job_id', '=', jobId)
      .whereRef('ingest_rejects.row_number', '<', 'ingest_files.next_row')
      .where('ingest_rejects.file_id', 'in', textListSubquery(rows.map(({ fileId }) => fileId)))
      .where('ingest_rejects.row_number', 'in', [...new Set(rows.map(({ row }) => row))])
      .execute();
  },
  take: async (trx, wanted, jobId) => {
    for (const [fileId, ofFile] of Map.groupBy(wanted, (reject) => reject.fileId)) {
      for (let at = 0; at < ofFile.length; at += chunkSize) {
        const chunk = ofFile.slice(at, at + chunkSize);
        const rows = chunk.map(({ row }) => row);
        const taken = await trx
          .updateTable('ingest_rejects')
          .set({ replay_job_id: jobId })
          .where('file_id', '=', fileId)
          .where('row_number', 'in', rows)
          .where('replay_job_id', 'is', null)
          .returning('row_number')
          .execute();
        if (taken.length === rows.length) continue;
        const others = await rejects(trx)
          .where('ingest_rejects.file_id', '=', fileId)
          .where('ingest_rejects.row_number', 'in', rows)
          .where('ingest_rejects.replay_job_id', '!=', jobId)
          .execute();
        const there = new Set(taken.map(({ row_number: row }) => row));
        // A row without a job was removed meanwhile, because it had expired.
        const gone = chunk.find(({ row }) => !there.has(row));
        return others[0] ?? gone;
      }
      await trx
        .updateTable('ingest_files')
        .set((row) => ({ replayed: row('replayed', '+', ofFile.length) }))
        .where('id', '=', fileId)
        .execute();
    }
    return undefined;
  },
});

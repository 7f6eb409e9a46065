import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { textListSubquery } from '../../platform/db/text-list-subquery.ts';
import { fileColumns, type IngestFile } from './ingest.repository.ts';

/** A part of the files of a job. */
export interface FilePart {
  skip: number;
  limit: number;
}

/** Sums over all files of a job. */
export interface FileSums {
  files: number;
  /** Files whose segments are completed. */
  completed: number;
  written: number;
  rejected: number;
  dropped: number;
  duplicate: number;
  replaced: number;
  replayed: number;
}

/** Reads the files of jobs in parts: a job that reads a topic adds files as long as it runs. */
export interface ReceiptRepository {
  /** A part of the files of a job, in their order. */
  files(jobId: string, part: FilePart): Promise<IngestFile[]>;
  /** Those of these files that belong to the job, in their order. */
  filesWithIds(jobId: string, ids: readonly string[]): Promise<IngestFile[]>;
  /** The ids of all files of a job, in their order. */
  fileIds(jobId: string): Promise<string[]>;
  sums(jobId: string): Promise<FileSums>;
}

const sumOf = (column: 'dropped' | 'duplicate' | 'rejected' | 'replaced' | 'replayed' | 'written') =>
  sql<number>`coalesce(sum(${sql.ref(`ingest_files.${column}`)}), 0)::double precision`;

export const createReceiptRepository = (db: Db): ReceiptRepository => {
  const ofJob = (jobId: string) =>
    db
      .selectFrom('ingest_files')
      .innerJoin('segments', 'segments.id', 'ingest_files.segment_id')
      .where('segments.job_id', '=', jobId);
  const inOrder = (jobId: string) => ofJob(jobId).orderBy('ingest_files.number');
  return {
    files: (jobId, { skip, limit }) => inOrder(jobId).select(fileColumns).offset(skip).limit(limit).execute(),
    filesWithIds: (jobId, ids) =>
      inOrder(jobId).select(fileColumns).where('ingest_files.id', 'in', textListSubquery(ids)).execute(),
    fileIds: async (jobId) => {
      const rows = await inOrder(jobId).select('ingest_files.id').execute();
      return rows.map(({ id }) => id);
    },
    sums: (jobId) =>
      ofJob(jobId)
        .select([
          sql<number>`count(*)::double precision`.as('files'),
          sql<number>`count(*) filter (where segments.status = 'completed')::double precision`.as(
            'completed',
          ),
          sumOf('written').as('written'),
          sumOf('rejected').as('rejected'),
          sumOf('dropped').as('dropped'),
          sumOf('duplicate').as('duplicate'),
          sumOf('replaced').as('replaced'),
          sumOf('replayed').as('replayed'),
        ])
        .executeTakeFirstOrThrow(),
  };
};

import type { JobType } from '@redoubt/contract';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { errorColumns, openStates } from './job.ts';
import { takeWaitingPlace } from './waiting-jobs.repository.ts';

/** A part of a new job. */
export interface NewSegment {
  id: string;
  config?: unknown;
  uploadId?: string | undefined;
}

export interface NewJob {
  id: string;
  segments: readonly NewSegment[];
  workspaceUid: string;
  datasetId: string;
  accountId: string;
  /** The credential that the job was requested with, as `credentialText` writes it. */
  credential: string | null;
  /** The session that requested it; '' if there was none. */
  sessionId: string;
  type: JobType;
  config: unknown;
  /** The fields of the indexes that it is about, if only readers who can see these may know about the job. */
  about?: readonly (readonly string[])[] | undefined;
  totalStages: number;
  /** Whether it runs until it is stopped. Such jobs take no place of others. */
  isEndless?: boolean | undefined;
  createdAt: Date;
  /** Stores what belongs to the job, in the same transaction. */
  beside?: ((trx: Db) => Promise<void>) | undefined;
}

/**
 * Changes to jobs by people. Each runs several statements, so call them on a transaction, which also logs the audit
 * event.
 */
export interface JobChanges {
  /** @throws ForbiddenError 429 if too many jobs of the person wait */
  create(job: NewJob): Promise<void>;
  /**
   * Requests that a job be canceled; a job that never started is canceled at once.
   * @returns whether the job was open and not yet being canceled
   */
  requestCancel(id: string, endedAt: Date): Promise<boolean>;
  /**
   * Queues a canceled or failed job again; if an application requests it, with the person's current grant.
   * @param beside stores more in the same transaction if it does so
   * @returns whether the job was canceled or failed
   * @throws ForbiddenError 429 if too many jobs of the person wait
   */
  retry(id: string, sessionId: string, beside?: NewJob['beside']): Promise<boolean>;
}

/** The grant of an application's session; null for other sessions. */
const grantOf = (sessionId: string) =>
  sql<string | null>`(select grant_id from sessions where id = ${sessionId})`;

/** The number of segments of one statement. */
const segmentsAtOnce = 500;

/** Adds segments to a job: at its start, or when it has listed its source. Their numbers begin with `firstNumber`. */
export const addSegments = async (
  trx: Db,
  jobId: string,
  segments: readonly NewSegment[],
  firstNumber = 0,
): Promise<void> => {
  for (let from = 0; from < segments.length; from += segmentsAtOnce) {
    await trx
      .insertInto('segments')
      .values(
        segments.slice(from, from + segmentsAtOnce).map(({ id, config = {}, uploadId }, index) => ({
          id,
          number: firstNumber + from + index,
          job_id: jobId,
          config: JSON.stringify(config),
          status: 'queued' as const,
          upload_id: uploadId ?? null,
        })),
      )
      .execute();
  }
};

export const createJobChanges = (trx: Db): JobChanges => ({
  create: async (job) => {
    await takeWaitingPlace(trx, job);
    await trx
      .insertInto('jobs')
      .values({
        id: job.id,
        workspace_uid: job.workspaceUid,
        dataset_id: job.datasetId,
        account_id: job.accountId,
        credential: job.credential,
        grant_id: grantOf(job.sessionId),
        type: job.type,
        config: JSON.stringify(job.config),
        about: job.about === undefined ? null : JSON.stringify(job.about),
        status: 'queued',
        total_stages: job.totalStages,
        is_endless: job.isEndless ?? false,
        created_at: job.createdAt,
      })
      .execute();
    await addSegments(trx, job.id, job.segments);
    await job.beside?.(trx);
  },

  requestCancel: async (id, endedAt) => {
    const requested = await trx
      .updateTable('jobs')
      .set({ cancel_asked: true })
      .where('id', '=', id)
      .where('status', 'in', openStates)
      .where('cancel_asked', '=', false)
      .returning('id')
      .executeTakeFirst();
    const canceled = await trx
      .updateTable('jobs')
      .set({ status: 'canceled', cancel_asked: false, ended_at: endedAt })
      .where('id', '=', id)
      .where('status', '=', 'queued')
      // A job whose process died may have done its work already: the next worker determines that.
      .where('started_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (canceled !== undefined) {
      await trx.updateTable('segments').set({ status: 'canceled' }).where('job_id', '=', id).execute();
    }
    return requested !== undefined;
  },

  retry: async (id, sessionId, beside) => {
    const ended = await trx
      .selectFrom('jobs')
      .where('id', '=', id)
      .where('status', 'in', ['canceled', 'failed'])
      .select(['workspace_uid as workspaceUid', 'account_id as accountId'])
      .executeTakeFirst();
    if (ended === undefined) return false;
    await takeWaitingPlace(trx, ended);
    const queued = { status: 'queued', ...errorColumns(null), stage: 0 } as const;
    const retried = await trx
      .updateTable('jobs')
      .set((row) => ({
        ...queued,
        progress: 0,
        record_count: null,
        run: row('run', '+', 1),
        grant_id: sql<string | null>`coalesce(${grantOf(sessionId)}, ${row.ref('grant_id')})`,
        cancel_asked: false,
        started_at: null,
        ended_at: null,
      }))
      .where('id', '=', id)
      .where('status', 'in', ['canceled', 'failed'])
      .returning('id')
      .executeTakeFirst();
    if (retried === undefined) return false;
    // The retry reads the files from their beginning. Rows that were stored before then count as duplicates.
    await trx
      .updateTable('ingest_files')
      .set((row) => ({ duplicate: row('duplicate', '+', row.ref('written')), written: 0 }))
      .where('segment_id', 'in', (files) =>
        files.selectFrom('segments').where('job_id', '=', id).select('segments.id'),
      )
      .execute();
    await trx
      .updateTable('segments')
      .set(queued)
      .where('job_id', '=', id)
      // Completed segments stay completed.
      .where('status', '!=', 'completed')
      .execute();
    await beside?.(trx);
    return true;
  },
});

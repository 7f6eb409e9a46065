import { tooMany } from '@redoubt/errors';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** Maximum number of jobs of a person that wait in a workspace. Their keys and applications share it. */
export const maxWaitingJobs = 100;

const retrySeconds = 10;

export interface JobStarter {
  workspaceUid: string;
  accountId: string;
}

const tooManyWaiting = (): Error =>
  tooMany(
    `At most ${maxWaitingJobs} jobs of a person may wait in a workspace, and as many of yours do. Try again when some of them have started, or cancel some.`,
    retrySeconds,
  );

/**
 * Requires that another job of a person may wait. Jobs of other people never count.
 * @throws ForbiddenError 429
 */
export const requireWaitingPlace = async (db: Db, { workspaceUid, accountId }: JobStarter): Promise<void> => {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from (
    select from jobs where workspace_uid = ${workspaceUid} and account_id = ${accountId} and status = 'queued'
    limit ${maxWaitingJobs}) as waiting`.execute(db);
  if ((rows[0]?.count ?? 0) >= maxWaitingJobs) throw tooManyWaiting();
};

/**
 * Does the same in the transaction that adds the job. Until its end, other requests cannot add jobs of the person.
 * @throws ForbiddenError 429
 */
export const takeWaitingPlace = async (trx: Db, starter: JobStarter): Promise<void> => {
  const name = JSON.stringify(['waiting jobs', starter.workspaceUid, starter.accountId]);
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
  await requireWaitingPlace(trx, starter);
};

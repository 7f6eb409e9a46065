import { badField, describeValue } from '@redoubt/errors';
import type { Member } from '../../../platform/auth/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import { isStartedBy } from '../../jobs/index.ts';
import { hasStoredRows } from '../stored-rows.repository.ts';

/** Whether a job has stopped before its end. */
const hasStopped = (status: string): boolean => status === 'failed' || status === 'canceled';

/**
 * Two jobs that append the rows after the same earlier job would store the same rows twice. Call it in the transaction
 * that stores the upload of the second one.
 * @param jobId the second job
 * @throws RedoubtError 400 if another job has stored rows after the earlier one, or may still do so. A key is not told the
 * id of a job that it did not start.
 */
export const requireFirstAfter = async (
  trx: Db,
  actor: Member,
  { jobId, continuedJob }: { jobId: string; continuedJob: string },
): Promise<void> => {
  // Of two requests at the same time, the second one sees the job of the first.
  await trx.selectFrom('uploads').where('job_id', '=', continuedJob).select('id').forUpdate().execute();
  const others = await trx
    .selectFrom('uploads')
    .innerJoin('jobs', 'jobs.id', 'uploads.job_id')
    .where('continued_job', '=', continuedJob)
    .where('job_id', '!=', jobId)
    .where('removed_at', 'is', null)
    .select(['jobs.id', 'jobs.status', hasStoredRows.as('hasRows'), isStartedBy(actor).as('isOwn')])
    .orderBy('jobs.created_at', 'desc')
    .execute();
  const other = others.find(({ status, hasRows }) => !hasStopped(status) || hasRows);
  if (other === undefined) return;
  const named = other.isOwn ? `the job "${other.id}"` : 'the other job, which this key did not start,';
  const advice = hasStopped(other.status)
    ? `Retry ${named} or delete its upload`
    : `Name ${named} when it has completed, or delete its upload`;
  throw badField(
    'dataSourceParams.connectionInfo.changedSinceJob',
    `must name a job that no other append has continued, got ${describeValue(continuedJob)}. ${advice}: a second job would store the same rows again.`,
  );
};

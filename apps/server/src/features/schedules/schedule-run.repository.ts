import type { JobError } from '@redoubt/contract';
import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { errorColumns, openStates } from '../../platform/jobs/index.ts';
import { hasStoredRows } from '../ingest/index.ts';
import type { StoredSchedule } from './schedule-row.repository.ts';

/** A run whose job is to be created, or whose job has ended. */
export interface ClaimedRun {
  id: string;
  schedule: StoredSchedule;
}

export interface EndedRun extends ClaimedRun {
  status: 'canceled' | 'completed' | 'failed';
  error: string | null;
  errorName: string | null;
}

interface NewRun {
  id: string;
  scheduleId: string;
  plannedAt: Date;
  isManual: boolean;
  now: Date;
  leaseUntil: Date;
}

/**
 * The work of the clock on schedules and runs. Several processes share it: each statement lets one of them win. Call it on a
 * transaction where an audit event belongs to the change.
 */
export interface ScheduleRunRepository {
  /** Adds a run, which is skipped while another run of the schedule is open. */
  add(run: NewRun): Promise<void>;
  /** Adds the run of a schedule that is due, and sets its next time. @returns whether one was due */
  addDue(
    run: Pick<NewRun, 'id' | 'leaseUntil' | 'now'>,
    next: (schedule: StoredSchedule) => Date,
  ): Promise<boolean>;
  /** Whether a schedule is due, or a run was left without a job. */
  hasWork(now: Date): Promise<boolean>;
  /** Claims a run whose process died before its job was created. */
  claimLeft(now: Date, leaseUntil: Date): Promise<ClaimedRun | undefined>;
  find(id: string): Promise<ClaimedRun | undefined>;
  /**
   * The last completed job of a schedule that found files, unless its upload was removed. One that found none knows no
   * versions, so the next one would store all files again.
   */
  lastCompleted(scheduleId: string): Promise<string | undefined>;
  /**
   * The last job of the present request, if it is open, or ended before its end and stored rows that another job would store
   * again. Not if its upload was removed.
   */
  unfinished(scheduleId: string): Promise<{ id: string; isOpen: boolean } | undefined>;
  /** Ends a run that needs no job. */
  skip(id: string, now: Date): Promise<void>;
  /** Ties a run to its job. @throws Error if another process has done so, or the schedule was deleted */
  tie(id: string, jobId: string, grantId: string | null): Promise<void>;
  /** Ends a run without a job. @returns whether it had not ended */
  fail(id: string, error: JobError, now: Date): Promise<boolean>;
  /** The runs whose jobs have ended since the last call of `end`. */
  ended(): Promise<EndedRun[]>;
  /**
   * Keeps how the job of a run has ended, because a later run may retry it.
   * @returns whether no other process has noted the end
   */
  end(id: string, status: EndedRun['status'], error?: JobError): Promise<boolean>;
  /** @returns whether it was not failing before */
  setFailing(scheduleId: string, isFailing: boolean): Promise<boolean>;
  /** @returns whether it was active */
  pause(scheduleId: string, reason: string, now: Date): Promise<boolean>;
}

const scheduleFields = [
  'schedules.id',
  'schedules.workspace_uid as workspaceUid',
  'schedules.dataset_id as datasetId',
  'schedules.account_id as accountId',
  'schedules.credential',
  'schedules.grant_id as grantId',
  'schedules.name',
  'schedules.cron',
  'schedules.time_zone as timeZone',
  'schedules.sealed_request as sealedRequest',
  'schedules.mail_on_failure as mailOnFailure',
  sql<string>`(select email from accounts where accounts.id = schedules.account_id)`.as('email'),
] as const;

const insert = async (trx: Db, { id, scheduleId, plannedAt, isManual, now, leaseUntil }: NewRun) => {
  // Two requests at the same time must not both start a run.
  await trx.selectFrom('schedules').where('id', '=', scheduleId).select('id').forUpdate().execute();
  const open = await trx
    .selectFrom('schedule_runs')
    .leftJoin('jobs', 'jobs.id', 'schedule_runs.job_id')
    .where('schedule_id', '=', scheduleId)
    .where((row) => row.or([row('state', '=', 'starting'), row('jobs.status', 'in', openStates)]))
    .select('schedule_runs.id')
    .limit(1)
    .executeTakeFirst();
  const isSkipped = open !== undefined;
  await trx
    .insertInto('schedule_runs')
    .values({
      id,
      schedule_id: scheduleId,
      planned_at: plannedAt,
      is_manual: isManual,
      state: isSkipped ? 'skipped' : 'starting',
      lease_until: isSkipped ? null : leaseUntil,
      ...(isSkipped && { ended_at: now }),
    })
    .execute();
};

export const createScheduleRunRepository = (db: Db): ScheduleRunRepository => {
  const runs = () => db.selectFrom('schedule_runs').innerJoin('schedules', 'schedules.id', 'schedule_id');

  const find = async (id: string): Promise<ClaimedRun | undefined> => {
    const schedule = await runs()
      .where('schedule_runs.id', '=', id)
      .where('schedule_runs.state', '=', 'starting')
      .select(scheduleFields)
      .executeTakeFirst();
    return schedule && { id, schedule };
  };

  return {
    add: (run) => insert(db, run),
    addDue: (run, next) =>
      db.transaction().execute(async (trx) => {
        const due = await trx
          .selectFrom('schedules')
          .where('is_active', '=', true)
          .where('next_run_at', '<=', run.now)
          .select([...scheduleFields, 'schedules.next_run_at as plannedAt'])
          .orderBy('next_run_at')
          .limit(1)
          .forUpdate()
          .skipLocked()
          .executeTakeFirst();
        if (due === undefined) return false;
        const { plannedAt, ...schedule } = due;
        await trx
          .updateTable('schedules')
          .set({ next_run_at: next(schedule) })
          .where('id', '=', schedule.id)
          .execute();
        await insert(trx, {
          ...run,
          scheduleId: schedule.id,
          plannedAt: plannedAt ?? run.now,
          isManual: false,
        });
        return true;
      }),
    hasWork: async (now) => {
      const due = await db
        .selectFrom('schedules')
        .where('is_active', '=', true)
        .where('next_run_at', '<=', now)
        .select('id')
        .limit(1)
        .executeTakeFirst();
      if (due !== undefined) return true;
      const open = await db
        .selectFrom('schedule_runs')
        .where('state', 'in', ['starting', 'started'])
        .select('id')
        .limit(1)
        .executeTakeFirst();
      return open !== undefined;
    },
    claimLeft: (now, leaseUntil) =>
      db.transaction().execute(async (trx) => {
        const left = await trx
          .selectFrom('schedule_runs')
          .where('state', '=', 'starting')
          .where('lease_until', '<', now)
          .select('id')
          .limit(1)
          .forUpdate()
          .skipLocked()
          .executeTakeFirst();
        if (left === undefined) return undefined;
        await trx
          .updateTable('schedule_runs')
          .set({ lease_until: leaseUntil })
          .where('id', '=', left.id)
          .execute();
        return createScheduleRunRepository(trx).find(left.id);
      }),
    find,
    lastCompleted: async (scheduleId) => {
      const last = await db
        .selectFrom('schedule_runs')
        .innerJoin('jobs', 'jobs.id', 'schedule_runs.job_id')
        .innerJoin('uploads', 'uploads.job_id', 'jobs.id')
        .where('schedule_id', '=', scheduleId)
        .where('jobs.status', '=', 'completed')
        .where('uploads.removed_at', 'is', null)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('ingest_files')
              .whereRef('ingest_files.upload_id', '=', 'uploads.id')
              .select('ingest_files.id'),
          ),
        )
        .select('jobs.id')
        .orderBy('jobs.created_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return last?.id;
    },
    unfinished: async (scheduleId) => {
      const last = await db
        .selectFrom('schedule_runs')
        .innerJoin('schedules', 'schedules.id', 'schedule_runs.schedule_id')
        .innerJoin('jobs', 'jobs.id', 'schedule_runs.job_id')
        .innerJoin('uploads', 'uploads.job_id', 'jobs.id')
        .where('schedule_id', '=', scheduleId)
        .where('uploads.removed_at', 'is', null)
        .where((row) =>
          row.or([
            row('schedules.request_changed_at', 'is', null),
            row('jobs.created_at', '>', row.ref('schedules.request_changed_at')),
          ]),
        )
        .select(['jobs.id', 'jobs.status', 'uploads.options', hasStoredRows.as('hasRows')])
        .orderBy('jobs.created_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (last === undefined || last.status === 'completed') return undefined;
      const { id, status, hasRows } = last;
      if (status !== 'canceled' && status !== 'failed') return { id, isOpen: true };
      // An upsert stores no row twice, and a replace nothing before its end.
      const { write } = JSON.parse(last.options) as { write?: unknown };
      return write === undefined && hasRows ? { id, isOpen: false } : undefined;
    },
    skip: async (id, now) => {
      await db
        .updateTable('schedule_runs')
        .set({ state: 'skipped', lease_until: null, ended_at: now })
        .where('id', '=', id)
        .where('state', '=', 'starting')
        .execute();
    },
    tie: async (id, jobId, grantId) => {
      const tied = await db
        .updateTable('schedule_runs')
        .set({ state: 'started', job_id: jobId, lease_until: null })
        .where('id', '=', id)
        .where('state', '=', 'starting')
        .returning('id')
        .executeTakeFirst();
      if (tied === undefined) throw new Error('Another process has started this run.');
      // The job acts by the grant of the application that created the schedule.
      await db.updateTable('jobs').set({ grant_id: grantId }).where('id', '=', jobId).execute();
    },
    fail: async (id, error, now) => {
      const failed = await db
        .updateTable('schedule_runs')
        .set({ state: 'failed', ...errorColumns(error), lease_until: null, ended_at: now })
        .where('id', '=', id)
        .where('state', '=', 'starting')
        .returning('id')
        .executeTakeFirst();
      return failed !== undefined;
    },
    ended: async () => {
      const rows = await runs()
        .innerJoin('jobs', 'jobs.id', 'schedule_runs.job_id')
        .where('schedule_runs.state', '=', 'started')
        .where('jobs.status', 'not in', openStates)
        .select([
          ...scheduleFields,
          'schedule_runs.id as runId',
          'jobs.status',
          'jobs.error',
          'jobs.error_name as errorName',
        ])
        .execute();
      return rows.map(({ runId, status, error, errorName, ...schedule }) => ({
        id: runId,
        status: status as EndedRun['status'],
        error,
        errorName,
        schedule,
      }));
    },
    end: async (id, status, error) => {
      const ended = await db
        .updateTable('schedule_runs')
        .set({
          state: status === 'completed' ? 'ended' : status,
          ...(error !== undefined && errorColumns(error)),
          ended_at: sql<Date>`(select jobs.ended_at from jobs where jobs.id = schedule_runs.job_id)`,
        })
        .where('id', '=', id)
        .where('state', '=', 'started')
        .returning('id')
        .executeTakeFirst();
      return ended !== undefined;
    },
    setFailing: async (scheduleId, isFailing) => {
      const changed = await db
        .updateTable('schedules')
        .set({ is_failing: isFailing })
        .where('id', '=', scheduleId)
        .where('is_failing', '!=', isFailing)
        .returning('id')
        .executeTakeFirst();
      return changed !== undefined;
    },
    pause: async (scheduleId, reason, now) => {
      const paused = await db
        .updateTable('schedules')
        .set({ is_active: false, paused_reason: reason, next_run_at: null, updated_at: now })
        .where('id', '=', scheduleId)
        .where('is_active', '=', true)
        .returning('id')
        .executeTakeFirst();
      return paused !== undefined;
    },
  };
};

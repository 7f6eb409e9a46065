import type { Schedule, ScheduledRequest, ScheduleRun } from '@redoubt/contract';
import { sql, type RawBuilder } from 'kysely';
import { credentialText } from '../../platform/auth/credential.ts';
import type { Member } from '../../platform/auth/actor.ts';
import { toJobError } from '../../platform/jobs/index.ts';

/** A schedule as its runs need it. */
export interface StoredSchedule {
  id: string;
  workspaceUid: string;
  datasetId: string;
  accountId: string;
  /** The address of the creator. */
  email: string;
  credential: string | null;
  grantId: string | null;
  name: string;
  cron: string;
  timeZone: string;
  sealedRequest: string;
  mailOnFailure: boolean;
}

/** SQL for whether the actor created the schedule. People also own the schedules of their keys. */
export const isCreatedBy = ({ accountId, credential }: Member): RawBuilder<boolean> => {
  const text = credentialText(credential);
  return text === null
    ? sql<boolean>`schedules.account_id = ${accountId}`
    : sql<boolean>`(schedules.account_id = ${accountId} and schedules.credential = ${text})`;
};

const ownOnly = <T>(actor: Member, column: RawBuilder<T>): RawBuilder<T | null> =>
  sql<T | null>`case when ${isCreatedBy(actor)} then ${column} end`;

export const scheduleColumns = (actor: Member) => ({
  id: sql.ref<string>('schedules.id'),
  workspaceId: sql<string>`${actor.workspace.slug}::text`,
  datasetId: sql.ref<string>('schedules.dataset_id'),
  userId: sql.ref<string>('schedules.account_id'),
  name: sql.ref<string>('schedules.name'),
  cron: sql.ref<string>('schedules.cron'),
  timeZone: sql.ref<string>('schedules.time_zone'),
  isActive: sql.ref<boolean>('schedules.is_active'),
  mailOnFailure: sql.ref<boolean>('schedules.mail_on_failure'),
  nextRunAt: sql<Date | null>`schedules.next_run_at`,
  pausedReason: ownOnly(actor, sql.ref<string>('schedules.paused_reason')),
  request: ownOnly(actor, sql.ref<string>('schedules.request')),
  source: ownOnly(actor, sql.ref<string>('schedules.source')),
  createdAt: sql.ref<Date>('schedules.created_at'),
  updatedAt: sql.ref<Date>('schedules.updated_at'),
});

export const runColumns = (actor: Member) => ({
  id: sql.ref<string>('schedule_runs.id'),
  scheduleId: sql.ref<string>('schedule_runs.schedule_id'),
  plannedAt: sql.ref<Date>('schedule_runs.planned_at'),
  isManual: sql.ref<boolean>('schedule_runs.is_manual'),
  status: sql<ScheduleRun['status']>`case
    when schedule_runs.state in ('starting', 'failed', 'canceled', 'skipped') then schedule_runs.state
    else coalesce(jobs.status, 'canceled') end`,
  jobId: sql.ref<string | null>('schedule_runs.job_id'),
  error: ownOnly(actor, sql<string | null>`coalesce(schedule_runs.error, jobs.error)`),
  errorName: ownOnly(actor, sql<string | null>`coalesce(schedule_runs.error_name, jobs.error_name)`),
  errorCode: ownOnly(actor, sql<number | null>`coalesce(schedule_runs.error_code, jobs.error_code)`),
  startedAt: sql<Date | null>`jobs.started_at`,
  endedAt: sql<Date | null>`coalesce(schedule_runs.ended_at, jobs.ended_at)`,
});

type Dated<T, K extends keyof T> = Omit<T, K> & { [Key in K]: Date };

export type ScheduleRow = Omit<
  Dated<Schedule, 'createdAt' | 'updatedAt'>,
  'nextRunAt' | 'request' | 'source'
> & {
  nextRunAt: Date | null;
  request: string | null;
  source: string | null;
};

const parsed = (text: string | null): Record<string, unknown> | null =>
  text === null ? null : (JSON.parse(text) as Record<string, unknown>);

export const toSchedule = ({
  nextRunAt,
  request,
  source,
  createdAt,
  updatedAt,
  ...row
}: ScheduleRow): Schedule => ({
  ...row,
  nextRunAt: nextRunAt?.toISOString() ?? null,
  request: parsed(request),
  source: parsed(source),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

export type RunRow = Omit<ScheduleRun, 'endedAt' | 'error' | 'plannedAt' | 'startedAt'> & {
  plannedAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  error: string | null;
  errorName: string | null;
  errorCode: number | null;
};

export const toRun = ({
  plannedAt,
  startedAt,
  endedAt,
  error,
  errorName,
  errorCode,
  ...row
}: RunRow): ScheduleRun => ({
  ...row,
  plannedAt: plannedAt.toISOString(),
  error: toJobError(error, errorName, errorCode),
  startedAt: startedAt?.toISOString() ?? null,
  endedAt: endedAt?.toISOString() ?? null,
});

/** The request as it is shown: without the connection, which holds secrets. */
export const shownRequest = ({ dataSourceParams, ...options }: ScheduledRequest): Record<string, unknown> => {
  const { connectionInfo: _connectionInfo, ...params } = dataSourceParams;
  return { ...options, dataSourceParams: params };
};

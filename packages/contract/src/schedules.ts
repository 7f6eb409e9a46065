import { Type, type Static } from 'typebox';
import { IdParam, idParams, Name, nullable, strictObject, Timestamp, Uuid } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';
import { DataSourceParams, ingestOptionProperties } from './ingest.ts';
import { JobError } from './jobs.ts';

const Cron = Type.String({
  minLength: 1,
  maxLength: 200,
  description:
    'Five fields: minute, hour, day of the month, month, day of the week; for example `0 6 * * MON-FRI`. If both days are limited, either is enough. A time that a clock change skips comes right after the change; one that comes twice counts once.',
});
const TimeZone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The IANA name of the time zone of the cron expression, such as Europe/Berlin.',
});
const forCreator = 'Only for the person who created the schedule; null for others.';

export const ScheduledRequest = strictObject(
  { ...ingestOptionProperties, dataSourceParams: DataSourceParams },
  {
    title: 'ScheduledRequest',
    description:
      'The body of POST /ingest without its ids. It is stored encrypted. changedSinceJob must not be sent: a schedule continues from its last completed run.',
  },
);
export type ScheduledRequest = Static<typeof ScheduledRequest>;

export const Schedule = strictObject(
  {
    id: Uuid,
    workspaceId: Type.String({ description: 'The id of the workspace.' }),
    datasetId: Uuid,
    userId: Type.String({
      description:
        'The id of the person who created it. Its runs have the rights that they have at that time.',
    }),
    name: Name,
    cron: Cron,
    timeZone: TimeZone,
    isActive: Type.Boolean({ description: 'Whether it starts runs by itself.' }),
    mailOnFailure: Type.Boolean({
      description:
        'Whether the creator gets a mail when a run fails. The next mail comes after a completed run.',
    }),
    nextRunAt: nullable(Type.String({ format: 'date-time', description: 'Null while it is not active.' })),
    pausedReason: nullable(
      Type.String({ description: `Why the server made it inactive; null if it did not. ${forCreator}` }),
    ),
    request: nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: `What each run sends to POST /ingest, without connectionInfo. ${forCreator}`,
      }),
    ),
    source: nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: `The source, as in the config of its jobs. ${forCreator}`,
      }),
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Schedule', description: 'Starts ingest jobs at set times.' },
);
export type Schedule = Static<typeof Schedule>;

const changeable = {
  name: Name,
  cron: Cron,
  timeZone: Type.Optional({ ...TimeZone, default: 'UTC' }),
  isActive: Type.Optional(Type.Boolean({ default: true })),
  mailOnFailure: Type.Optional(Type.Boolean({ default: false })),
  request: ScheduledRequest,
};

export const ScheduleCreate = strictObject(
  { workspaceId: Type.Optional(nullable(IdParam)), datasetId: IdParam, ...changeable },
  {
    title: 'ScheduleCreate',
    examples: [
      {
        datasetId: '0198a5b2-0000-4000-8000-000000000001',
        name: 'Airports each morning',
        cron: '0 6 * * *',
        timeZone: 'Europe/Berlin',
        request: {
          writeMode: 'replace',
          dataSourceParams: {
            type: 'URL',
            connectionInfo: { urls: [{ url: 'https://example.org/airports.csv' }] },
          },
        },
      },
    ],
  },
);
export type ScheduleCreate = Static<typeof ScheduleCreate>;

export const SchedulePatch = strictObject(
  {
    name: Type.Optional(Name),
    cron: Type.Optional(Cron),
    timeZone: Type.Optional(TimeZone),
    isActive: Type.Optional(
      Type.Boolean({
        description: 'false pauses the schedule. true starts it again, after a pause by the server too.',
      }),
    ),
    mailOnFailure: Type.Optional(Type.Boolean()),
    request: Type.Optional(ScheduledRequest),
  },
  { title: 'SchedulePatch', examples: [{ isActive: false }] },
);
export type SchedulePatch = Static<typeof SchedulePatch>;

export const ScheduleRunStatus = Type.Enum(
  ['starting', 'queued', 'running', 'completed', 'canceled', 'failed', 'skipped'],
  {
    description:
      'The status of its job. starting: the job is about to be created. skipped: the run before had not ended. failed without a job: the job could not be created.',
  },
);
export type ScheduleRunStatus = Static<typeof ScheduleRunStatus>;

export const ScheduleRun = strictObject(
  {
    id: Uuid,
    scheduleId: Uuid,
    plannedAt: Type.String({ format: 'date-time', description: 'When it was due, or requested.' }),
    isManual: Type.Boolean({ description: 'Whether a person requested it.' }),
    status: ScheduleRunStatus,
    jobId: nullable(Type.String({ description: 'The id of its job; null without one.' })),
    error: nullable(JobError),
    startedAt: nullable(Timestamp),
    endedAt: nullable(Timestamp),
  },
  { title: 'ScheduleRun', description: 'One run of a schedule.' },
);
export type ScheduleRun = Static<typeof ScheduleRun>;

const tag = 'Schedules';
const params = idParams('The id of the schedule.');
const errors = ['AuthError', 'ForbiddenError', 'NotFoundError'] as const;
const requestErrors = [...errors, 'NotImplementedError', 'SecurityError'] as const;
const success = (description: string) => ({ status: 200, description, schema: Schedule }) as const;

export const scheduleRoutes = {
  listSchedules: defineRoute({
    method: 'GET',
    path: '/schedules',
    operationId: 'listSchedules',
    tag,
    summary: 'List schedules',
    description:
      'Returns a page of the schedules that you created, and of those on datasets that you manage.',
    caller: 'member',
    list: {
      entity: Schedule,
      filters: [
        'id',
        'workspaceId',
        'datasetId',
        'userId',
        'name',
        'isActive',
        'nextRunAt',
        'createdAt',
        'updatedAt',
      ],
    },
    success: { status: 200, description: 'A page of schedules.', schema: toPageSchema(Schedule) },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  createSchedule: defineRoute({
    method: 'POST',
    path: '/schedules',
    operationId: 'createSchedule',
    tag,
    summary: 'Create a schedule',
    description:
      'Creates a schedule that starts ingest jobs at set times. The request is checked as POST /ingest does, and nothing is read yet. Each run has the rights that you have at that time.',
    caller: 'member',
    body: ScheduleCreate,
    success: { status: 201, description: 'The schedule.', schema: Schedule },
    errors: requestErrors,
  }),
  getSchedule: defineRoute({
    method: 'GET',
    path: '/schedules/{id}',
    operationId: 'getSchedule',
    tag,
    summary: 'Get a schedule',
    description: 'Returns one schedule.',
    caller: 'member',
    params,
    success: success('The schedule.'),
    errors,
  }),
  patchSchedule: defineRoute({
    method: 'PATCH',
    path: '/schedules/{id}',
    operationId: 'patchSchedule',
    tag,
    summary: 'Change or pause a schedule',
    description:
      'Changes the properties that you send. A new request replaces the old one as a whole, its connection included.',
    caller: 'member',
    params,
    body: SchedulePatch,
    success: success('The changed schedule.'),
    errors: requestErrors,
  }),
  deleteSchedule: defineRoute({
    method: 'DELETE',
    path: '/schedules/{id}',
    operationId: 'deleteSchedule',
    tag,
    summary: 'Delete a schedule',
    description: 'Deletes a schedule with its history. Its jobs and their records stay.',
    caller: 'member',
    params,
    success: success('The schedule that was deleted.'),
    errors,
  }),
  runSchedule: defineRoute({
    method: 'POST',
    path: '/schedules/{id}/runs',
    operationId: 'runSchedule',
    tag,
    summary: 'Run a schedule now',
    description:
      'Starts a run, also of a schedule that is not active. The run is skipped if the one before has not ended.',
    caller: 'member',
    params,
    success: { status: 202, description: 'The run.', schema: ScheduleRun },
    errors,
  }),
  listScheduleRuns: defineRoute({
    method: 'GET',
    path: '/schedules/{id}/runs',
    operationId: 'listScheduleRuns',
    tag,
    summary: 'List the runs of a schedule',
    description: 'Returns a page of the runs of a schedule. Only its creator sees their errors.',
    caller: 'member',
    params,
    list: {
      entity: ScheduleRun,
      filters: ['id', 'plannedAt', 'isManual', 'status', 'jobId', 'startedAt', 'endedAt'],
    },
    success: { status: 200, description: 'A page of runs.', schema: toPageSchema(ScheduleRun) },
    errors,
  }),
} as const;

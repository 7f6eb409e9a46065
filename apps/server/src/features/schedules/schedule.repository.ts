import type { ListQuery, Schedule, ScheduleRun } from '@redoubt/contract';
import { sql } from 'kysely';
import type { Member } from '../../platform/auth/actor.ts';
import { credentialText } from '../../platform/auth/credential.ts';
import type { Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';
import { datasetAccessBits, selectAccessBits } from '../datasets/index.ts';
import { isCreatedBy, runColumns, scheduleColumns, toRun, toSchedule } from './schedule-row.repository.ts';

export interface NewSchedule {
  id: string;
  datasetId: string;
  name: string;
  cron: string;
  timeZone: string;
  isActive: boolean;
  mailOnFailure: boolean;
  sealedRequest: string;
  /** The request and the source as the creator sees them, as JSON. */
  request: string;
  source: string;
  nextRunAt: Date | null;
  now: Date;
}

export type ScheduleChange = Partial<Omit<NewSchedule, 'datasetId' | 'id'>> & {
  now: Date;
  pausedReason?: null;
};

/** Schedules as one reader may see them: their own, and those on datasets that they manage. */
export interface ScheduleRepository {
  list(actor: Member, list: ListQuery): Promise<Page<Schedule>>;
  find(actor: Member, id: string): Promise<Schedule | undefined>;
  hasCreated(actor: Member, id: string): Promise<boolean>;
  /** The number of schedules that the person created in this workspace. */
  count(actor: Member): Promise<number>;
  create(actor: Member, schedule: NewSchedule): Promise<void>;
  update(id: string, change: ScheduleChange): Promise<void>;
  remove(id: string): Promise<void>;
  /** The runs of a schedule that is visible to the actor. */
  listRuns(actor: Member, scheduleId: string, list: ListQuery): Promise<Page<ScheduleRun>>;
  findRun(actor: Member, runId: string): Promise<ScheduleRun | undefined>;
}

export const createScheduleRepository = (db: Db): ScheduleRepository => {
  const visibleTo = (actor: Member) =>
    db
      .selectFrom('schedules')
      .innerJoin('datasets', 'datasets.id', 'schedules.dataset_id')
      .where('schedules.workspace_uid', '=', actor.workspace.uniqueId)
      .where((row) =>
        row.or([
          isCreatedBy(actor),
          sql<boolean>`(${selectAccessBits(db, actor)}) & ${datasetAccessBits.manage}::integer <> 0`,
        ]),
      );
  const shown = (actor: Member) => {
    const columns = scheduleColumns(actor);
    return visibleTo(actor).select([
      columns.id.as('id'),
      columns.workspaceId.as('workspaceId'),
      columns.datasetId.as('datasetId'),
      columns.userId.as('userId'),
      columns.name.as('name'),
      columns.cron.as('cron'),
      columns.timeZone.as('timeZone'),
      columns.isActive.as('isActive'),
      columns.mailOnFailure.as('mailOnFailure'),
      columns.nextRunAt.as('nextRunAt'),
      columns.pausedReason.as('pausedReason'),
      columns.request.as('request'),
      columns.source.as('source'),
      columns.createdAt.as('createdAt'),
      columns.updatedAt.as('updatedAt'),
    ]);
  };
  const shownRuns = (actor: Member) => {
    const columns = runColumns(actor);
    return visibleTo(actor)
      .innerJoin('schedule_runs', 'schedule_runs.schedule_id', 'schedules.id')
      .leftJoin('jobs', 'jobs.id', 'schedule_runs.job_id')
      .select([
        columns.id.as('id'),
        columns.scheduleId.as('scheduleId'),
        columns.plannedAt.as('plannedAt'),
        columns.isManual.as('isManual'),
        columns.status.as('status'),
        columns.jobId.as('jobId'),
        columns.error.as('error'),
        columns.errorName.as('errorName'),
        columns.errorCode.as('errorCode'),
        columns.startedAt.as('startedAt'),
        columns.endedAt.as('endedAt'),
      ]);
  };
  return {
    list: async (actor, list) => {
      const columns = scheduleColumns(actor);
      const page = await readPage(shown(actor), list, columns, columns.id);
      return { ...page, data: page.data.map((row) => toSchedule(row)) };
    },
    find: async (actor, id) => {
      const row = await shown(actor).where('schedules.id', '=', id).executeTakeFirst();
      return row && toSchedule(row);
    },
    hasCreated: async (actor, id) => {
      const row = await visibleTo(actor)
        .where('schedules.id', '=', id)
        .where(isCreatedBy(actor))
        .select('schedules.id')
        .executeTakeFirst();
      return row !== undefined;
    },
    count: async ({ accountId, workspace }) => {
      const { total } = await db
        .selectFrom('schedules')
        .where('account_id', '=', accountId)
        .where('workspace_uid', '=', workspace.uniqueId)
        .select((row) => row.fn.countAll<string>().as('total'))
        .executeTakeFirstOrThrow();
      return Number(total);
    },
    create: async ({ accountId, workspace, credential, sessionId }, schedule) => {
      const { id, datasetId, name, cron, timeZone, isActive, mailOnFailure, now, nextRunAt } = schedule;
      await db
        .insertInto('schedules')
        .values({
          id,
          workspace_uid: workspace.uniqueId,
          dataset_id: datasetId,
          account_id: accountId,
          credential: credentialText(credential),
          grant_id: sql<string | null>`(select grant_id from sessions where id = ${sessionId})`,
          name,
          cron,
          time_zone: timeZone,
          sealed_request: schedule.sealedRequest,
          request: schedule.request,
          source: schedule.source,
          is_active: isActive,
          mail_on_failure: mailOnFailure,
          next_run_at: nextRunAt,
          created_at: now,
          updated_at: now,
        })
        .execute();
    },
    update: async (id, { now, name, cron, timeZone, isActive, mailOnFailure, nextRunAt, ...change }) => {
      await db
        .updateTable('schedules')
        .set({
          updated_at: now,
          ...(name !== undefined && { name }),
          ...(cron !== undefined && { cron }),
          ...(timeZone !== undefined && { time_zone: timeZone }),
          ...(isActive !== undefined && { is_active: isActive }),
          ...(mailOnFailure !== undefined && { mail_on_failure: mailOnFailure }),
          ...(nextRunAt !== undefined && { next_run_at: nextRunAt }),
          ...(change.pausedReason !== undefined && { paused_reason: change.pausedReason }),
          ...(change.sealedRequest !== undefined && {
            sealed_request: change.sealedRequest,
            request_changed_at: now,
          }),
          ...(change.request !== undefined && { request: change.request }),
          ...(change.source !== undefined && { source: change.source }),
        })
        .where('id', '=', id)
        .execute();
    },
    remove: async (id) => {
      await db.deleteFrom('schedules').where('id', '=', id).execute();
    },
    listRuns: async (actor, scheduleId, list) => {
      const columns = runColumns(actor);
      const query = shownRuns(actor).where('schedules.id', '=', scheduleId);
      const page = await readPage(query, list, columns, columns.id);
      return { ...page, data: page.data.map((row) => toRun(row)) };
    },
    findRun: async (actor, runId) => {
      const row = await shownRuns(actor).where('schedule_runs.id', '=', runId).executeTakeFirst();
      return row && toRun(row);
    },
  };
};

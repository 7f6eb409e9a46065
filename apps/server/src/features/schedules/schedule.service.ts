import type {
  ListQuery,
  Schedule,
  ScheduleCreate,
  SchedulePatch,
  ScheduledRequest,
  ScheduleRun,
} from '@redoubt/contract';
import { badField, badRequest, forbidden, notFound } from '@redoubt/errors';
import type { AuditedChange, AuditEvent } from '../../platform/audit/index.ts';
import type { Member } from '../../platform/auth/actor.ts';
import { requireOwnWorkspace } from '../../platform/auth/guards.ts';
import type { Page } from '../../platform/db/list.ts';
import { requireMail, type MailQueue } from '../../platform/mail/index.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { IngestStarter } from '../ingest/index.ts';
import { nextRun, requireCron } from './cron.ts';
import type { RunStarter } from './run-starter.ts';
import { shownRequest } from './schedule-row.repository.ts';
import type { NewSchedule, ScheduleChange, ScheduleRepository } from './schedule.repository.ts';
import type { ScheduleRunRepository } from './schedule-run.repository.ts';
import { sealRequest } from './sealed-request.ts';

export interface ScheduleService {
  list(actor: Member, list: ListQuery): Promise<Page<Schedule>>;
  get(actor: Member, id: string): Promise<Schedule>;
  create(actor: Member, body: ScheduleCreate): Promise<Schedule>;
  patch(actor: Member, id: string, body: SchedulePatch): Promise<Schedule>;
  remove(actor: Member, id: string): Promise<Schedule>;
  run(actor: Member, id: string): Promise<ScheduleRun>;
  listRuns(actor: Member, id: string, list: ListQuery): Promise<Page<ScheduleRun>>;
}

/** Maximum number of schedules of one person in one workspace. */
const maxSchedules = 200;

/** The event contains no name: managers of the dataset see it, and a name may be of what they do not see. */
const event = (description: string, { id, datasetId }: Pick<Schedule, 'datasetId' | 'id'>): AuditEvent => ({
  type: 'DatasetManagement',
  description,
  datasetId,
  details: { scheduleId: id },
});

const requireNoEarlierJob = ({ dataSourceParams: { connectionInfo } }: ScheduledRequest): void => {
  if (connectionInfo?.['changedSinceJob'] === undefined) return;
  throw badField(
    'request.dataSourceParams.connectionInfo.changedSinceJob',
    'must not be sent, because a schedule continues from its last completed run by itself. Leave it out.',
  );
};

/** A run as it was requested: its job may already have begun, and how far it is depends on the load of the server. */
const asRequested = (run: ScheduleRun): ScheduleRun =>
  run.jobId === null ? run : { ...run, status: 'queued', error: null, startedAt: null, endedAt: null };

export const createScheduleService = ({
  repository,
  audited,
  auditedRuns,
  ingest,
  starter,
  mail,
  secrets,
  runtime: { clock, ids },
}: {
  repository: ScheduleRepository;
  audited: AuditedChange<Pick<ScheduleRepository, 'create' | 'remove' | 'update'>>;
  auditedRuns: AuditedChange<Pick<ScheduleRunRepository, 'add'>>;
  ingest: Pick<IngestStarter, 'check'>;
  starter: Pick<RunStarter, 'leaseUntil' | 'start'>;
  mail: Pick<MailQueue, 'sends'>;
  secrets: Pick<SecretBox, 'seal'>;
  runtime: Pick<Runtime, 'clock' | 'ids'>;
}): ScheduleService => {
  const get = async (actor: Member, id: string): Promise<Schedule> => {
    const schedule = await repository.find(actor, id);
    if (schedule === undefined) throw notFound('schedule', id);
    return schedule;
  };

  const requireCreator = async (actor: Member, id: string, action: string): Promise<void> => {
    if (await repository.hasCreated(actor, id)) return;
    throw forbidden(
      `A schedule runs with the rights of the person who created it, so only they may ${action}. Create a schedule of your own.`,
    );
  };

  const requireSending = (mailOnFailure: boolean | undefined): void => {
    if (mailOnFailure === true) requireMail(mail, 'mailOnFailure must be false. Send false');
  };

  /** Checks a request as POST /ingest does. @returns its columns */
  const accepted = async (
    actor: Member,
    { id, datasetId }: Pick<Schedule, 'datasetId' | 'id'>,
    request: ScheduledRequest,
  ): Promise<Pick<NewSchedule, 'request' | 'sealedRequest' | 'source'>> => {
    requireNoEarlierJob(request);
    const source = await ingest.check(actor, { ...request, datasetId });
    return {
      sealedRequest: sealRequest(secrets, id, request),
      request: JSON.stringify(shownRequest(request)),
      source: JSON.stringify(source),
    };
  };

  return {
    list: (actor, list) => repository.list(actor, list),
    get,
    create: async (actor, { workspaceId, datasetId, name, cron, request, ...sent }) => {
      const { timeZone = 'UTC', isActive = true, mailOnFailure = false } = sent;
      if (workspaceId !== undefined && workspaceId !== null) requireOwnWorkspace(actor, workspaceId);
      const now = clock.now();
      const id = ids.uuid();
      const columns = await accepted(actor, { id, datasetId }, request);
      requireCron({ cron, timeZone }, now);
      requireSending(mailOnFailure);
      if ((await repository.count(actor)) >= maxSchedules) {
        throw badRequest(
          `You have ${String(maxSchedules)} schedules, which is the limit. Delete one that you no longer need.`,
        );
      }
      const nextRunAt = isActive ? nextRun({ cron, timeZone }, now) : null;
      const schedule = { id, datasetId, name, cron, timeZone, isActive, mailOnFailure, nextRunAt, now };
      await audited(actor, event('created a schedule', schedule), (changes) =>
        changes.create(actor, { ...schedule, ...columns }),
      );
      return get(actor, id);
    },
    patch: async (actor, id, { request, ...sent }) => {
      const old = await get(actor, id);
      const isPause = sent.isActive === false && Object.keys(sent).length === 1 && request === undefined;
      if (!isPause) await requireCreator(actor, id, 'change it. Others can send isActive: false');
      const now = clock.now();
      const times = { cron: sent.cron ?? old.cron, timeZone: sent.timeZone ?? old.timeZone };
      const isActive = sent.isActive ?? old.isActive;
      const hasNewTimes = sent.cron !== undefined || sent.timeZone !== undefined;
      if (hasNewTimes) requireCron(times, now);
      requireSending(sent.mailOnFailure);
      const change: ScheduleChange = {
        ...sent,
        ...(request !== undefined && (await accepted(actor, old, request))),
        now,
      };
      if (!isActive) change.nextRunAt = null;
      else if (hasNewTimes || !old.isActive) change.nextRunAt = nextRun(times, now);
      if (isActive && !old.isActive) change.pausedReason = null;
      const description = isPause ? 'paused a schedule' : 'changed a schedule';
      await audited(actor, event(description, old), (changes) => changes.update(id, change));
      return get(actor, id);
    },
    remove: async (actor, id) => {
      const schedule = await get(actor, id);
      await audited(actor, event('deleted a schedule', schedule), (changes) => changes.remove(id));
      return schedule;
    },
    run: async (actor, id) => {
      const schedule = await get(actor, id);
      await requireCreator(actor, id, 'run it');
      const now = clock.now();
      const run = { id: ids.uuid(), scheduleId: id, plannedAt: now, isManual: true, now };
      const leaseUntil = starter.leaseUntil(now);
      await auditedRuns(actor, event('requested a run of a schedule', schedule), (changes) =>
        changes.add({ ...run, leaseUntil }),
      );
      await starter.start(run.id);
      const started = await repository.findRun(actor, run.id);
      if (started === undefined) throw notFound('schedule', id);
      return asRequested(started);
    },
    listRuns: async (actor, id, list) => {
      await get(actor, id);
      return repository.listRuns(actor, id, list);
    },
  };
};

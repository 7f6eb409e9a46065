import type { JobType } from '@redoubt/contract';
import { createAuditedChange, type Audit } from '../../platform/audit/index.ts';
import type { Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import {
  createJobChanges,
  createJobQueueRepository,
  createJobRunner,
  requireWaitingPlace,
  type JobKind,
  type JobQueueRepository,
  type JobRunner,
} from '../../platform/jobs/index.ts';
import type { Logger } from '../../platform/log/logger.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { Subscriptions } from '../../platform/subscriptions/index.ts';
import { createJobRepository, type JobRepository } from './job.repository.ts';
import { createJobRoutes } from './job.routes.ts';
import { createJobService, type JobService, type StartFromConfig } from './job.service.ts';
import type { JobVisibility } from './job-visibility.ts';
import { createStartJob, type StartJob } from './start-job.ts';

export { hasHiddenFiles, isStartedBy } from './job.repository.ts';
export type { StartFromConfig } from './job.service.ts';
export type { JobVisibility, JobSubjects } from './job-visibility.ts';
export type { StartJob } from './start-job.ts';

/** The routes of jobs, and what other features use of them. */
export interface WiredJobs {
  bindings: RouteBinding[];
  startJob: StartJob;
  /**
   * Requires that another job of the actor may wait: `startJob` does so too, but only after other work of its caller.
   * @throws ForbiddenError 429
   */
  requireWaitingPlace(actor: Member): Promise<void>;
  /** Registers a kind of job. With `start`, `POST /jobs` can start such jobs. */
  offer(kind: JobKind, start?: StartFromConfig): void;
  /** Start it after all kinds are registered. */
  runner: JobRunner;
  /** Returns those of the ids whose jobs are queued or running. */
  open: JobQueueRepository['open'];
  ended: JobService['ended'];
  retry: JobService['retry'];
  findStarter: JobQueueRepository['findStarter'];
  hasStarted: JobRepository['hasStarted'];
}

/** Wires jobs: work that continues after the response. */
export const wireJobs = ({
  db,
  runtime: { clock, ids },
  logger,
  jobs: { shared, perWorkspace },
  subscriptions,
  audit,
  visibility,
}: {
  audit: Pick<Audit, 'change'>;
  visibility: JobVisibility;
  db: Db;
  runtime: Runtime;
  logger: Logger;
  jobs: { shared: boolean; perWorkspace: number };
  subscriptions: Pick<Subscriptions, 'isBilled' | 'requireOpen' | 'within'>;
}): WiredJobs => {
  const queue = createJobQueueRepository(db);
  const jobs = createJobRepository(db);
  const audited = createAuditedChange(audit, createJobChanges);
  const runner = createJobRunner({ queue, clock, ids, logger, shared, perWorkspace, subscriptions });
  const starters = new Map<JobType, StartFromConfig>();
  const service = createJobService({ jobs, audited, runner, starters, visibility, clock });
  return {
    bindings: createJobRoutes(service),
    startJob: createStartJob({ jobs, audited, runner, visibility, clock, ids }),
    requireWaitingPlace: ({ accountId, workspace }) =>
      requireWaitingPlace(db, { accountId, workspaceUid: workspace.uniqueId }),
    offer: (kind, start) => {
      runner.add(kind);
      if (start !== undefined) starters.set(kind.type, start);
    },
    runner,
    open: queue.open,
    ended: service.ended,
    retry: service.retry,
    findStarter: queue.findStarter,
    hasStarted: jobs.hasStarted,
  };
};

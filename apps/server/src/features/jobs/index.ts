import type { JobType } from '@redoubt/contract';
import { createAuditedChange, type Audit } from '../../platform/audit/index.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import {
  createJobChanges,
  createJobQueueRepository,
  createJobRunner,
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
import type { JobSight } from './job-sight.ts';
import { createStartJob, type StartJob } from './start-job.ts';

export { isStartedBy } from './job.repository.ts';
export type { StartFromConfig } from './job.service.ts';
export type { JobSight, JobSubjects } from './job-sight.ts';
export type { StartJob } from './start-job.ts';

export interface WiredJobs {
  bindings: RouteBinding[];
  startJob: StartJob;
  /** Has jobs of a type run, and lets `POST /jobs` start them where there is a starter. */
  offer(kind: JobKind, start?: StartFromConfig): void;
  /** To be started when all kinds are offered. */
  runner: JobRunner;
  /** Those of the ids that belong to a job that waits or runs. */
  open: JobQueueRepository['open'];
  ended: JobService['ended'];
  hasStarted: JobRepository['hasStarted'];
}

/** Work that goes on after its call was answered. */
export const wireJobs = ({
  db,
  runtime: { clock, ids },
  logger,
  jobs: { shared, perWorkspace },
  subscriptions,
  audit,
  sight,
}: {
  audit: Pick<Audit, 'change'>;
  sight: JobSight;
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
  const service = createJobService({ jobs, audited, runner, starters, sight, clock });
  return {
    bindings: createJobRoutes(service),
    startJob: createStartJob({ jobs, audited, runner, sight, clock, ids }),
    offer: (kind, start) => {
      runner.add(kind);
      if (start !== undefined) starters.set(kind.type, start);
    },
    runner,
    open: queue.open,
    ended: service.ended,
    hasStarted: jobs.hasStarted,
  };
};

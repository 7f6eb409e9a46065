import { createAuditedChange, type Audit } from '../../platform/audit/index.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Logger } from '../../platform/log/logger.ts';
import type { MailQueue } from '../../platform/mail/index.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { Subscriptions } from '../../platform/subscriptions/index.ts';
import type { IngestStarter } from '../ingest/index.ts';
import type { WiredJobs } from '../jobs/index.ts';
import { createReportFailure } from './report-failure.ts';
import { createRunStarter } from './run-starter.ts';
import { createScheduleClock, type ScheduleClock } from './schedule-clock.ts';
import { registerScheduleMail } from './schedule-mail.ts';
import { createScheduleMailRepository } from './schedule-mail.repository.ts';
import { createScheduleRepository } from './schedule.repository.ts';
import { createScheduleRoutes } from './schedule.routes.ts';
import { createScheduleRunRepository } from './schedule-run.repository.ts';
import { createScheduleService } from './schedule.service.ts';

export type { ScheduleClock } from './schedule-clock.ts';

/** Wires schedules: ingest jobs that start at set times. */
export const wireSchedules = ({
  db,
  runtime,
  logger,
  secrets,
  audit,
  mail,
  subscriptions,
  jobs,
  ingest,
  publicUrl,
}: {
  db: Db;
  runtime: Runtime;
  logger: Logger;
  secrets: SecretBox;
  audit: Audit;
  mail: MailQueue;
  subscriptions: Pick<Subscriptions, 'requireOpen'>;
  jobs: Pick<WiredJobs, 'findStarter' | 'requireWaitingPlace' | 'retry'>;
  ingest: IngestStarter;
  publicUrl: () => string;
}): { bindings: RouteBinding[]; clock: ScheduleClock } => {
  registerScheduleMail({ mail, repository: createScheduleMailRepository(db), publicUrl });
  const runs = createScheduleRunRepository(db);
  const reportFailure = createReportFailure({
    audit,
    mail,
    requireOpen: subscriptions.requireOpen,
    clock: runtime.clock,
  });
  const starter = createRunStarter({
    runs,
    repositoryOn: createScheduleRunRepository,
    jobs,
    requireOpen: subscriptions.requireOpen,
    ingest,
    secrets,
    reportFailure,
    logger,
    clock: runtime.clock,
  });
  return {
    bindings: createScheduleRoutes(
      createScheduleService({
        repository: createScheduleRepository(db),
        audited: createAuditedChange(audit, createScheduleRepository),
        auditedRuns: createAuditedChange(audit, createScheduleRunRepository),
        ingest,
        starter,
        mail,
        secrets,
        runtime,
      }),
    ),
    clock: createScheduleClock({ runs, starter, reportFailure, logger, runtime }),
  };
};

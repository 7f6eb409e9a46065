import type { FastifyInstance } from 'fastify';
import type { OperatorAccounts } from './features/accounts/index.ts';
import type { UsageReport } from './features/billing/index.ts';
import type { ScheduleClock } from './features/schedules/index.ts';
import { wireFeatures, type ServerDeps } from './deps.ts';
import type { AuditLog } from './platform/audit/index.ts';
import { noProtection } from './platform/http/protection/protection.ts';
import { createHttpServer } from './platform/http/server.ts';
import type { Metering } from './platform/metering/index.ts';

export interface Server {
  app: FastifyInstance;
  /** Account commands for the operator of the machine (`redoubt accounts`). */
  operatorAccounts: OperatorAccounts;
  /** Resolves when no job is running and none is queued that this process may run. */
  jobsSettled(): Promise<void>;
  /** Resolves when no mail is being sent and none is due. */
  mailSettled(): Promise<void>;
  /** The caller starts it once the server listens, and stops it after closing the app. */
  metering: Metering;
  /** The caller starts and stops it together with `metering`. */
  usageReport: UsageReport;
  /** The caller starts it once the server listens; closing the app stops it. */
  schedules: ScheduleClock;
  /** The caller starts it once the server listens; closing the app stops it. */
  audit: AuditLog;
}

/**
 * Builds the whole server, ready to listen or to receive injected requests in tests. Reads no environment variables and
 * opens no port. Jobs run from the moment the app is ready until it is closed.
 */
export const buildApp = async (deps: ServerDeps): Promise<Server> => {
  const {
    bindings,
    authenticate,
    subscriptions,
    metering,
    usageReport,
    schedules,
    jobs,
    mail,
    audit,
    operatorAccounts,
    onListen,
  } = await wireFeatures(deps);
  const app = createHttpServer({
    bindings,
    audit,
    authenticate,
    logger: deps.logger,
    runtime: deps.runtime,
    bodyLimit: deps.limits.bodyBytes,
    protection: { ...noProtection, ...deps.protection },
    intercept: subscriptions.intercept,
    site: deps.site,
    console: deps.console,
    cut: deps.cut,
  });
  app.addHook('onReady', () => jobs.start());
  // Mail contains links that start with the server's URL, which is unknown until it listens.
  app.addHook('onListen', async () => mail.start());
  app.addHook('onListen', onListen);
  // Stop jobs and mail at once instead of waiting for requests in flight: both continue at the next start.
  let stopped: Promise<unknown> = Promise.resolve();
  app.addHook('preClose', async () => {
    stopped = Promise.all([schedules.stop(), jobs.stop(), mail.stop()]);
    stopped.catch(() => undefined);
  });
  app.addHook('onClose', async () => {
    await stopped;
    await audit.stop();
  });
  return {
    app,
    jobsSettled: jobs.settled,
    mailSettled: mail.settled,
    operatorAccounts,
    metering,
    usageReport,
    schedules,
    audit,
  };
};

import type { FastifyInstance } from 'fastify';
import type { OperatorAccounts } from './features/accounts/index.ts';
import type { UsageReport } from './features/billing/index.ts';
import { wireFeatures, type ServerDeps } from './deps.ts';
import type { AuditLog } from './platform/audit/index.ts';
import { noProtection } from './platform/http/protection/protection.ts';
import { createHttpServer } from './platform/http/server.ts';
import type { Metering } from './platform/metering/index.ts';

export interface Server {
  app: FastifyInstance;
  /** For the operator of the machine. */
  operatorAccounts: OperatorAccounts;
  /** Resolves when no job runs and none waits that this process may run. */
  jobsSettled(): Promise<void>;
  /** Resolves when no mail is being sent and none waits that is due. */
  mailSettled(): Promise<void>;
  /** To be started when the server listens, and stopped when it is closed. */
  metering: Metering;
  /** Likewise. */
  usageReport: UsageReport;
  /** To be started when the server listens; it stops with it. */
  audit: AuditLog;
}

/**
 * The whole server, ready to listen or to be asked by tests. Reads no environment and opens no port. Jobs run from the
 * moment that it is ready until it is closed.
 */
export const buildApp = async (deps: ServerDeps): Promise<Server> => {
  const {
    bindings,
    authenticate,
    subscriptions,
    metering,
    usageReport,
    jobs,
    mail,
    audit,
    operatorAccounts,
  } = await wireFeatures(deps);
  const app = createHttpServer({
    bindings,
    audit,
    authenticate,
    logger: deps.logger,
    runtime: deps.runtime,
    bodyLimit: deps.limits.bodyBytes,
    protection: { ...noProtection, ...deps.protection },
    around: subscriptions.around,
    site: deps.site,
    cut: deps.cut,
  });
  app.addHook('onReady', () => jobs.start());
  // Links in mail begin with the address that the server listens on.
  app.addHook('onListen', async () => mail.start());
  // Jobs go on at the next start, and mail is sent then: neither waits until the requests in flight have ended.
  let stopped: Promise<unknown> = Promise.resolve();
  app.addHook('preClose', async () => {
    stopped = Promise.all([jobs.stop(), mail.stop()]);
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
    audit,
  };
};

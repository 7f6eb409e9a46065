import type { FastifyInstance } from 'fastify';
import { wireFeatures, type ServerDeps } from './deps.ts';
import { noProtection } from './platform/http/protection/protection.ts';
import { createHttpServer } from './platform/http/server.ts';

export interface Server {
  app: FastifyInstance;
  /** Resolves when no job runs and none waits that this process may run. */
  jobsSettled(): Promise<void>;
}

/**
 * The whole server, ready to listen or to be asked by tests. Reads no environment and opens no port. Jobs run from the
 * moment that it is ready until it is closed.
 */
export const buildApp = async (deps: ServerDeps): Promise<Server> => {
  const { bindings, authenticate, subscriptions, metering, jobs } = await wireFeatures(deps);
  const app = createHttpServer({
    bindings,
    authenticate,
    logger: deps.logger,
    runtime: deps.runtime,
    bodyLimit: deps.limits.bodyBytes,
    protection: { ...noProtection, ...deps.protection },
    around: subscriptions.around,
  });
  app.addHook('onReady', () => jobs.start());
  app.addHook('onClose', () => jobs.stop());
  return { app, jobsSettled: jobs.settled };
};

import type { FastifyInstance } from 'fastify';
import { wireFeatures, type ServerDeps } from './deps.ts';
import { createHttpServer } from './platform/http/server.ts';

/** The whole server, ready to listen or to be asked by tests. Reads no environment and opens no port. */
export const buildApp = async (deps: ServerDeps): Promise<FastifyInstance> => {
  const { bindings, authenticate } = await wireFeatures(deps);
  return createHttpServer({
    bindings,
    authenticate,
    logger: deps.logger,
    runtime: deps.runtime,
    bodyLimit: deps.limits.bodyBytes,
  });
};

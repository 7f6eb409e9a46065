import type { FastifyRequest } from 'fastify';

/** How a request is named in the log, in figures and in traces: by a template or a word, never by its path. */
export const routeName = ({ routeOptions }: FastifyRequest): string =>
  routeOptions.config.label ?? routeOptions.url ?? 'unknown';

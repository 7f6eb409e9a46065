import type { FastifyRequest } from 'fastify';

/** The name of a request's route in the log, metrics and traces: a URL template or a label, never the path itself. */
export const routeName = ({ routeOptions }: FastifyRequest): string =>
  routeOptions.config.label ?? routeOptions.url ?? 'unknown';

import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** How long a browser may remember what it was allowed, in seconds. */
const rememberedSeconds = 600;

/** What pages of other origins may read of an answer, beside its body. */
const exposedHeaders = [
  'Koverse-User',
  'Koverse-Jwt',
  'Redoubt-Billing-Warning',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
];

/**
 * Lets pages of these origins call the API with a bearer token or key that they have. Cookies are not let through, so
 * that no page can act for a person whose browser merely happens to be signed in.
 */
export const allowOrigins = (app: FastifyInstance, origins: readonly string[]): void => {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  void app.register(cors, {
    origin: (origin: string | undefined) => Promise.resolve(origin !== undefined && allowed.has(origin)),
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'X-API-Key', 'Content-Type', 'Content-Encoding', 'Accept'],
    exposedHeaders,
    maxAge: rememberedSeconds,
    credentials: false,
  });
};

import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** How long a browser may cache the response to a preflight request, in seconds. */
const maxAgeSeconds = 600;

/** The response headers that pages of other origins may read. */
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
 * Lets pages of these origins call the API with their own bearer token or key. Cookies are not allowed, so that no page
 * can act for a person just because their browser is signed in.
 */
export const allowOrigins = (app: FastifyInstance, origins: readonly string[]): void => {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  void app.register(cors, {
    origin: (origin: string | undefined) => Promise.resolve(origin !== undefined && allowed.has(origin)),
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'X-API-Key', 'Content-Type', 'Content-Encoding', 'Accept'],
    exposedHeaders,
    maxAge: maxAgeSeconds,
    credentials: false,
  });
};

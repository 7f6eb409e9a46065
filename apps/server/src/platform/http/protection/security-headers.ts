import type { FastifyInstance, FastifyReply } from 'fastify';

/** For responses to programs: if a browser shows one anyway, it runs nothing, loads nothing and cannot be framed. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'";

/** For pages that the server renders: their own styles and forms, and no scripts. */
const pagePolicy =
  "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const headers = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-permitted-cross-domain-policies': 'none',
} as const;

const oneYear = 'max-age=31536000';

const isPage = (reply: FastifyReply): boolean =>
  String(reply.getHeader('content-type') ?? '').startsWith('text/html');

/**
 * Sets the security headers of every response, except those that a route has set itself.
 * @param promisesTls whether responses over TLS tell browsers to use only TLS from now on
 */
export const setSecurityHeaders = (app: FastifyInstance, promisesTls: boolean): void => {
  app.addHook('onSend', (request, reply, payload, done) => {
    for (const [name, value] of Object.entries(headers)) {
      if (!reply.hasHeader(name)) void reply.header(name, value);
    }
    if (!reply.hasHeader('content-security-policy'))
      void reply.header('content-security-policy', isPage(reply) ? pagePolicy : dataPolicy);
    if (promisesTls && request.protocol === 'https') void reply.header('strict-transport-security', oneYear);
    void reply.header('x-request-id', request.id);
    done(null, payload);
  });
};

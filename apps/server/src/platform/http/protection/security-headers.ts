import type { FastifyInstance, FastifyReply } from 'fastify';

/** Answers for programs: shown by a browser nevertheless, they run nothing, load nothing and stand in no frame. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'";

/** Pages that the server makes itself: styles and forms of their own, and no script. */
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
 * Sets on every answer what keeps browsers from taking it for something else. What a route sets itself stays.
 * @param promisesTls whether browsers are told to come by TLS alone from now on, where a request came by it
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

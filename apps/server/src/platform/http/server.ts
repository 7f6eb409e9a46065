import type { RouteDescriptor } from '@redoubt/contract';
import { RedoubtError } from '@redoubt/errors';
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';

import type { IncomingMessage } from 'node:http';
import type { Audit } from '../audit/index.ts';
import type { Authenticate } from '../auth/authenticate.ts';
import type { Runtime } from '../runtime.ts';
import { isOfSite, serveConsole, serveSite, siteLabel, type Site } from '../site/index.ts';
import type { CallInterceptor } from './call-interceptor.ts';
import type { RouteBinding } from './binding.ts';
import { readBody } from './body.ts';
import { stopWithoutIdleConnections } from './connections.ts';
import { addressOwner, clientAddress, createIsTrustedProxy } from './client-address.ts';
import { createCutOff, serverStopping } from './cut-off.ts';
import { toErrorResponse } from './errors.ts';
import { createIdentify, hasCredential } from './identify.ts';
import { acceptMultipart } from './multipart/multipart.ts';
import { OAuthRequestError, toOAuthErrorBody, fromErrorBody } from './oauth-error.ts';
import { bodyLimitsFor, createBodyBudget, holdBody, type BodyLimits } from './protection/body-budget.ts';
import { allowOrigins } from './protection/cross-origin.ts';
import { createOpenUploads } from './protection/open-uploads.ts';
import type { Protection } from './protection/protection.ts';
import { isMultipart, registerRoute, smallBodyBytes } from './register-route.ts';
import { createRefusalAudit } from './refusal-audit.ts';
import { createRateLimits } from './protection/rate-limits.ts';
import { routeName } from './route-name.ts';
import { createRequestId } from './protection/request-ids.ts';
import { setSecurityHeaders } from './protection/security-headers.ts';
import { sendUnreadableRequestError } from './protection/unreadable-requests.ts';

export interface HttpDeps {
  audit: Pick<Audit, 'log'>;
  bindings: readonly RouteBinding[];
  authenticate: Authenticate;
  logger: FastifyBaseLogger;
  runtime: Pick<Runtime, 'clock' | 'ids'>;
  /** Maximum size of a body in bytes, after decompression. */
  bodyLimit: number;
  /** Maximum size of the bodies that are kept in memory at once; has a default. */
  bodyLimits?: BodyLimits | undefined;
  protection: Protection;
  /** Wraps the handling of calls of members. */
  intercept?: CallInterceptor;
  /** The documentation site; without it the server has only the API. */
  site?: Site | undefined;
  /** The console, at `/app/`. */
  console?: Site | undefined;
  /** Aborted when the server stops waiting for requests in flight. */
  cut?: AbortSignal | undefined;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The protocol that the responses follow instead of the conventions of this API. */
    protocol?: RouteDescriptor['protocol'] | undefined;
    /** The name of the route in the log and in metrics, instead of the path. */
    label?: string;
    /** See `RouteDescriptor.sessionHeader`. */
    sessionHeader?: RouteDescriptor['sessionHeader'];
  }
}

/** Maximum time for the headers of a request to arrive, in milliseconds; the whole request may take longer. */
const headersMs = 20_000;

/** Node.js checks for requests that take too long only at this interval. */
const arrivalTimeouts = (requestSeconds: number) => ({
  headersTimeout: Math.min(headersMs, requestSeconds * 1000),
  connectionsCheckingInterval: Math.min(5000, requestSeconds * 1000),
});

/** Some clients send the request line in absolute form: `POST https://host/path HTTP/1.1`. */
const originForm = (url: string): string => url.replace(/^https?:\/\/[^/?#]*/i, '') || '/';

const sendNotFound = (request: FastifyRequest, reply: FastifyReply): void => {
  const path = request.url.split('?')[0] ?? '';
  sendError(reply, new RedoubtError('NotFoundError', `There is no ${request.method} ${path} in this API.`));
};

/** Creates a server with the bound routes. It does not listen yet. */
export const createHttpServer = (deps: HttpDeps): FastifyInstance => {
  const { corsOrigins, rateLimits, requestSeconds, tls, trustedProxies } = deps.protection;
  const isTrusted = createIsTrustedProxy(trustedProxies);
  const options = {
    trustProxy: trustedProxies.length > 0 && isTrusted,
    // For paths that do not exist.
    bodyLimit: smallBodyBytes,
    requestTimeout: requestSeconds * 1000,
    // While the server stops, a hook below rejects requests with an error of this API.
    return503OnClosing: false,
    clientErrorHandler: sendUnreadableRequestError(requestSeconds),
    genReqId: createRequestId(deps.runtime.ids, isTrusted),
    rewriteUrl: ({ url }) => originForm(url ?? '/'),
    loggerInstance: deps.logger,
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: (error, request, reply) => handleError(error, request, reply),
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: 8192,
      querystringParser: (text) => ({ text }),
    },
  } satisfies FastifyServerOptions;
  const timing = arrivalTimeouts(requestSeconds);
  const app =
    tls === undefined
      ? fastify({ ...options, http: timing })
      : (fastify({
          ...options,
          https: { ...timing, cert: tls.cert, key: tls.key },
        }) as unknown as FastifyInstance);
  const limits = createRateLimits(rateLimits, deps.runtime.clock);
  const refusals = createRefusalAudit(deps.audit);
  const identify = createIdentify(deps.authenticate, limits, refusals);
  const cutOff = createCutOff(deps.cut);
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.addHook('onRequest', async () => {
    if (isStopping) throw serverStopping();
  });
  app.addHook('onClose', () => cutOff.settled());
  const bodies = createBodyBudget(deps.bodyLimits ?? bodyLimitsFor(deps.bodyLimit));
  app.decorateRequest('heldBody');
  app.decorateRequest('work');
  app.addHook('onRequest', (request, reply, done) => {
    holdBody(request, reply, bodies.ofAddress(addressOwner(clientAddress(request))));
    done();
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
    cutOff.read(() =>
      readBody(
        payload,
        request.headers['content-encoding'],
        request.routeOptions.bodyLimit,
        request.heldBody.keep,
      ),
    ),
  );
  app.setErrorHandler(async (error, request, reply) => {
    await refusals.failed(request, error);
    if (isStopping) void reply.header('connection', 'close');
    handleError(error, request, reply);
    return reply;
  });
  const { site, console } = deps;
  app.addHook('onRequest', (request, _reply, done) => {
    // A page loads some twenty files, which cost next to nothing and disclose nothing.
    const isFree =
      isFile(request) &&
      (request.url.startsWith('/app/assets/') || (site !== undefined && isOfSite(site, request)));
    if (!hasCredential(request) && !isFree) limits.countStranger(request);
    done();
  });
  const countUnknown = (request: FastifyRequest): void => {
    if (hasCredential(request)) limits.countStranger(request);
  };
  app.setNotFoundHandler((request, reply) => {
    countUnknown(request);
    sendNotFound(request, reply);
  });
  if (console !== undefined) serveConsole(app, console, sendNotFound);
  if (site !== undefined) serveSite(app, site, { count: countUnknown, respond: sendNotFound });
  allowOrigins(app, corsOrigins);
  setSecurityHeaders(app, tls?.selfSigned !== true);
  app.addHook('onResponse', async (request, reply) => {
    const route = routeName(request);
    const { statusCode, elapsedTime } = reply;
    request.log.info(
      { method: request.method, route, status: statusCode, ms: Math.round(elapsedTime) },
      'answered',
    );
  });
  stopWithoutIdleConnections(app, deps.cut);
  const routing = { ...deps, identify, cutOff, bodies, openUploads: createOpenUploads() };
  for (const binding of deps.bindings.filter(({ route }) => !isMultipart(route)))
    registerRoute(app, binding, routing);
  // Only the handlers of these routes run before the body has arrived.
  app.register(async (scope) => {
    acceptMultipart(scope);
    for (const binding of deps.bindings.filter(({ route }) => isMultipart(route)))
      registerRoute(scope, binding, routing);
  });
  return app;
};

const isFile = (request: FastifyRequest): boolean => request.routeOptions.config.label === siteLabel;

const sendError = (reply: FastifyReply, error: RedoubtError): void => {
  void reply.code(error.code).type('application/json; charset=utf-8').send(JSON.stringify(error.toWire()));
};

/** Whether the client has disconnected: an error caused by that is not a defect. */
const isDisconnected = ({ raw }: FastifyReply): boolean => raw.destroyed && !raw.writableFinished;

const handleError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  if (error instanceof OAuthRequestError) {
    if (error.status === 401) void reply.header('www-authenticate', 'Basic realm="Redoubt"');
    const body = JSON.stringify(toOAuthErrorBody(error.error, error.message));
    void reply.code(error.status).type('application/json; charset=utf-8').send(body);
    return;
  }
  const { wire, unexpected } = toErrorResponse(error, request.id);
  if (error instanceof RedoubtError && error.retrySeconds !== undefined)
    void reply.header('retry-after', error.retrySeconds);
  if (unexpected && isDisconnected(reply))
    request.log.info({ err: error }, 'aborted, since the client disconnected');
  else if (unexpected) request.log.error({ err: error }, 'unexpected error');
  const { protocol } = request.routeOptions.config;
  const body = protocol === 'oauth2' ? fromErrorBody(wire) : wire;
  void reply.code(wire.code).type('application/json; charset=utf-8').send(JSON.stringify(body));
};

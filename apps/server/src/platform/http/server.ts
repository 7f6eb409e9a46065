import { parseParameters, parseListQuery, type RouteDescriptor } from '@redoubt/contract';
import { badRequest, RedoubtError } from '@redoubt/errors';
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
import qs from 'qs';
import type { Audit } from '../audit/index.ts';
import type { Authenticate } from '../auth/authenticate.ts';
import type { Runtime } from '../runtime.ts';
import { isOfSite, serveConsole, serveSite, siteLabel, type Site } from '../site/index.ts';
import { createResponseSerializer } from './response-serializer.ts';
import { isMember, type CallInterceptor } from './call-interceptor.ts';
import type { RouteBinding } from './binding.ts';
import { parseJsonBody, readBody } from './body.ts';
import { createIsTrustedProxy } from './client-address.ts';
import { stopWithoutIdleConnections } from './connections.ts';
import { createCutOff, serverStopping, type CutOff } from './cut-off.ts';
import { toErrorResponse } from './errors.ts';
import { createIdentify, hasCredential, type Identify } from './identify.ts';
import { acceptMultipart } from './multipart.ts';
import { OAuthRequestError, toOAuthErrorBody, fromErrorBody } from './oauth-error.ts';
import { allowOrigins } from './protection/cross-origin.ts';
import type { Protection } from './protection/protection.ts';
import { createRefusalAudit } from './refusal-audit.ts';
import { createRateLimits } from './protection/rate-limits.ts';
import { routeName } from './route-name.ts';
import { createRequestId } from './protection/request-ids.ts';
import { setSecurityHeaders } from './protection/security-headers.ts';
import { sendUnreadableRequestError } from './protection/unreadable-requests.ts';
import { createValidator, type Validator } from './validation.ts';

export interface HttpDeps {
  audit: Pick<Audit, 'log'>;
  bindings: readonly RouteBinding[];
  authenticate: Authenticate;
  logger: FastifyBaseLogger;
  runtime: Pick<Runtime, 'clock' | 'ids'>;
  /** Maximum size of a body in bytes, after decompression. */
  bodyLimit: number;
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

/**
 * Maximum size of bodies other than writes of records, in bytes after decompression: these are parsed as a whole on the
 * main thread.
 */
const jsonBodyLimit = 4 * 1024 * 1024;
/** Maximum size of a body that is read before the requester is authenticated, in bytes. */
const smallBodyBytes = 64 * 1024;

/** Maximum time for the headers of a request to arrive, in milliseconds; the whole request may take longer. */
const headersMs = 20_000;

/** Node.js checks for requests that take too long only at this interval. */
const arrivalTimeouts = (requestSeconds: number) => ({
  headersTimeout: Math.min(headersMs, requestSeconds * 1000),
  connectionsCheckingInterval: Math.min(5000, requestSeconds * 1000),
});

/** Some clients send the request line in absolute form: `POST https://host/path HTTP/1.1`. */
const originForm = (url: string): string => url.replace(/^https?:\/\/[^/?#]*/i, '') || '/';

/** Parses deep enough for `$or[0][field][$in][]`; anything deeper becomes part of a key, which is then unknown. */
const parseQuery = (text: string): Record<string, unknown> => {
  if (/__proto__/.test(text.replaceAll(/%5f/gi, '_')))
    throw badRequest('The query string must not contain "__proto__". Leave it out.');
  try {
    return qs.parse(text, {
      depth: 4,
      arrayLimit: 1000,
      parameterLimit: 2000,
      throwOnLimitExceeded: true,
      plainObjects: true,
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw badRequest(`The query string has too many parts: ${error.message} Send fewer parameters.`);
  }
};

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

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
    cutOff.read(() => readBody(payload, request.headers['content-encoding'], request.routeOptions.bodyLimit)),
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
  const routing = { ...deps, identify, cutOff };
  for (const binding of deps.bindings.filter(({ route }) => !isMultipart(route)))
    register(app, binding, routing);
  // Only the handlers of these routes run before the body has arrived.
  app.register(async (scope) => {
    await acceptMultipart(scope);
    for (const binding of deps.bindings.filter(({ route }) => isMultipart(route)))
      register(scope, binding, routing);
  });
  return app;
};

const isMultipart = ({ bodyType }: RouteDescriptor): boolean => bodyType === 'multipart/form-data';

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

const register = (
  app: FastifyInstance,
  { route, handle, beforeBody }: RouteBinding,
  deps: { identify: Identify; cutOff: CutOff } & Pick<HttpDeps, 'intercept' | 'bodyLimit'>,
): void => {
  const parseInput = createInputParser(route);
  for (const path of [route.path, ...(route.aliases ?? [])]) {
    app.route({
      method: route.method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { protocol: route.protocol, sessionHeader: route.sessionHeader },
      bodyLimit: route.rawBody === true ? deps.bodyLimit : Math.min(deps.bodyLimit, jsonBodyLimit),
      onRequest: async (request, reply) => {
        if (route.caller === 'anyone' || (beforeBody === undefined && !mayBeLarge(request))) return;
        await deps.cutOff.run(async () => {
          const actor = await deps.identify(route, request, reply);
          if (isMember(actor)) await beforeBody?.(actor);
        });
      },
      ...(route.success.streamed === true
        ? {}
        : {
            schema: { response: { [route.success.status]: route.success.schema } },
            serializerCompiler: () => createResponseSerializer(route.success.schema),
          }),
      handler: (request, reply) =>
        deps.cutOff.run(async () => {
          const actor = await deps.identify(route, request, reply);
          const respond = (): unknown => {
            const input = parseInput(request);
            reply.code(route.success.status);
            return handle({ actor, ...input, request, reply });
          };
          return deps.intercept !== undefined && isMember(actor)
            ? deps.intercept({ route, actor, reply }, respond)
            : respond();
        }),
    });
  }
};

/** Whether the body may take much memory: then requesters without a credential are rejected before it is read. */
const mayBeLarge = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined ||
  headers['content-encoding'] !== undefined ||
  Number(headers['content-length'] ?? 0) > smallBodyBytes;

type Input = Pick<Parameters<RouteBinding['handle']>[0], 'params' | 'query' | 'body' | 'bytes' | 'list'>;

const noBytes = Buffer.alloc(0);

const optionalValidator = (schema: RouteDescriptor['body'], where: string): Validator | undefined =>
  schema === undefined ? undefined : createValidator(schema, where);

/** Creates the function that parses and validates all input of a route. */
const createInputParser = (route: RouteDescriptor): ((request: FastifyRequest) => Input) => {
  const checkParams = optionalValidator(route.params, 'path');
  const checkBody = route.rawBody === true ? undefined : optionalValidator(route.body, 'body');
  const noList = { limit: 0, skip: 0, sort: [], where: [], or: [], flags: {} };
  if (route.protocol === 'oauth2') {
    return ({ body }) => ({
      params: {},
      query: {},
      body: undefined,
      bytes: (body as Buffer | undefined) ?? noBytes,
      list: noList,
    });
  }
  return (request) => {
    checkParams?.(request.params);
    const raw = parseQuery((request.query as { text: string }).text);
    const list = route.list === undefined ? noList : parseListQuery(raw, route.list, route.query);
    const query = route.list === undefined ? parseParameters(raw, route.query) : list.flags;
    const sent = request.body as Buffer | undefined;
    const body = route.rawBody === true ? undefined : parseJsonBody(sent);
    checkBody?.(body);
    return {
      params: request.params as Input['params'],
      query,
      body,
      bytes: sent ?? noBytes,
      list,
    };
  };
};

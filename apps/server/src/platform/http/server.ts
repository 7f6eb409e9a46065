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
import { isOfSite, serveSite, siteLabel, type Site } from '../site/index.ts';
import { createResponseSerializer } from './response-serializer.ts';
import { isMember, type CallInterceptor } from './call-interceptor.ts';
import type { RouteBinding } from './binding.ts';
import { parseJsonBody, readBody } from './body.ts';
import { createIsTrustedProxy } from './client-address.ts';
import { stopWithoutIdleConnections } from './connections.ts';
import { createCutOff, serverStopping, type CutOff } from './cut-off.ts';
import { toErrorResponse } from './errors.ts';
import { createIdentify, showsCredential, type Identify } from './identify.ts';
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
  audit: Pick<Audit, 'tell'>;
  bindings: readonly RouteBinding[];
  authenticate: Authenticate;
  logger: FastifyBaseLogger;
  runtime: Pick<Runtime, 'clock' | 'ids'>;
  /** Bytes of an unpacked body. */
  bodyLimit: number;
  protection: Protection;
  /** Absent: nothing stands around. */
  around?: CallInterceptor;
  /** The pages for people; absent, there are none. */
  site?: Site | undefined;
  /** Aborted when a stop waits no longer for requests in flight. */
  cut?: AbortSignal | undefined;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What answers follow instead of the conventions of this API. */
    protocol?: RouteDescriptor['protocol'] | undefined;
    /** What stands in the log and in figures instead of the path. */
    label?: string;
  }
}

/** Bytes of an unpacked body that is no write of records: it is read as a whole where all requests are served. */
const jsonBodyLimit = 4 * 1024 * 1024;
/** Bytes of a body that is read before anybody asks who sent it. */
const smallBody = 64 * 1024;

/** How long the headers of a request may take to arrive, in milliseconds; all of it may take longer. */
const headersMs = 20_000;

/** Node looks only now and then for requests that take too long. */
const arrivalTimes = (requestSeconds: number) => ({
  headersTimeout: Math.min(headersMs, requestSeconds * 1000),
  connectionsCheckingInterval: Math.min(5000, requestSeconds * 1000),
});

/** Some clients send the request line in absolute form: `POST https://host/path HTTP/1.1`. */
const originForm = (url: string): string => url.replace(/^https?:\/\/[^/?#]*/i, '') || '/';

/** Deep enough for `$or[0][field][$in][]`; what is nested deeper stays part of a key, which is then unknown. */
const parseQuery = (text: string): Record<string, unknown> => {
  if (/__proto__/.test(text.replaceAll(/%5f/gi, '_')))
    throw badRequest('The query string must not hold "__proto__".');
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
    throw badRequest(`The query string has too many parts: ${error.message}`);
  }
};

const answerUnknown = (request: FastifyRequest, reply: FastifyReply): void => {
  const path = request.url.split('?')[0] ?? '';
  throwTo(reply, new RedoubtError('NotFoundError', `There is no ${request.method} ${path} in this API.`));
};

/** A server that answers the bound routes. It does not listen yet. */
export const createHttpServer = (deps: HttpDeps): FastifyInstance => {
  const { corsOrigins, rateLimits, requestSeconds, tls, trustedProxies } = deps.protection;
  const isTrusted = createIsTrustedProxy(trustedProxies);
  const options = {
    trustProxy: trustedProxies.length > 0 && isTrusted,
    requestTimeout: requestSeconds * 1000,
    // Such requests get an answer of this API, from a hook below.
    return503OnClosing: false,
    clientErrorHandler: sendUnreadableRequestError(requestSeconds),
    genReqId: createRequestId(deps.runtime.ids, isTrusted),
    rewriteUrl: ({ url }) => originForm(url ?? '/'),
    loggerInstance: deps.logger,
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: (error, request, reply) => answerError(error, request, reply),
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: 8192,
      querystringParser: (text) => ({ text }),
    },
  } satisfies FastifyServerOptions;
  const timing = arrivalTimes(requestSeconds);
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
    answerError(error, request, reply);
    return reply;
  });
  const { site } = deps;
  app.addHook('onRequest', (request, _reply, done) => {
    // A page asks for twenty files, which cost next to nothing and tell nothing.
    const isFree = site !== undefined && isFile(request) && isOfSite(site, request);
    if (!showsCredential(request) && !isFree) limits.countStranger(request);
    done();
  });
  const countUnknown = (request: FastifyRequest): void => {
    if (showsCredential(request)) limits.countStranger(request);
  };
  app.setNotFoundHandler((request, reply) => {
    countUnknown(request);
    answerUnknown(request, reply);
  });
  if (site !== undefined) serveSite(app, site, { count: countUnknown, answer: answerUnknown });
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
  // Only these get their bodies before they have arrived.
  app.register(async (scope) => {
    await acceptMultipart(scope);
    for (const binding of deps.bindings.filter(({ route }) => isMultipart(route)))
      register(scope, binding, routing);
  });
  return app;
};

const isMultipart = ({ bodyType }: RouteDescriptor): boolean => bodyType === 'multipart/form-data';

const isFile = (request: FastifyRequest): boolean => request.routeOptions.config.label === siteLabel;

const throwTo = (reply: FastifyReply, error: RedoubtError): void => {
  void reply.code(error.code).type('application/json; charset=utf-8').send(JSON.stringify(error.toWire()));
};

/** Whether nobody reads the answer any more: what broke off because of it is no fault. */
const isGone = ({ raw }: FastifyReply): boolean => raw.destroyed && !raw.writableFinished;

const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  if (error instanceof OAuthRequestError) {
    if (error.status === 401) void reply.header('www-authenticate', 'Basic realm="Redoubt"');
    const body = JSON.stringify(toOAuthErrorBody(error.error, error.message));
    void reply.code(error.status).type('application/json; charset=utf-8').send(body);
    return;
  }
  const { wire, unexpected } = toErrorResponse(error, request.id);
  if (error instanceof RedoubtError && error.retrySeconds !== undefined)
    void reply.header('retry-after', error.retrySeconds);
  if (unexpected && isGone(reply)) request.log.info({ err: error }, 'broken off, as its reader went away');
  else if (unexpected) request.log.error({ err: error }, 'unexpected fault');
  const { protocol } = request.routeOptions.config;
  const body = protocol === 'oauth2' ? fromErrorBody(wire) : wire;
  void reply.code(wire.code).type('application/json; charset=utf-8').send(JSON.stringify(body));
};

const register = (
  app: FastifyInstance,
  { route, handle }: RouteBinding,
  deps: { identify: Identify; cutOff: CutOff } & Pick<HttpDeps, 'around' | 'bodyLimit'>,
): void => {
  const check = createChecks(route);
  for (const path of [route.path, ...(route.aliases ?? [])]) {
    app.route({
      method: route.method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { protocol: route.protocol },
      bodyLimit: route.rawBody === true ? deps.bodyLimit : Math.min(deps.bodyLimit, jsonBodyLimit),
      onRequest: async (request, reply) => {
        if (route.caller === 'anyone' || !mayBeLarge(request)) return;
        await deps.cutOff.run(() => deps.identify(route, request, reply));
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
          const answer = (): unknown => {
            const input = check(request);
            reply.code(route.success.status);
            return handle({ actor, ...input, request, reply });
          };
          return deps.around !== undefined && isMember(actor)
            ? deps.around({ route, actor, reply }, answer)
            : answer();
        }),
    });
  }
};

/** Whether the body may take much memory: strangers are refused before it is read, not after. */
const mayBeLarge = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined ||
  headers['content-encoding'] !== undefined ||
  Number(headers['content-length'] ?? 0) > smallBody;

type Input = Pick<Parameters<RouteBinding['handle']>[0], 'params' | 'query' | 'body' | 'bytes' | 'list'>;

const noBytes = Buffer.alloc(0);

const optionally = (schema: RouteDescriptor['body'], where: string): Validator | undefined =>
  schema === undefined ? undefined : createValidator(schema, where);

/** Reads and checks all input of a route. */
const createChecks = (route: RouteDescriptor): ((request: FastifyRequest) => Input) => {
  const checkParams = optionally(route.params, 'path');
  const checkBody = route.rawBody === true ? undefined : optionally(route.body, 'body');
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

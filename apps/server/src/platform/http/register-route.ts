import { parseListQuery, parseParameters, type RouteDescriptor } from '@redoubt/contract';
import { badRequest } from '@redoubt/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import qs from 'qs';
import type { RouteBinding } from './binding.ts';
import { parseJsonBody } from './body.ts';
import { isMember, type CallInterceptor } from './call-interceptor.ts';
import type { CutOff } from './cut-off.ts';
import type { Identify } from './identify.ts';
import { holdBody, type BodyBudget } from './protection/body-budget.ts';
import type { OpenUploads } from './protection/open-uploads.ts';
import { createResponseSerializer } from './response-serializer.ts';
import { createValidator, type Validator } from './validation.ts';

export interface RoutingDeps {
  identify: Identify;
  cutOff: CutOff;
  bodies: Pick<BodyBudget, 'ofPerson'>;
  openUploads: OpenUploads;
  /** Wraps the handling of calls of members. */
  intercept?: CallInterceptor | undefined;
  /** Maximum size of a body in bytes, after decompression. */
  bodyLimit: number;
}

/**
 * Maximum size of bodies other than writes of records, in bytes after decompression: these are parsed as a whole on the
 * main thread.
 */
export const jsonBodyLimit = 4 * 1024 * 1024;
/** Maximum size of a body that is read before the requester is authenticated, in bytes, after decompression. */
export const smallBodyBytes = 64 * 1024;

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

export const isMultipart = ({ bodyType }: RouteDescriptor): boolean => bodyType === 'multipart/form-data';

/** Registers a route of the contract under its path and its aliases. */
export const registerRoute = (app: FastifyInstance, binding: RouteBinding, deps: RoutingDeps): void => {
  const { route, handle, beforeBody } = binding;
  const parseInput = createInputParser(route);
  const respond = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const actor = await deps.identify(route, request, reply);
    if (actor !== undefined && !identifiesFirst(binding, request)) {
      request.heldBody.free();
      holdBody(request, reply, deps.bodies.ofPerson(actor.accountId));
      request.heldBody.keep((request.body as Buffer | undefined)?.length ?? 0);
    }
    const handleInput = (): unknown => {
      const input = parseInput(request);
      reply.code(route.success.status);
      return handle({ actor, ...input, request, reply });
    };
    const proceed = async (): Promise<unknown> =>
      deps.intercept !== undefined && isMember(actor)
        ? deps.intercept({ route, actor, reply }, handleInput)
        : handleInput();
    if (isMultipart(route) && actor !== undefined) return deps.openUploads.run(actor.accountId, proceed);
    return proceed();
  };
  for (const path of [route.path, ...(route.aliases ?? [])]) {
    app.route({
      method: route.method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { protocol: route.protocol, sessionHeader: route.sessionHeader },
      bodyLimit: Math.min(deps.bodyLimit, maxBodyBytes(route)),
      onRequest: async (request, reply) => {
        if (!identifiesFirst(binding, request)) return;
        const actor = await deps.cutOff.run(async () => {
          const found = await deps.identify(route, request, reply);
          if (isMember(found)) await beforeBody?.(found);
          return found;
        });
        if (actor !== undefined) holdBody(request, reply, deps.bodies.ofPerson(actor.accountId));
      },
      ...(route.success.streamed === true
        ? {}
        : {
            schema: { response: { [route.success.status]: route.success.schema } },
            serializerCompiler: () => createResponseSerializer(route.success.schema),
          }),
      handler: (request, reply) => {
        request.work = deps.cutOff.run(() => respond(request, reply));
        return request.work;
      },
    });
  }
};

/** @returns the maximum size of a body in bytes after decompression, within the limit of the server */
const maxBodyBytes = ({ rawBody, caller }: RouteDescriptor): number => {
  if (caller === 'anyone') return smallBodyBytes;
  return rawBody === true ? Infinity : jsonBodyLimit;
};

/** Whether the body may take much memory: then requesters without a credential are rejected before it is read. */
const mayBeLarge = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined ||
  headers['content-encoding'] !== undefined ||
  Number(headers['content-length'] ?? 0) > smallBodyBytes;

/** Whether the requester is authenticated before the body is read. */
const identifiesFirst = ({ route, beforeBody }: RouteBinding, request: FastifyRequest): boolean =>
  route.caller !== 'anyone' && (beforeBody !== undefined || isMultipart(route) || mayBeLarge(request));

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

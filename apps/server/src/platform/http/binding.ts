import type {
  ResponseOf,
  BodyOf,
  Caller,
  ListQuery,
  ParamsOf,
  QueryOf,
  RouteDescriptor,
} from '@redoubt/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Member, Person } from '../auth/actor.ts';

/** A request whose input has been checked against the contract. */
export interface Call<R, A> {
  actor: A;
  params: ParamsOf<R>;
  query: QueryOf<R>;
  body: BodyOf<R>;
  /** The body as it was sent, after decompression; routes with `rawBody` have only this one. */
  bytes: Buffer;
  /** Page, order and filters; empty if the route is not a list. */
  list: ListQuery;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** For a route with a streamed response, the handler returns the bytes: at once or as a stream. */
type HandlerResult<R> = ResponseOf<R> | NodeJS.ReadableStream | Uint8Array;
type Handler<R, A> = (call: Call<R, A>) => Promise<HandlerResult<R>> | HandlerResult<R>;

/** A route of the contract with its handler. */
export interface RouteBinding {
  route: RouteDescriptor;
  handle: (call: Call<RouteDescriptor, Person | undefined>) => unknown;
  /** See `bindMember`. */
  beforeBody?: ((actor: Member) => Promise<void>) | undefined;
}

const bind = (
  expected: Caller,
  route: RouteDescriptor,
  handle: unknown,
  beforeBody?: RouteBinding['beforeBody'],
): RouteBinding => {
  if (route.caller !== expected) {
    throw new Error(
      `${route.operationId} must be bound for "${route.caller}" as in the contract, got "${expected}".`,
    );
  }
  return { route, handle: handle as RouteBinding['handle'], beforeBody };
};

/**
 * Binds a route that needs no credential; `actor` is undefined if none was sent.
 * @throws Error if the contract requires another kind of caller
 */
export const bindPublic = <R extends RouteDescriptor>(
  route: R,
  handle: Handler<NoInfer<R>, Person | undefined>,
): RouteBinding => bind('anyone', route, handle);

/**
 * Binds a route that needs a valid credential.
 * @throws Error if the contract requires another kind of caller
 */
export const bindPerson = <R extends RouteDescriptor>(
  route: R,
  handle: Handler<NoInfer<R>, Person>,
): RouteBinding => bind('person', route, handle);

/**
 * Binds a route that needs a credential that is bound to a workspace.
 * ```ts
 * bindMember(routes.getSavedQuery, ({ actor, params }) => saved.get(actor, params.id));
 * ```
 * @param beforeBody may reject a request before its body is read
 * @throws Error if the contract requires another kind of caller
 */
export const bindMember = <R extends RouteDescriptor>(
  route: R,
  handle: Handler<NoInfer<R>, Member>,
  beforeBody?: (actor: Member) => Promise<void>,
): RouteBinding => bind('member', route, handle, beforeBody);

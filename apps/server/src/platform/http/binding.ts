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
  /** The body as it was sent, unpacked; on routes with `rawBody` there is no other. */
  bytes: Buffer;
  /** Page, order and filters; empty where the route is no list. */
  list: ListQuery;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Where the contract says that an answer is streamed, its bytes are the handler's: whole, or as they come. */
type Answer<R> = ResponseOf<R> | NodeJS.ReadableStream | Uint8Array;
type Handler<R, A> = (call: Call<R, A>) => Promise<Answer<R>> | Answer<R>;

/** A route of the contract with the code that answers it. */
export interface RouteBinding {
  route: RouteDescriptor;
  handle: (call: Call<RouteDescriptor, Person | undefined>) => unknown;
}

const bind = (expected: Caller, route: RouteDescriptor, handle: unknown): RouteBinding => {
  if (route.caller !== expected) {
    throw new Error(
      `${route.operationId} is for "${route.caller}" in the contract and bound for "${expected}"`,
    );
  }
  return { route, handle: handle as RouteBinding['handle'] };
};

/** Answers a route that needs no credential; `actor` is undefined where none was sent. */
export const bindPublic = <R extends RouteDescriptor>(
  route: R,
  handle: Handler<NoInfer<R>, Person | undefined>,
): RouteBinding => bind('anyone', route, handle);

/** Answers a route that needs a valid session. */
export const bindPerson = <R extends RouteDescriptor>(
  route: R,
  handle: Handler<NoInfer<R>, Person>,
): RouteBinding => bind('person', route, handle);

/** Answers a route that needs a session bound to a workspace. */
export const bindMember = <R extends RouteDescriptor>(
  route: R,
  handle: Handler<NoInfer<R>, Member>,
): RouteBinding => bind('member', route, handle);

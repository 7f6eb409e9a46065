import type { ErrorName } from '@redoubt/errors';
import type { Static, TObject, TSchema, TUndefined } from 'typebox';
import type { ListDescriptor } from './list.ts';

/**
 * The credential that a call needs. The access rules add who may make the call with it.
 * - `anyone`: no credential
 * - `person`: a valid session, which need not be bound to a workspace
 * - `member`: a valid session that is bound to a workspace
 */
export type Caller = 'anyone' | 'person' | 'member';

/** The response of a successful call. */
export interface SuccessResponse<S extends TSchema = TSchema> {
  /** 303 redirects a browser. The body contains the target, too. */
  status: 200 | 201 | 202 | 303;
  description: string;
  schema: S;
  /** The media type of the response; JSON by default. */
  mediaType?: string;
  /** Further media types that a request can choose by its header Accept, each with a description of the body. */
  otherMediaTypes?: Readonly<Record<string, string>>;
  /**
   * The handler streams the body, because it is too long for memory or must keep the exact text of records. The server
   * does not serialise it by the schema, which only describes it.
   */
  streamed?: boolean;
}

/** One call of the API. Validation, serialisation, types, OpenAPI and the client are generated from it. */
export interface RouteDescriptor<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
  S extends TSchema = TSchema,
  L extends ListDescriptor = ListDescriptor,
> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With parameters in braces: `/users/{id}`. */
  path: string;
  /** Other paths of the same call, which existing clients use. */
  aliases?: readonly string[];
  operationId: string;
  tag: string;
  summary: string;
  /** One or two sentences for the API reference: rules, defaults, limits. */
  description: string;
  caller: Caller;
  /** The call needs a person's own session: API keys and application tokens get 403. */
  bearer?: boolean;
  /**
   * `optional`: a browser's session cookie is valid without the header `X-Redoubt-Session`. Only for GET calls that
   * tell the console which session it has, or that a browser makes as a download.
   */
  sessionHeader?: 'optional';
  /** The call concerns the whole account: a session opened by the identity provider of one workspace gets 403. */
  accountWide?: boolean;
  params?: P;
  /** Query parameters other than the list conventions. */
  query?: Q;
  /** Set for paginated lists. */
  list?: L;
  body?: B;
  /** The media type of the body; JSON by default. */
  bodyType?: 'multipart/form-data' | 'application/x-www-form-urlencoded' | 'image/*';
  /** The handler gets the body as bytes, because the exact text of records matters. */
  rawBody?: boolean;
  /**
   * The call follows RFC 6749 instead of the conventions of this API: it parses its parameters itself, ignores unknown
   * ones, and returns errors as `{error, error_description}`.
   */
  protocol?: 'oauth2';
  /** Describes the redirect (303) that the call may return instead. */
  redirects?: string;
  /** The call supports the header Range: 206 with a part of the body, 416 for a part that the body does not have. */
  ranged?: boolean;
  /** For calls of `anyone`: a credential in the request is ignored. */
  ignoresCredential?: boolean;
  /** The call counts as a query: the subscription of a workspace limits how many run at once. */
  runsQuery?: boolean;
  /**
   * A call that also works in a workspace that is read-only because its subscription is not paid. GET calls and queries
   * always do; set it for others that change nothing in the workspace, or that people need to pay or to leave.
   */
  staysOpen?: boolean;
  success: SuccessResponse<S>;
  /** The errors that the call may return besides `commonErrors`. */
  errors: readonly ErrorName[];
}

/**
 * Declares a route and keeps the exact types of its schemas.
 *
 * @example
 * const tagRoutes = { getTag: defineRoute({ method: 'GET', path: '/tags/{id}', operationId: 'getTag', … }) } as const;
 */
export const defineRoute = <
  P extends TObject = TObject<Record<never, never>>,
  Q extends TObject = TObject<Record<never, never>>,
  B extends TSchema = TUndefined,
  S extends TSchema = TSchema,
  const L extends ListDescriptor = never,
>(
  route: RouteDescriptor<P, Q, B, S, L>,
): RouteDescriptor<P, Q, B, S, L> => route;

/** Errors that every call may return: bad input, a failure of the server, and an unavailable record store. */
export const commonErrors = ['BadRequestError', 'InternalServerError', 'AccumuloError'] as const;

export type ParamsOf<R> = R extends RouteDescriptor<infer P> ? Static<P> : never;
/** The query parameters that are not list conventions. */
export type QueryOf<R> = R extends RouteDescriptor<TObject, infer Q> ? Static<Q> : never;
/** `undefined` if the call has no body. */
export type BodyOf<R> = R extends RouteDescriptor<TObject, TObject, infer B> ? Static<B> : never;
export type ResponseOf<R> = R extends RouteDescriptor<TObject, TObject, TSchema, infer S> ? Static<S> : never;
/** `never` if the call is not a paginated list. */
export type ListOf<R> = R extends RouteDescriptor<TObject, TObject, TSchema, TSchema, infer L> ? L : never;

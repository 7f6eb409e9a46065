import type { ErrorName } from '@redoubt/errors';
import type { Static, TObject, TSchema, TUndefined } from 'typebox';
import type { ListDescriptor } from './list.ts';

/**
 * Who may make a call at all. Finer rules (whose thing it is, which role) stand in the table of rules.
 * - `anyone`: no credential needed
 * - `person`: a valid session, even one that is bound to no workspace
 * - `member`: a valid session that is bound to a workspace
 */
export type Caller = 'anyone' | 'person' | 'member';

/** The answer is not built from a schema but streamed; the schema still describes it. */
export interface SuccessResponse<S extends TSchema = TSchema> {
  /** 303 sends a browser on; the body says where, too. */
  status: 200 | 201 | 202 | 303;
  description: string;
  schema: S;
  /** The media type of the answer; JSON where absent. */
  mediaType?: string;
  /** Further media types of the answer, for a request whose header Accept asks for one, with what each holds. */
  otherMediaTypes?: Readonly<Record<string, string>>;
  /** Sent as it is, because it is too long to hold or must keep the exact text of records. */
  streamed?: boolean;
}

/** One call of the API, said once: validation, serialisation, types, OpenAPI and the client come from it. */
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
  /** Other spellings of the path that existing clients use. */
  aliases?: readonly string[];
  operationId: string;
  tag: string;
  summary: string;
  /** One sentence or two for the API reference: rules, defaults, limits. */
  description: string;
  caller: Caller;
  /** Only a person's own session will do, neither an API key nor the token of an application. */
  bearer?: boolean;
  /** It is about the whole account: a session by the provider of one workspace will not do. */
  accountWide?: boolean;
  params?: P;
  /** Query parameters other than the list conventions. */
  query?: Q;
  /** Present on paginated lists. */
  list?: L;
  body?: B;
  /** The media type of the body; JSON where absent. */
  bodyType?: 'multipart/form-data' | 'application/x-www-form-urlencoded' | 'image/*';
  /** The body reaches the handler as bytes, because the exact text of records matters. */
  rawBody?: boolean;
  /**
   * The call follows RFC 6749 instead of the conventions of this API: it reads its parameters itself, of which unknown ones
   * count for nothing, and answers errors as `{error, error_description}`.
   */
  protocol?: 'oauth2';
  /** What the redirect (303) is that the call may answer instead. */
  redirects?: string;
  /** On open routes: a credential that is sent along is not looked at. */
  ignoresCredential?: boolean;
  /** It reads records as a query does: so many of a workspace run at the same time as its subscription allows. */
  runsQuery?: boolean;
  /**
   * Of calls other than GET and queries: they are answered, too, where the workspace can only be read because its
   * subscription is not paid, since they change nothing in it or are needed to pay or to leave.
   */
  staysOpen?: boolean;
  success: SuccessResponse<S>;
  /** The names of the catalogue that the call may answer, beside those that every call may (see `commonErrors`). */
  errors: readonly ErrorName[];
}

/** Keeps the exact types of the schemas of a route. */
export const defineRoute = <
  P extends TObject = TObject<Record<never, never>>,
  Q extends TObject = TObject<Record<never, never>>,
  B extends TSchema = TUndefined,
  S extends TSchema = TSchema,
  const L extends ListDescriptor = never,
>(
  route: RouteDescriptor<P, Q, B, S, L>,
): RouteDescriptor<P, Q, B, S, L> => route;

/** Errors that any call may answer: bad input, no credential, a fault of the server or of its record store. */
export const commonErrors = ['BadRequestError', 'InternalServerError', 'AccumuloError'] as const;

export type ParamsOf<R> = R extends RouteDescriptor<infer P> ? Static<P> : never;
/** The query parameters other than the list conventions. */
export type QueryOf<R> = R extends RouteDescriptor<TObject, infer Q> ? Static<Q> : never;
/** `undefined` where the call takes no body. */
export type BodyOf<R> = R extends RouteDescriptor<TObject, TObject, infer B> ? Static<B> : never;
export type ResponseOf<R> = R extends RouteDescriptor<TObject, TObject, TSchema, infer S> ? Static<S> : never;
/** `never` where the call is no paginated list. */
export type ListOf<R> = R extends RouteDescriptor<TObject, TObject, TSchema, TSchema, infer L> ? L : never;

import type {
  ResponseOf,
  BodyOf,
  ListInput,
  ListOf,
  OperationId,
  ParamsOf,
  QueryOf,
  RouteDescriptor,
  Routes,
} from '@redoubt/contract';

/** The query string of a call: its own parameters and, for lists, the conventions. */
export type QueryInput<R> = QueryOf<R> & ([ListOf<R>] extends [never] ? unknown : ListInput<ListOf<R>>);

/**
 * One property of the input: absent if the call has no such part, and optional if everything in the part
 * is optional.
 */
type Part<Name extends string, T> = keyof T extends never
  ? {}
  : {} extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };

/** The body. Calls that send a form take FormData instead of the type of their schema. */
type BodyPart<B> = [B] extends [undefined] ? {} : { body: B | FormData };

/** The input of a call: path parameters, query string and body. */
export type CallInput<R> = Part<'params', ParamsOf<R>> & Part<'query', QueryInput<R>> & BodyPart<BodyOf<R>>;

/** Options of a single call, in addition to its input. */
export interface CallOptions {
  /** Aborts the request. The promise is then rejected with the reason of the signal. */
  signal?: AbortSignal;
}

/** The arguments of a call. The input is optional if everything in it is. */
export type CallArguments<R> =
  {} extends CallInput<R>
    ? [input?: CallInput<R>, options?: CallOptions]
    : [input: CallInput<R>, options?: CallOptions];

/** One method for each operationId of the contract. */
export type Operations = {
  [K in OperationId]: (...args: CallArguments<Routes[K]>) => Promise<ResponseOf<Routes[K]>>;
};

/**
 * The client that `createApiClient` returns: one method for each operationId, and `call` and `stream` for a route of
 * the contract.
 */
export interface ApiClient extends Operations {
  /**
   * Sends the request of a route.
   * @throws RedoubtError with the name, code and field errors of the server, or HttpClientError if there is no complete
   * response of a Redoubt server
   */
  call<R extends RouteDescriptor>(route: R, ...args: CallArguments<R>): Promise<ResponseOf<R>>;
  /**
   * Like `call`, but returns the response with its unread body: for responses that are long, are not JSON, or whose
   * exact text matters. If the JSON of the body ends early, the request failed while it was streamed: do not use it.
   */
  stream<R extends RouteDescriptor>(route: R, ...args: CallArguments<R>): Promise<Response>;
}

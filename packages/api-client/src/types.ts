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

/** Absent where there is nothing to send, optional where nothing must be sent. */
type Part<Name extends string, T> = keyof T extends never
  ? {}
  : {} extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };

/** Calls that take a form take FormData instead of what their schema describes. */
type BodyPart<B> = [B] extends [undefined] ? {} : { body: B | FormData };

/** What a call takes. */
export type CallInput<R> = Part<'params', ParamsOf<R>> & Part<'query', QueryInput<R>> & BodyPart<BodyOf<R>>;

export interface CallOptions {
  /** Gives up the call; the promise is then rejected with the reason of the signal. */
  signal?: AbortSignal;
}

/** The arguments of a call: its input may be left out where nothing must be sent. */
export type CallArguments<R> =
  {} extends CallInput<R>
    ? [input?: CallInput<R>, options?: CallOptions]
    : [input: CallInput<R>, options?: CallOptions];

/** One method for each operationId of the contract. */
export type Operations = {
  [K in OperationId]: (...args: CallArguments<Routes[K]>) => Promise<ResponseOf<Routes[K]>>;
};

export interface ApiClient extends Operations {
  /**
   * Makes the call of a route descriptor.
   * @throws RedoubtError with the name, code and field faults of the server, or HttpClientError where no
   * answer of a Redoubt server came back whole
   */
  call<R extends RouteDescriptor>(route: R, ...args: CallArguments<R>): Promise<ResponseOf<R>>;
  /**
   * As `call`, but gives the response with its unread body: for answers that are long, no JSON, or whose
   * exact text matters. An answer whose JSON ends early was cut by a fault and must not be used.
   */
  stream<R extends RouteDescriptor>(route: R, ...args: CallArguments<R>): Promise<Response>;
}

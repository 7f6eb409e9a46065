import { routes, type RouteDescriptor } from '@redoubt/contract';
import { encodePath, encodeQuery } from './encode.ts';
import { noResponse, parseError } from './parse-error.ts';
import type { ApiClient, CallOptions } from './types.ts';

export interface ApiClientOptions {
  /** Scheme, host and port of the server, such as `https://redoubt.example`. In a browser, empty means the server of the page. */
  baseUrl: string;
  /** The access token, or a function that returns the current one before each request. */
  token?: string | (() => string | undefined);
  apiKey?: string;
  /** Replaces the global fetch. */
  fetch?: typeof globalThis.fetch;
}

/** The input of any call, without the types of the contract. */
interface AnyInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

const bodyOf = (body: unknown): { body?: string | FormData; headers: Record<string, string> } => {
  if (body === undefined) return { headers: {} };
  if (body instanceof FormData) return { body, headers: {} };
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
};

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
};

/**
 * Creates a client with one method for each call of the contract. Methods throw RedoubtError with the name, message and
 * code of an error response, or HttpClientError if there is no complete response.
 *
 * @example
 * const client = createApiClient({ baseUrl: 'https://redoubt.example', apiKey });
 * const { data } = await client.listDatasets({ query: { name: 'navaids' } });
 */
export const createApiClient = (options: ApiClientOptions): ApiClient => {
  const baseUrl = options.baseUrl.replace(/\/+$/, '');

  const credentials = (): Record<string, string> => {
    const token = typeof options.token === 'function' ? options.token() : options.token;
    return {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(options.apiKey === undefined ? {} : { 'x-api-key': options.apiKey }),
    };
  };

  /** Turns failures of `run` into HttpClientError; an abort by the signal is thrown unchanged. */
  const attempt = async <T>(call: string, { signal }: CallOptions, run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      if (signal?.aborted === true) throw error;
      throw noResponse(
        call,
        `there was no complete response from ${baseUrl || 'the server'}: ${reasonOf(error)}`,
      );
    }
  };

  const stream = async (
    route: RouteDescriptor,
    { params = {}, query = {}, body }: AnyInput = {},
    callOptions: CallOptions = {},
  ): Promise<Response> => {
    const call = `${route.method} ${route.path}`;
    const url = `${baseUrl}${encodePath(route.path, params)}${encodeQuery(query)}`;
    const { headers, ...payload } = bodyOf(body);
    const send = options.fetch ?? globalThis.fetch;
    const response = await attempt(call, callOptions, () =>
      send(url, {
        method: route.method,
        headers: { accept: route.success.mediaType ?? 'application/json', ...credentials(), ...headers },
        ...payload,
        ...(callOptions.signal === undefined ? {} : { signal: callOptions.signal }),
      }),
    );
    if (response.ok) return response;
    const text = await attempt(call, callOptions, () => response.text());
    throw parseError(call, response.status, text);
  };

  const callRoute = async (
    route: RouteDescriptor,
    input?: AnyInput,
    callOptions: CallOptions = {},
  ): Promise<unknown> => {
    const response = await stream(route, input, callOptions);
    return attempt(`${route.method} ${route.path}`, callOptions, () => response.json());
  };

  const operations = Object.entries(routes).map(([operationId, route]) => [
    operationId,
    (input?: AnyInput, callOptions?: CallOptions) => callRoute(route, input, callOptions),
  ]);
  return { ...Object.fromEntries(operations), call: callRoute, stream } as ApiClient;
};

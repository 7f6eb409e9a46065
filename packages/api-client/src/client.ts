import type { RouteDescriptor } from '@redoubt/contract';
import { encodePath, encodeQuery } from './encode.ts';
import { parseExactJson } from './parse-exact-json.ts';
import { noResponse, parseError } from './parse-error.ts';
import { routeTable } from './route-table.ts';
import type { ApiClient, CallOptions } from './types.ts';

/** Where the server is, and the credential to send. Without `token`, `apiKey` and `sessionId`, requests carry none. */
export interface ApiClientOptions {
  /**
   * Scheme, host and port of the server, such as `https://redoubt.example`. In a browser, an empty text means the
   * server of the page.
   */
  baseUrl: string;
  /** The access token, or a function that returns the current one before each request. */
  token?: string | (() => string | undefined);
  /** An API key, sent in the header `X-API-Key`. */
  apiKey?: string;
  /** The id of a browser's session, or a function that returns the current one before each request. */
  sessionId?: string | (() => string | undefined);
  /** Replaces the global fetch. */
  fetch?: typeof globalThis.fetch;
}

/** The parts of a route that a call uses at run time. */
type Call = Pick<RouteDescriptor, 'path'> & { method: string; success: { mediaType?: string } };

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
    const sessionId = typeof options.sessionId === 'function' ? options.sessionId() : options.sessionId;
    return {
      ...(sessionId === undefined ? {} : { 'x-redoubt-session': sessionId }),
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
    route: Call,
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
    route: Call,
    input?: AnyInput,
    callOptions: CallOptions = {},
  ): Promise<unknown> => {
    const response = await stream(route, input, callOptions);
    return attempt(`${route.method} ${route.path}`, callOptions, async () =>
      parseExactJson(await response.text()),
    );
  };

  const operations = Object.entries(routeTable).map(([operationId, [method, path, mediaType]]) => {
    const route: Call = { method, path, success: mediaType === undefined ? {} : { mediaType } };
    return [
      operationId,
      (input?: AnyInput, callOptions?: CallOptions) => callRoute(route, input, callOptions),
    ];
  });
  return { ...Object.fromEntries(operations), call: callRoute, stream } as ApiClient;
};

import { routes, type RouteDescriptor } from '@redoubt/contract';
import { encodePath, encodeQuery } from './encode.ts';
import { noAnswer, readError } from './read-error.ts';
import type { ApiClient, CallOptions } from './types.ts';

export interface ApiClientOptions {
  /** Scheme, name and port of the server; empty in a browser for the server of the page. */
  baseUrl: string;
  /** The access token, or what gives the present one before each call. */
  token?: string | (() => string | undefined);
  apiKey?: string;
  /** In place of the global fetch. */
  fetch?: typeof globalThis.fetch;
}

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

/** A client with one method for each call of the contract; it needs nothing but fetch. */
export const createApiClient = (options: ApiClientOptions): ApiClient => {
  const baseUrl = options.baseUrl.replace(/\/+$/, '');

  const credentials = (): Record<string, string> => {
    const token = typeof options.token === 'function' ? options.token() : options.token;
    return {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(options.apiKey === undefined ? {} : { 'x-api-key': options.apiKey }),
    };
  };

  /** Runs what fetches or reads; its faults become errors of the catalogue, save for a call given up. */
  const attempt = async <T>(call: string, { signal }: CallOptions, run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      if (signal?.aborted === true) throw error;
      throw noAnswer(call, `no whole answer came from ${baseUrl || 'the server'}: ${reasonOf(error)}`);
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
    throw readError(call, response.status, text);
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

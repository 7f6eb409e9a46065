import { equal } from 'node:assert/strict';

/** A response with its parsed JSON body. */
export interface TestResponse<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: T;
}

/** The parts of a request besides its method and path. All may be absent. */
export interface SendOptions {
  /** Sent as `Authorization: Bearer …`. */
  token?: string;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/**
 * Sends one request with any input, so that tests can also send what the typed client does not. A response body that
 * is not JSON is an error.
 */
export const sendRequest = async <T = Record<string, unknown>>(
  server: { url: string },
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  { token, body, headers = {} }: SendOptions = {},
): Promise<TestResponse<T>> => {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as T };
};

/** The status that a request must get, and the request. */
export type ExpectedCall = readonly [
  status: number,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  options?: SendOptions,
];

/**
 * Sends a request with the token, unless its options name another one.
 * @returns the body of the response
 * @throws AssertionError for another status than the expected one
 */
export const sendExpected = async <T>(
  server: { url: string },
  token: string,
  ...[status, method, path, options]: ExpectedCall
): Promise<T> => {
  const response = await sendRequest<T>(server, method, path, { token, ...options });
  equal(response.status, status, `${method} ${path}: ${JSON.stringify(response.body)}`);
  return response.body;
};

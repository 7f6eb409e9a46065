/** A request as it goes over the wire. `body` is sent as JSON unless it is bytes. */
export interface Request {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Everything that a client can observe of a response, except its duration. */
export interface WireResponse {
  status: number;
  headers?: readonly (readonly [name: string, value: string])[];
  body: string;
}

/** Sends a request to one world. */
export type Send = (request: Request) => Promise<WireResponse>;

/**
 * Two servers, the worlds, which must send the same responses. `both` runs a step in both of them, `hidden` only in the
 * second, which has more data. The scenario and the cases use only these two functions.
 */
export interface Worlds {
  both<T>(step: string, act: (send: Send, isSecond: boolean) => Promise<T>): Promise<T>;
  hidden<T>(step: string, act: (send: Send) => Promise<T>): Promise<T>;
}

/** Sends a request to both worlds, and fails unless the responses are equal byte for byte. Returns the response. */
export type SendToBoth = (request: Request) => Promise<WireResponse>;

/** Parses the body of a response, which must be JSON. */
export const bodyOf = ({ body }: WireResponse): unknown => JSON.parse(body);

/** Returns the body of a response, which must be a success because later steps need it. */
export const done = async <T = { id: string }>(send: Send, request: Request): Promise<T> => {
  const response = await send(request);
  if (response.status < 300) return bodyOf(response) as T;
  throw new Error(`${request.method} ${request.path} answered ${response.status}: ${response.body}`);
};

/** Builds requests of one person. */
export const as = ({ token }: { token: string }) => ({
  get: (path: string): Request => ({ method: 'GET', path, token }),
  post: (path: string, body: unknown): Request => ({ method: 'POST', path, token, body }),
  patch: (path: string, body: unknown): Request => ({ method: 'PATCH', path, token, body }),
  remove: (path: string): Request => ({ method: 'DELETE', path, token }),
});

/** Builds a query string with encoded names and values. */
export const query = (parameters: Readonly<Record<string, string | number | boolean>>): string =>
  `?${Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')}`;

/** A request as it goes over the wire. `body` is sent as JSON unless it is bytes. */
export interface WorldRequest {
  method: string;
  path: string;
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Everything that a client can observe of a response, except its duration. */
export interface ObservedResponse {
  status: number;
  headers: [string, string][];
  body: string;
}

/** Sends a request to one server. */
export type Send = (request: WorldRequest) => Promise<ObservedResponse>;

/** Sends requests unchanged, and does not follow redirects. */
export const createSender =
  ({ url }: { url: string }): Send =>
  async ({ method, path, token, body, headers }) => {
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: body instanceof Uint8Array ? Uint8Array.from(body) : JSON.stringify(body) }),
    });
    return { status: response.status, headers: [...response.headers], body: await response.text() };
  };

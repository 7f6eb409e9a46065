import type { Send } from '../two-worlds/world.ts';

/** Sends requests to a server as they are, and follows nowhere. */
export const sender =
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
      ...(body === undefined ? {} : { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.text(), headers: [...response.headers] };
  };

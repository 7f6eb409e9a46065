import { createApiClient } from '@redoubt/api-client';
import { RedoubtError } from '@redoubt/errors';
import { watchConnection } from './connection.ts';
import { currentSession, expireSession } from './page-session.ts';

/** A fetch that ends the page when a response says that the session of the page is no longer valid. */
const endingPage =
  (send: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (url, init) => {
    const named = new Headers(init?.headers).get('x-redoubt-session');
    const response = await send(url, init);
    if (response.status === 401 && named !== null && named === currentSession()) expireSession();
    return response;
  };

/**
 * Creates a client that sends files in the session of this page.
 * @param send a fetch that reports how many bytes are sent
 */
export const createUploadApi = (send: typeof globalThis.fetch) =>
  createApiClient({ baseUrl: '', sessionId: currentSession, fetch: endingPage(watchConnection(send)) });

/** Calls the server of this page in the session of this page. */
export const api = createUploadApi((url, init) => fetch(url, init));

/** For calls that open a session. The session id `new` makes the server set a cookie instead of returning a token. */
export const signInApi = createApiClient({
  baseUrl: '',
  sessionId: 'new',
  fetch: watchConnection((url, init) => fetch(url, init)),
});

export const isError = (error: unknown, name: RedoubtError['name']): boolean =>
  error instanceof RedoubtError && error.name === name;

/** The message and code of an error, as the console shows them. */
export const describeError = (error: unknown): { message: string; code: string | undefined } => {
  if (error instanceof RedoubtError) {
    const message =
      error.name === 'HttpClientError'
        ? 'The server does not answer. Check that it runs and that you are online, then try again.'
        : error.message;
    return { message, code: `${error.name} (${String(error.code)})` };
  }
  return { message: error instanceof Error ? error.message : String(error), code: undefined };
};

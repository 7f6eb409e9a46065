import { createApiClient } from '@redoubt/api-client';
import { RedoubtError } from '@redoubt/errors';

/** The session that this page names in each call. It lives in memory: after a reload `/me` tells it again. */
let sessionId: string | undefined;

export const setSessionId = (id: string | undefined): void => {
  sessionId = id;
};

/**
 * Sends files as the person who is signed in, and tells how many bytes are sent.
 * @param send a fetch that reports progress
 */
export const createUploadApi = (send: typeof globalThis.fetch) =>
  createApiClient({ baseUrl: '', sessionId: () => sessionId, fetch: send });

/** Calls the server of this page as the person who is signed in. */
export const api = createApiClient({ baseUrl: '', sessionId: () => sessionId });

/** Calls that open a session: the server answers them with a cookie instead of a token. */
export const signInApi = createApiClient({ baseUrl: '', sessionId: 'new' });

export const isError = (error: unknown, name: RedoubtError['name']): boolean =>
  error instanceof RedoubtError && error.name === name;

/** The message and code of an error, for a person. */
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

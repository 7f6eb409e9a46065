import type { Connection } from './connection.ts';

/** A request that the reader has composed. */
export interface TriedRequest {
  method: string;
  /** With the origin. */
  address: string;
  bodyType?: string;
  body?: string | Blob | FormData;
  accept: string;
}

/** The outcome of a request. */
export type Outcome =
  | {
      kind: 'answer';
      status: number;
      milliseconds: number;
      /** The headers of interest to a reader. */
      headers: readonly (readonly [name: string, value: string])[];
      mediaType: string;
      /** Empty if the response is not text. */
      text: string;
      /** The number of bytes read. */
      bytes: number;
      /** Whether the response is longer than what is shown. */
      isCut: boolean;
    }
  | { kind: 'redirect'; milliseconds: number }
  | { kind: 'failed'; reason: string };

/** The maximum number of bytes read of a response. */
export const answerLimit = 256 * 1024;

const tellingHeaders = [
  'content-type',
  'content-length',
  'content-disposition',
  'location',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
  'redoubt-billing-warning',
  'x-request-id',
];

const readUpTo = async (response: Response): Promise<{ bytes: Uint8Array; isCut: boolean }> => {
  const reader = response.body?.getReader();
  const bytes = new Uint8Array(answerLimit);
  let length = 0;
  for (;;) {
    const part = await reader?.read();
    const { value } = part ?? {};
    if (value === undefined) return { bytes: bytes.subarray(0, length), isCut: false };
    const room = answerLimit - length;
    bytes.set(value.subarray(0, room), length);
    length += Math.min(value.length, room);
    if (value.length > room) {
      await reader?.cancel();
      return { bytes, isCut: true };
    }
  }
};

const isText = (mediaType: string): boolean => /json|^text\/|xml|x-ndjson|csv/.test(mediaType);

/**
 * Sends a request to the server of the connection, with the credential kept for it. Redirects are not followed, so that
 * a credential never reaches another server. Cookies are neither sent nor stored.
 */
export const sendCall = async (
  connection: Pick<Connection, 'headersFor' | 'state'>,
  { method, address, bodyType, body, accept }: TriedRequest,
  { fetch, now }: { fetch: typeof globalThis.fetch; now: () => number },
): Promise<Outcome> => {
  const { origin } = connection.state();
  if (new URL(address).origin !== origin) {
    return { kind: 'failed', reason: `The address ${address} is not on ${origin}, and nothing was sent.` };
  }
  const start = now();
  try {
    const response = await fetch(address, {
      method,
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      headers: {
        accept,
        ...(body === undefined || bodyType === undefined ? {} : { 'content-type': bodyType }),
        ...connection.headersFor(origin),
      },
      ...(body === undefined ? {} : { body }),
    });
    if (response.type === 'opaqueredirect') return { kind: 'redirect', milliseconds: now() - start };
    const { bytes, isCut } = await readUpTo(response);
    const mediaType = response.headers.get('content-type') ?? '';
    return {
      kind: 'answer',
      status: response.status,
      milliseconds: now() - start,
      headers: tellingHeaders.flatMap((name) => {
        const value = response.headers.get(name);
        return value === null ? [] : [[name, value] as const];
      }),
      mediaType,
      text: isText(mediaType) ? new TextDecoder().decode(bytes) : '',
      bytes: bytes.length,
      isCut,
    };
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
};

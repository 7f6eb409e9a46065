import { request as requestPlainly, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { checkedLookup } from './checked-lookup.ts';
import { OutboundError } from './outbound-error.ts';
import { findOutboundUrlError } from './outbound-url.ts';
import { isLoopbackAddress, isPublicAddress } from './public-addresses.ts';

export interface OutboundRequest {
  method?: string | undefined;
  headers?: Record<string, string> | undefined;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/**
 * Calls another host, and returns its whole response. A redirect is returned, not followed.
 * @param request a GET without a body by default
 * @throws OutboundError for a URL or address that may not be called, for a response that is not complete within 10
 * seconds, and for one of more than 1 MiB
 */
export type OutboundFetch = (url: string, request?: OutboundRequest) => Promise<Response>;

/** Timeout of a whole call. */
const callMs = 10_000;
const maxResponseBytes = 1024 * 1024;

const readWhole = async (response: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxResponseBytes) {
      response.destroy();
      throw new OutboundError('The response is too large');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const bytesOf = (body: unknown): Buffer | undefined => {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof URLSearchParams) return Buffer.from(String(body));
  if (body instanceof Uint8Array) return Buffer.from(body);
  throw new OutboundError('The body of the call has an unsupported type');
};

const headersOf = ({ headers }: IncomingMessage): Headers => {
  const plain = Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]);
  return new Headers(plain);
};

const withoutBody = new Set([204, 205, 304]);

/** @param allowsPrivate whether addresses of private networks and of this machine may be called */
export const createOutboundFetch = ({ allowsPrivate }: { allowsPrivate: boolean }): OutboundFetch => {
  const mayCall = (address: string): boolean => allowsPrivate || isPublicAddress(address);
  return async (text, { method = 'GET', headers = {}, body, signal } = {}) => {
    const problem = findOutboundUrlError(text, allowsPrivate);
    if (problem !== undefined) throw new OutboundError(`The URL ${problem}`);
    const url = new URL(text);
    const isPlain = url.protocol === 'http:';
    const bytes = bytesOf(body);
    const deadline = AbortSignal.timeout(callMs);
    const options: RequestOptions = {
      method,
      headers: {
        'user-agent': 'redoubt',
        ...headers,
        ...(bytes === undefined ? {} : { 'content-length': String(bytes.length) }),
      },
      agent: false,
      // Unencrypted calls must stay on this machine, whatever the name resolves to.
      lookup: checkedLookup(isPlain ? isLoopbackAddress : mayCall),
      signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
    };
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const call = (isPlain ? requestPlainly : requestSecurely)(url, options, resolve);
        call.on('error', reject);
        call.end(bytes);
      });
      const whole = await readWhole(response);
      const status = response.statusCode ?? 0;
      return new Response(withoutBody.has(status) ? null : new Uint8Array(whole), {
        status,
        headers: headersOf(response),
      });
    } catch (error) {
      if (error instanceof OutboundError) throw error;
      throw new OutboundError(`${url.host} did not respond`, { cause: error });
    }
  };
};

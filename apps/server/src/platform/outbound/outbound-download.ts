import {
  request as requestPlainly,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { request as requestSecurely } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { checkedLookup } from './checked-lookup.ts';
import { OutboundError } from './outbound-error.ts';
import { findOutboundUrlError } from './outbound-url.ts';
import { isPublicAddress } from './public-addresses.ts';

export interface Download {
  url: string;
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** Whether a redirect to the address may be followed; any by default. */
  mayFetch?: ((url: URL) => boolean) | undefined;
  /** Called with the headers of the response whose body is returned. */
  onResponse?: (headers: IncomingHttpHeaders) => void;
  /** The version that the caller has already: the file is downloaded only if its version differs. */
  known?: FileVersion | undefined;
  /** Called with the version of the file before its first bytes. */
  onVersion?: ((version: FileVersion) => void) | undefined;
}

/** How a host identifies a version of a file: the values of these headers, if it sends them. */
export interface FileVersion {
  etag?: string | undefined;
  lastModified?: string | undefined;
}

/** The host reports that the file still has the known version. */
export class UnchangedFileError extends Error {}

/**
 * Downloads a file, and decompresses it if the host compressed it for the transfer. Follows redirects, and checks the
 * IP address of each connection. Sends the given headers only to the origin of the first URL. Resumes an interrupted
 * transfer if the host supports that and the file has not changed.
 * @throws UnchangedFileError if the file still has the known version
 * @throws OutboundError, whose message contains only the host of the URL
 */
export type OutboundDownload = (download: Download) => AsyncIterable<Uint8Array>;

const maxRedirects = 5;
const maxResumes = 5;
const resumeMs = 200;
/** After this time without a byte, a host counts as disconnected. */
const silenceMs = 30_000;

const redirects = new Set([301, 302, 303, 307, 308]);

interface Opened {
  response: IncomingMessage;
  url: URL;
  headers: Readonly<Record<string, string>>;
}

/** The validator by which a resumed transfer shows that the file is still the same, byte for byte. */
const validatorOf = ({ headers }: IncomingMessage): string | undefined => {
  const { etag } = headers;
  if (etag !== undefined && !etag.startsWith('W/')) return etag;
  return headers['last-modified'];
};

/** Maximum number of characters of a version; a longer one is ignored. */
const maxVersionLength = 1000;

const shortText = (value: string | undefined): string | undefined =>
  value !== undefined && value.length <= maxVersionLength ? value : undefined;

const versionOf = ({ headers }: IncomingMessage): FileVersion => ({
  etag: shortText(headers.etag),
  lastModified: shortText(headers['last-modified']),
});

const conditionOf = ({ etag, lastModified }: FileVersion = {}): Readonly<Record<string, string>> => ({
  ...(etag === undefined ? {} : { 'if-none-match': etag }),
  ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
});

/** Without the mark of a weak ETag: as in `if-none-match`, a weak one and a strong one are compared by their text. */
const opaqueTag = (etag: string | undefined): string | undefined => etag?.replace(/^W\//, '');

/** Whether a response is of the known version, although its host sent it: not all hosts evaluate conditions. */
const isKnown = (known: FileVersion | undefined, sent: FileVersion): boolean =>
  known !== undefined &&
  (known.etag !== undefined || sent.etag !== undefined
    ? opaqueTag(known.etag) === opaqueTag(sent.etag)
    : sent.lastModified !== undefined && known.lastModified === sent.lastModified);

/** The part of a URL that messages may contain: its path and query may be secret. */
const shown = (url: URL): string => url.host;

export const createOutboundDownload = ({ allowsPrivate }: { allowsPrivate: boolean }): OutboundDownload => {
  const mayCall = (address: string): boolean => allowsPrivate || isPublicAddress(address);

  const send = (
    url: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<IncomingMessage> => {
    const problem = findOutboundUrlError(url.href, allowsPrivate, true);
    if (problem !== undefined) throw new OutboundError(`The address ${problem}`);
    const options: RequestOptions = {
      headers: { 'user-agent': 'redoubt', 'accept-encoding': 'gzip', ...headers },
      agent: false,
      lookup: checkedLookup(mayCall),
      signal,
      timeout: silenceMs,
    };
    return new Promise((resolve, reject) => {
      const call = (url.protocol === 'http:' ? requestPlainly : requestSecurely)(url, options, resolve);
      call.on('timeout', () => call.destroy(new Error('timeout')));
      call.on('error', (error) => {
        reject(
          error instanceof OutboundError
            ? error
            : new OutboundError(`${shown(url)} did not respond`, { cause: error }),
        );
      });
      call.end();
    });
  };

  /** Follows redirects to a response with a body. */
  const open = async (
    { url: first, headers: given, signal, mayFetch = () => true }: Download,
    more: Readonly<Record<string, string>>,
  ): Promise<Opened> => {
    let url = new URL(first);
    let headers = given;
    for (let followed = 0; followed <= maxRedirects; followed++) {
      const response = await send(url, { ...headers, ...more }, signal);
      const { location } = response.headers;
      if (!redirects.has(response.statusCode ?? 0) || location === undefined)
        return { response, url, headers };
      response.destroy();
      if (!URL.canParse(location, url.href))
        throw new OutboundError(`${shown(url)} redirects to an invalid address`);
      const next = new URL(location, url);
      if (!mayFetch(next))
        throw new OutboundError(`${shown(url)} redirects to an address that the connection does not allow`);
      // The headers may be secrets of the first origin, so neither another host nor unencrypted HTTP may get them.
      if (next.origin !== url.origin) headers = {};
      url = next;
    }
    throw new OutboundError(`${shown(url)} redirects more than ${String(maxRedirects)} times`);
  };

  async function* bytesOf(request: Download, opened: Opened): AsyncGenerator<Uint8Array> {
    const { signal } = request;
    const validator = validatorOf(opened.response);
    const length = Number(opened.response.headers['content-length'] ?? Number.NaN);
    let { response } = opened;
    let received = 0;
    for (let resumes = 0; ; resumes++) {
      try {
        for await (const chunk of response as AsyncIterable<Buffer>) {
          received += chunk.length;
          yield chunk;
        }
        if (response.complete && (Number.isNaN(length) || received === length)) return;
      } catch (error) {
        if (signal.aborted) throw error;
      }
      const cut = `${shown(opened.url)} ended the transfer after ${String(received)} bytes`;
      if (validator === undefined || resumes === maxResumes) throw new OutboundError(cut);
      await delay(resumeMs * 2 ** resumes, undefined, { signal });
      const more = { range: `bytes=${String(received)}-`, 'if-range': validator };
      const again = await open(request, more);
      ({ response } = again);
      const isRest =
        response.statusCode === 206 &&
        response.headers['content-range']?.startsWith(`bytes ${String(received)}-`) === true &&
        validatorOf(response) === validator;
      if (!isRest) {
        response.destroy();
        throw new OutboundError(`${cut}, and does not continue it`);
      }
    }
  }

  return async function* download(request) {
    const known = conditionOf(request.known);
    const opened = await open(request, known);
    const { response, url } = opened;
    if (response.statusCode === 304 && Object.keys(known).length > 0) {
      response.destroy();
      throw new UnchangedFileError();
    }
    if (response.statusCode !== 200) {
      response.destroy();
      throw new OutboundError(`${shown(url)} answered ${String(response.statusCode)}`, {
        status: response.statusCode,
      });
    }
    const version = versionOf(response);
    if (isKnown(request.known, version)) {
      response.destroy();
      throw new UnchangedFileError();
    }
    request.onResponse?.(response.headers);
    request.onVersion?.(version);
    try {
      const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
      if (encoding === 'identity' || encoding === '') yield* bytesOf(request, opened);
      else if (encoding === 'gzip' || encoding === 'x-gzip')
        yield* gunzip(bytesOf(request, opened), shown(url));
      else
        throw new OutboundError(
          `${shown(url)} sends the content encoding "${encoding}", which is not supported`,
        );
    } finally {
      response.destroy();
    }
  };
};

async function* gunzip(bytes: AsyncIterable<Uint8Array>, host: string): AsyncGenerator<Uint8Array> {
  const unpacked = createGunzip();
  let cause: unknown;
  const feeding = (async () => {
    for await (const chunk of bytes) {
      if (!unpacked.write(chunk)) await new Promise((resolve) => unpacked.once('drain', resolve));
      if (unpacked.destroyed) return;
    }
    unpacked.end();
  })().catch((error: unknown) => {
    cause = error;
    unpacked.destroy(new Error('cut'));
  });
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    throw cause ?? new OutboundError(`${host} sends no valid gzip`, { cause: error });
  } finally {
    unpacked.destroy();
    unpacked.emit('drain');
  }
  await feeding;
}

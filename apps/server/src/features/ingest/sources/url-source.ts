import { IdParam, maxIngestFiles, strictObject, UrlSource } from '@redoubt/contract';
import { badField, notImplemented, RedoubtError } from '@redoubt/errors';
import { Type, type Static } from 'typebox';
import { createValidator } from '../../../platform/http/validation.ts';
import {
  findOutboundUrlError,
  OutboundError,
  UnchangedFileError,
  type OutboundDownload,
} from '../../../platform/outbound/index.ts';
import { UnchangedSegmentError, type SourceKind } from './source.ts';

const UrlConnection = strictObject({
  urls: Type.Array(UrlSource, { minItems: 1, maxItems: maxIngestFiles }),
  processWithOcr: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  changedSinceJob: Type.Optional(IdParam),
});
type UrlConnection = Static<typeof UrlConnection>;

const requireConnection = createValidator(UrlConnection, 'dataSourceParams.connectionInfo');

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headerValue = /^[\t\u0020-\u007E\u0080-\u00FF]*$/;
/** Headers that the transfer itself needs. */
const ownHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'keep-alive',
  'proxy-authorization',
  'range',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const field = (index: number, name: string): string =>
  `dataSourceParams.connectionInfo.urls.${String(index)}.${name}`;

const requireHeaders = (headers: Readonly<Record<string, string>>, index: number): void => {
  for (const [name, value] of Object.entries(headers)) {
    if (!headerName.test(name) || !headerValue.test(value)) {
      throw badField(
        field(index, 'headers'),
        `must be valid HTTP headers, got ${JSON.stringify(name.slice(0, 80))}. Correct its name or its value.`,
      );
    }
    if (ownHeaders.has(name.toLowerCase())) {
      throw badField(
        field(index, 'headers'),
        `must not contain ${name}, which the server sets. Leave it out.`,
      );
    }
  }
};

/** The last part of the path, which people recognise. The query string may contain secrets. */
const nameOf = (url: URL): string => {
  const last = url.pathname.split('/').findLast((part) => part !== '') ?? '';
  try {
    return decodeURIComponent(last).replaceAll('\0', '').slice(0, 255) || url.hostname;
  } catch {
    return last.slice(0, 255);
  }
};

/** The name of a file from the header Content-Disposition, if it is a plain one, such as `airports 2024.csv`. */
export const plainFileName = (header: string | undefined): string | undefined => {
  const name = /;\s*filename=(?:"([^"]*)"|([^\s;"]+))\s*(?:;|$)/i.exec(header ?? '');
  const plain = name?.[1] ?? name?.[2] ?? '';
  return /^[A-Za-z0-9][\w ()-]{0,99}(\.[A-Za-z0-9]{1,8}){1,2}$/.test(plain) ? plain : undefined;
};

/** An address and the headers of its request. */
interface UrlPlace {
  url: string;
  headers: Record<string, string>;
}

/** A version of a file belongs to its address and headers: other headers may get another file. */
export const urlIdentity = ({ url, headers }: UrlPlace): string => JSON.stringify([url, headers]);

const readConnection = (connectionInfo: unknown, allowsPrivate: boolean): UrlConnection => {
  requireConnection(connectionInfo);
  const connection = connectionInfo as UrlConnection;
  const { urls, processWithOcr } = connection;
  if (processWithOcr === true) {
    throw notImplemented(
      'dataSourceParams.connectionInfo.processWithOcr must be false, got true: text recognition (OCR) is not supported yet. Send false.',
    );
  }
  for (const [index, { url, headers }] of urls.entries()) {
    const problem = findOutboundUrlError(url, allowsPrivate, true);
    if (problem !== undefined) throw badField(field(index, 'url'), `${problem}. Send another address.`);
    requireHeaders(headers ?? {}, index);
  }
  return connection;
};

/** Files that are fetched by http and https. */
export const createUrlSources = ({
  download,
  allowsPrivate,
}: {
  download: OutboundDownload;
  allowsPrivate: boolean;
}): SourceKind => ({
  type: 'URL',
  open: (connectionInfo) => {
    const { urls, changedSinceJob } = readConnection(connectionInfo, allowsPrivate);
    const segments = urls.map(({ url, headers }) => {
      const place: UrlPlace = { url, headers: headers ?? {} };
      return {
        name: nameOf(new URL(url)),
        identity: urlIdentity(place),
        place,
        connectionInfo: { urls: [place] },
      };
    });
    return {
      shown: { hosts: urls.map(({ url }) => new URL(url).host) },
      changedSinceJob,
      segments,
      reading: undefined,
      async *list() {
        yield* segments;
      },
      async *read(place, { name, signal, known, onVersion, onReaderName }) {
        const { url, headers } = place as UrlPlace;
        try {
          yield* download({
            url,
            headers,
            signal,
            known,
            onVersion: (version) => onVersion({ ...version }),
            onResponse: (response) => onReaderName(plainFileName(response['content-disposition'])),
          });
        } catch (error) {
          if (error instanceof UnchangedFileError) throw new UnchangedSegmentError();
          if (!(error instanceof OutboundError)) throw error;
          throw new RedoubtError(
            'HttpClientError',
            `${name}: ${error.message}. Check the address and its headers, then retry the job.`,
          );
        }
      },
    };
  },
});

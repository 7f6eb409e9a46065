import { IdParam, maxIngestFiles, strictObject, UrlSource } from '@redoubt/contract';
import { badField, RedoubtError } from '@redoubt/errors';
import { Type, type Static } from 'typebox';
import { createValidator } from '../../../platform/http/validation.ts';
import {
  findOutboundUrlError,
  OutboundError,
  UnchangedFileError,
  type OutboundDownload,
} from '../../../platform/outbound/index.ts';
import { UnchangedSegmentError, type SourceKind } from './source.ts';
import { createStoredUrls } from './stored-urls.ts';
import { requireHeaders } from './url-headers.ts';
import { createUrlMatcher, requireAllowedUrl } from './url-prefixes.ts';

const UrlConnection = strictObject({
  urls: Type.Array(UrlSource, { minItems: 1, maxItems: maxIngestFiles }),
  processWithOcr: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  changedSinceJob: Type.Optional(IdParam),
});
type UrlConnection = Static<typeof UrlConnection>;

const requireConnection = createValidator(UrlConnection, 'dataSourceParams.connectionInfo');

const field = (index: number, name: string): string =>
  `dataSourceParams.connectionInfo.urls.${String(index)}.${name}`;

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
  const { urls } = connection;
  for (const [index, { url, headers }] of urls.entries()) {
    const problem = findOutboundUrlError(url, allowsPrivate, true);
    if (problem !== undefined) throw badField(field(index, 'url'), `${problem}. Send another address.`);
    requireHeaders(headers ?? {}, field(index, 'headers'));
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
  open: (connectionInfo, stored) => {
    const { urls, processWithOcr, changedSinceJob } = readConnection(connectionInfo, allowsPrivate);
    const mayFetch = stored === undefined ? () => true : createUrlMatcher(stored.allowed?.urlPrefixes ?? []);
    for (const [index, { url }] of urls.entries()) requireAllowedUrl(url, field(index, 'url'), mayFetch);
    const segments = urls.map(({ url, headers }) => {
      const named = {
        name: nameOf(new URL(url)),
        connectionInfo: { urls: [{ url, headers: headers ?? {} }] },
      };
      // Headers of a connection are looked up whenever they are sent, and kept by no job.
      if (stored !== undefined)
        return { ...named, identity: JSON.stringify([url, stored.id]), place: { url } };
      const place: UrlPlace = { url, headers: headers ?? {} };
      return {
        ...named,
        identity: urlIdentity(place),
        place,
      };
    });
    return {
      shown: { hosts: urls.map(({ url }) => new URL(url).host) },
      changedSinceJob,
      asDocuments: processWithOcr === true,
      continues: 'segments',
      segments,
      reading: undefined,
      async *list() {
        yield* segments;
      },
      async *read(place, { name, signal, known, onVersion, onReaderName }) {
        const { url } = place as Pick<UrlPlace, 'url'>;
        const headers = urls.find((sent) => sent.url === url)?.headers ?? {};
        try {
          yield* download({
            url,
            headers,
            signal,
            known,
            mayFetch,
            onVersion: (version) => onVersion({ ...version }),
            onResponse: (response) => onReaderName(plainFileName(response['content-disposition'])),
          });
        } catch (error) {
          if (error instanceof UnchangedFileError) throw new UnchangedSegmentError();
          if (!(error instanceof OutboundError)) throw error;
          throw new RedoubtError(
            'HttpClientError',
            `${name}: ${error.message}. Check the address and its headers, then try again.`,
          );
        }
      },
    };
  },
  stored: createStoredUrls({ download, allowsPrivate }),
});

import { strictObject, type ConnectionAllowed } from '@redoubt/contract';
import { badField, RedoubtError } from '@redoubt/errors';
import { Type, type Static } from 'typebox';
import { createValidator } from '../../../platform/http/validation.ts';
import {
  findOutboundUrlError,
  OutboundError,
  type OutboundDownload,
} from '../../../platform/outbound/index.ts';
import type { StoredKind } from './stored-kind.ts';
import { requireHeaders } from './url-headers.ts';
import { createUrlMatcher, requireUrlPrefix } from './url-prefixes.ts';

const StoredUrls = strictObject({
  headers: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 8000 }))),
});
type StoredUrls = Static<typeof StoredUrls>;

const requireShape = createValidator(StoredUrls, 'connectionInfo');

interface SentUrls {
  urls?: unknown;
}

/** A connection of addresses holds headers, and the prefixes of addresses that get them. */
export const createStoredUrls = ({
  download,
  allowsPrivate,
}: {
  download: OutboundDownload;
  allowsPrivate: boolean;
}): StoredKind => ({
  fields: ['headers'],
  restriction: 'urlPrefixes',
  describe: (stored, allowed) => {
    requireShape(stored);
    requireHeaders((stored as StoredUrls).headers ?? {}, 'connectionInfo.headers');
    const prefixes = allowed?.urlPrefixes;
    if (prefixes === undefined) {
      throw badField(
        'allowed.urlPrefixes',
        'must be sent for type URL, because the headers are sent nowhere else. Name at least one prefix.',
      );
    }
    for (const [index, prefix] of prefixes.entries()) {
      const place = `allowed.urlPrefixes.${String(index)}`;
      const problem = findOutboundUrlError(prefix, allowsPrivate, true);
      if (problem !== undefined) throw badField(place, `${problem}. Send another address.`);
      requireUrlPrefix(prefix, place);
    }
    return { hosts: [...new Set(prefixes.map((prefix) => new URL(prefix).host))] };
  },
  originsOf: (allowed) => (allowed?.urlPrefixes ?? []).map((prefix) => new URL(prefix).origin),
  join: ({ headers }, requested) => {
    const { urls } = requested as SentUrls;
    if (!Array.isArray(urls)) return { ...requested };
    const joined = urls.map((sent: unknown, index) => {
      if (typeof sent !== 'object' || sent === null) return sent;
      if (Object.hasOwn(sent, 'headers')) {
        throw badField(
          `dataSourceParams.connectionInfo.urls.${String(index)}.headers`,
          'must not be sent with connectionId, because the connection holds the headers. Leave it out.',
        );
      }
      return headers === undefined ? sent : { ...sent, headers };
    });
    return { ...requested, urls: joined };
  },
  toRequest: (joined) => {
    const urls = (joined as { urls: { url: string }[] }).urls.map(({ url }) => ({ url }));
    return { ...joined, urls };
  },
  async *find(stored, allowed: ConnectionAllowed | null, signal) {
    const { headers = {} } = stored as StoredUrls;
    const prefixes = allowed?.urlPrefixes ?? [];
    const mayFetch = createUrlMatcher(prefixes);
    for (const url of prefixes) {
      try {
        const bytes = download({ url, headers, signal, mayFetch })[Symbol.asyncIterator]();
        await bytes.next();
        await bytes.return?.();
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error;
        // A prefix need not be a file itself, so the host must only let the headers in.
        if (error.status === undefined || [401, 403, 407].includes(error.status) || error.status >= 500) {
          throw new RedoubtError(
            'HttpClientError',
            `${error.message}. Check the address and the headers of the connection.`,
          );
        }
      }
      yield url;
    }
  },
});

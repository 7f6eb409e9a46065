import type { SearchSettings } from './search-service.ts';

/** What decides where a result leads. */
export interface AddressRules extends Pick<SearchSettings, 'replace'> {
  /** The origin of the site, as it is configured. */
  readonly siteUrl: string;
  /** The origin of the page that shows the result. */
  readonly origin: string;
}

/**
 * Where a result leads. Results of other sites keep their address unchanged. Those of this site, by its configured
 * origin or by the one it is read at, become a path with query and hash, so that they are opened within the page;
 * `replace` then changes what it matches in the path.
 */
export const resultAddress = (url: string, { siteUrl, origin, replace }: AddressRules): string => {
  const address = new URL(url, siteUrl);
  if (address.origin !== new URL(siteUrl).origin && address.origin !== origin) return url;
  const path =
    replace === undefined
      ? address.pathname
      : address.pathname.replaceAll(new RegExp(replace.from, 'g'), replace.to);
  return `${path}${address.search}${address.hash}`;
};

import type { SearchSettings } from './search-service.ts';

/** The settings for the address of a result. */
export interface AddressRules extends Pick<SearchSettings, 'replace'> {
  /** The configured origin of the site. */
  readonly siteUrl: string;
  /** The origin of the page that shows the result. */
  readonly origin: string;
}

/**
 * The address of a result. Results of other sites keep their address. Results of this site, at its configured or its
 * current origin, become a path with query and hash, so that they open without a page load. Then `replace` is applied
 * to the path.
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

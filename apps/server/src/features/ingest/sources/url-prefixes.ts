import { badField, describeValue, invalidField } from '@redoubt/errors';

/**
 * What a host may read as another path after the comparison: slashes, backslashes, dots and NUL that are encoded, also
 * several times or in too many bytes, and parameters of a step such as `/..;/`.
 */
const otherSteps = /%(25)*(2f|5c|2e|00|c0|c1|e0%(25)*80)|(^|\/)\.{0,2}(;|%(25)*3b)/i;

/** Whether the connection lets a request fetch the address. */
export type UrlMatcher = (url: URL) => boolean;

/** A prefix that ends with a slash covers what is below it, any other one only its own address. */
export const createUrlMatcher = (prefixes: readonly string[]): UrlMatcher => {
  const parsed = prefixes.map((prefix) => new URL(prefix));
  return (url) =>
    !otherSteps.test(url.pathname) &&
    parsed.some(
      ({ origin, pathname, search }) =>
        url.origin === origin &&
        (pathname.endsWith('/') && search === ''
          ? url.pathname.startsWith(pathname)
          : url.pathname === pathname && url.search === search),
    );
};

/** @throws RedoubtError 400 for an address that the connection does not allow */
export const requireAllowedUrl = (url: string, field: string, mayFetch: UrlMatcher): void => {
  if (mayFetch(new URL(url))) return;
  throw invalidField({
    field,
    expected: 'an address that the connection allows',
    got: describeValue(url),
    advice: 'Send one that begins with an allowed prefix, or ask a person who manages the connection.',
  });
};

/** @throws RedoubtError 400 for a prefix that no address can be compared with */
export const requireUrlPrefix = (prefix: string, field: string): void => {
  const { pathname, hash, search } = new URL(prefix);
  if (!otherSteps.test(pathname) && hash === '' && (search === '' || !pathname.endsWith('/'))) return;
  throw badField(
    field,
    'must have neither a fragment, nor encoded slashes or dots, nor a name that begins with a semicolon, nor a query after a last slash. Leave them out.',
  );
};

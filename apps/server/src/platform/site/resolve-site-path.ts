/** A file of the site, or the canonical path that the browser is redirected to; undefined if the site has neither. */
export type SiteLocation = { file: string } | { movedTo: string } | undefined;

/** The decoded path; undefined for invalid escapes. */
const decodePath = (pathname: string): string | undefined => {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
};

const pageOf = (path: string): string => (path === '' ? 'index.html' : `${path}/index.html`);

const addressOf = (plain: string): string =>
  plain === '' ? '/' : `/${plain.split('/').map(encodeURIComponent).join('/')}/`;

/**
 * Resolves a path to a file of the site, or to the canonical path of a page. It only returns files of the manifest, so
 * no path leads out of the folder or to another host.
 * @param pathname the path of the request, with its escapes
 */
export const resolveSitePath = (has: (file: string) => boolean, pathname: string): SiteLocation => {
  const path = decodePath(pathname);
  if (path === undefined || !/^\/(?!\/)/.test(path)) return undefined;
  const inner = path.slice(1);
  if (inner === '' || inner.endsWith('/')) {
    const page = pageOf(inner.slice(0, -1));
    if (has(page)) return { file: page };
  }
  const plain = inner
    .replace(/\/$/, '')
    .replace(/\.html$/, '')
    .replace(/(^|\/)index$/, '');
  if (has(pageOf(plain))) return { movedTo: addressOf(plain) };
  return has(inner) && !inner.endsWith('.html') ? { file: inner } : undefined;
};

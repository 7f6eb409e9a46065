/**
 * The canonical path of a page: `/docs/intro.html`, `/docs/intro/index` and `/docs/intro/index.html` become
 * `/docs/intro/`. A path that begins with two slashes stays unchanged: browsers interpret it as the address of another
 * host.
 */
export function plainPath(pathname: string): string {
  if (pathname.startsWith('//')) return pathname;
  const plain = pathname.replace(/\.html$/, '').replace(/\/index$/, '/');
  return plain === pathname || plain.endsWith('/') ? plain : `${plain}/`;
}

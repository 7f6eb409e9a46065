/**
 * The path of a page as the site spells it: `/docs/intro.html`, `/docs/intro/index` and `/docs/intro/index.html` are `/docs/intro/`.
 * A path that begins with two slashes is no page, and whoever goes to it by itself goes to another host: it stays as it is.
 */
export function plainPath(pathname: string): string {
  if (pathname.startsWith('//')) return pathname;
  const plain = pathname.replace(/\.html$/, '').replace(/\/index$/, '/');
  return plain === pathname || plain.endsWith('/') ? plain : `${plain}/`;
}

/** The path of a page as the site spells it: `/docs/intro.html`, `/docs/intro/index` and `/docs/intro/index.html` are `/docs/intro/`. */
export function plainPath(pathname: string): string {
  const plain = pathname.replace(/\.html$/, '').replace(/\/index$/, '/');
  return plain === pathname || plain.endsWith('/') ? plain : `${plain}/`;
}

import { router } from './router.tsx';

const home = '/app/';
/** Completes paths to URLs that can be parsed. It is never part of a result. */
const anyOrigin = 'https://console.invalid';

/**
 * Returns the page of the console to open after signing in. Anybody can write the address of a sign-in page, so the
 * result is built from the matching route and its validated parameters, and not from `sent` itself.
 * @param sent a path with a query string and a fragment
 * @returns the first page of the console if `sent` is not a page of the console
 */
export const readNextPage = (sent: string): string => {
  const isPath = /^\/app\/[\x21-\x7e]*$/.test(sent) && !sent.includes('\\');
  const url = isPath && URL.canParse(sent, anyOrigin) ? new URL(sent, anyOrigin) : undefined;
  // `..` in the path may lead out of the console.
  if (url?.origin !== anyOrigin || !url.pathname.startsWith(home)) return home;
  const [routes, params, route] = router.getMatchedRoutes(url.pathname.slice(home.length - 1));
  // If a route matches only the beginning of the path, `**` contains the rest.
  if (route === undefined || '**' in params) return home;
  const asked = router.options.parseSearch(url.search);
  const search: Record<string, unknown> = {};
  for (const { options } of routes) {
    const { validateSearch } = options as { validateSearch?: unknown };
    if (typeof validateSearch === 'function') Object.assign(search, validateSearch(asked));
  }
  // The route is known only at run time, so no static type fits its parameters.
  const hash = url.hash.slice(1);
  return router.buildLocation({ to: route.fullPath, params, search, hash } as never).publicHref;
};

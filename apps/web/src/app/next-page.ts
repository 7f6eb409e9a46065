import { router } from './router.tsx';

const home = '/app/';
/** Only to read addresses with; it never gets into one. */
const anyOrigin = 'https://console.invalid';

/**
 * Returns the page of the console that an address names, rebuilt from the route and its checked parameters. Anybody can
 * write the address of a sign-in page, so nothing of `sent` is kept.
 * @returns the first page of the console for anything else
 */
export const readNextPage = (sent: string): string => {
  const isPath = /^\/app\/[\x21-\x7e]*$/.test(sent) && !sent.includes('\\');
  const url = isPath && URL.canParse(sent, anyOrigin) ? new URL(sent, anyOrigin) : undefined;
  // Dot segments may lead elsewhere.
  if (url?.origin !== anyOrigin || !url.pathname.startsWith(home)) return home;
  const [routes, params, route] = router.getMatchedRoutes(url.pathname.slice(home.length - 1));
  // A route that matches only the beginning of the path has the rest in `**`.
  if (route === undefined || '**' in params) return home;
  const asked = router.options.parseSearch(url.search);
  const search: Record<string, unknown> = {};
  for (const { options } of routes) {
    const { validateSearch } = options as { validateSearch?: unknown };
    if (typeof validateSearch === 'function') Object.assign(search, validateSearch(asked));
  }
  // Which route it is, is only known here: no type fits its parameters.
  return router.buildLocation({ to: route.fullPath, params, search } as never).publicHref;
};

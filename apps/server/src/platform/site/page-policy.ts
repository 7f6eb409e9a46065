import type { OriginDirective, SiteManifest } from './site-manifest.ts';

/** The page that tries calls, on another host where its address names one. */
const callingPage = 'api/index.html';

const hostForm = /^https?:\/\/([a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(:\d{1,5})?$/;

/** The origin that the address of the API page names, if it is one that may stand in a header. */
const namedHost = (search: string): string | undefined => {
  const named = new URLSearchParams(search).get('host') ?? '';
  const { origin } = URL.canParse(named) ? new URL(named) : { origin: '' };
  return hostForm.test(origin) ? origin : undefined;
};

/**
 * The content security policy of one page: its own inline scripts and styles by their hashes, files of this origin, and
 * the origins that the site was built with. The page of the API may also call the host that its address names.
 * @param search the query string of the request
 */
export const pagePolicy = (manifest: SiteManifest, path: string, search: string): string => {
  const { scripts, styles } = manifest.pages.get(path) ?? { scripts: [], styles: [] };
  const hashes = (list: readonly string[]): string[] => list.map((hash) => `'${hash}'`);
  const called = path === callingPage ? namedHost(search) : undefined;
  const sources: Record<OriginDirective, readonly string[]> = {
    'connect-src': called === undefined ? [] : [called],
    'font-src': [],
    'img-src': ['data:'],
    'script-src': hashes(scripts),
    // Attributes of elements count as inline styles, and only this word lets their hashes be looked at.
    'style-src': styles.length === 0 ? [] : ["'unsafe-hashes'", ...hashes(styles)],
  };
  const own = Object.entries(sources).map(([directive, list]) =>
    [directive, "'self'", ...list, ...(manifest.origins.get(directive as OriginDirective) ?? [])].join(' '),
  );
  return [
    "default-src 'none'",
    ...own,
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
};

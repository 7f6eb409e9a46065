import type { OriginDirective, SiteManifest } from './site-manifest.ts';

/** The pages of the API reference, which can send requests to this host or to one that the reader enters. */
const apiPages = /^api\/(.+\/)?index\.html$/;

const quoted = (hashes: readonly string[]): string[] => hashes.map((hash) => `'${hash}'`);

/**
 * The content security policy of a page: it allows its own inline scripts and styles by their hashes, files of this
 * origin, and the origins that the site was built with. Only pages of the API reference may connect to any host.
 */
export const pagePolicy = (manifest: SiteManifest, path: string): string => {
  const { scripts, styles } = manifest.pages.get(path) ?? { scripts: [], styles: [] };
  const sources: Record<OriginDirective, readonly string[]> = {
    'connect-src': apiPages.test(path) ? ['https:', 'http:'] : [],
    // Small fonts are inlined in the style sheets.
    'font-src': ['data:'],
    'img-src': ['data:'],
    'script-src': quoted(scripts),
    // Style attributes count as inline styles, and their hashes are only accepted with this keyword.
    'style-src': styles.length === 0 ? [] : ["'unsafe-hashes'", ...quoted(styles)],
  };
  const directives = Object.entries(sources).map(([directive, list]) =>
    [directive, "'self'", ...list, ...(manifest.origins.get(directive as OriginDirective) ?? [])].join(' '),
  );
  return [
    "default-src 'none'",
    ...directives,
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
};

import type { OriginDirective, SiteManifest } from './site-manifest.ts';

/** The pages that try calls, on this host or on another that their reader names. */
const callingPages = /^api\/(.+\/)?index\.html$/;

const quoted = (hashes: readonly string[]): string[] => hashes.map((hash) => `'${hash}'`);

/**
 * The content security policy of one page: its own inline scripts and styles by their hashes, files of this origin, and
 * the origins that the site was built with. Pages that try calls may ask any host, and nothing else may.
 */
export const pagePolicy = (manifest: SiteManifest, path: string): string => {
  const { scripts, styles } = manifest.pages.get(path) ?? { scripts: [], styles: [] };
  const sources: Record<OriginDirective, readonly string[]> = {
    'connect-src': callingPages.test(path) ? ['https:', 'http:'] : [],
    // Small fonts stand in the style sheets.
    'font-src': ['data:'],
    'img-src': ['data:'],
    'script-src': quoted(scripts),
    // Attributes of elements count as inline styles, and only this word lets their hashes be looked at.
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

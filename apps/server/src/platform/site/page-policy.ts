import type { OriginDirective, SiteManifest } from './site-manifest.ts';

/** The pages of the API reference, which can send requests to this host or to one that the reader enters. */
const apiPages = /^api\/(.+\/)?index\.html$/;

const quoted = (hashes: readonly string[]): string[] => hashes.map((hash) => `'${hash}'`);

/** The hash of the empty text. */
const emptyTextHash = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

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
    "media-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
};

/**
 * The content security policy of the console. It calls this server alone, and scripts reach the page only as files of
 * this server: `require-trusted-types-for` makes the browser reject text that a script would turn into markup or code.
 */
export const consolePolicy = (manifest: SiteManifest, path: string): string => {
  const { scripts, styles } = manifest.pages.get(path) ?? { scripts: [], styles: [] };
  return [
    "default-src 'none'",
    ["script-src 'self'", ...quoted(scripts)].join(' '),
    // Style elements are filled rule by rule, so they are empty when the browser checks them.
    ["style-src 'self'", emptyTextHash, ...quoted(styles)].join(' '),
    "connect-src 'self'",
    "font-src 'self' data:",
    "img-src 'self' data: blob:",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
};

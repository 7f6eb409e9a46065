/** The manifest of a site, which the build writes last: only files in it are served. */
export const manifestFile = '.site.json';

export interface SiteFile {
  /** Identifies the content. */
  etag: string;
  /** The compressed forms that exist as well, as `<file>.br` and `<file>.gz`. */
  packed: readonly ('br' | 'gzip')[];
}

export interface SiteManifest {
  format: 1;
  /** The files by their paths in the folder, separated by "/". */
  files: ReadonlyMap<string, SiteFile>;
  /** The hashes of each page's inline scripts and styles, as `sha256-…`. */
  pages: ReadonlyMap<string, { scripts: readonly string[]; styles: readonly string[] }>;
  /** Other origins that pages may use, by directive of the content security policy. */
  origins: ReadonlyMap<OriginDirective, readonly string[]>;
}

const originDirectives = ['connect-src', 'font-src', 'img-src', 'script-src', 'style-src'] as const;
export type OriginDirective = (typeof originDirectives)[number];

/** A path inside the folder without hidden files. */
const plainPath = /^(?!\.)[^/\\]+(\/(?!\.)[^/\\]+)*$/;
const hash = /^sha256-[A-Za-z0-9+/]{43}=$/;
/** An origin as it may be written into a policy: optionally with a wildcard subdomain and a port. */
const origin = /^(https?|wss):\/\/(\*\.)?[a-z0-9.-]+(:\d+)?$/;
const etag = /^[A-Za-z0-9_-]{8,64}$/;

const record = (value: unknown): Record<string, unknown> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('expected an object');
  return value as Record<string, unknown>;
};

const texts = (value: unknown, form: RegExp): string[] => {
  if (!Array.isArray(value)) throw new Error('expected a list');
  return value.map((text: unknown) => {
    if (typeof text !== 'string' || !form.test(text))
      throw new Error(`expected texts like ${String(form)}, got ${String(text)}`);
    return text;
  });
};

const pathed = <T>(value: unknown, read: (entry: Record<string, unknown>) => T): Map<string, T> =>
  new Map(
    Object.entries(record(value)).map(([path, entry]) => {
      if (!plainPath.test(path)) throw new Error(`expected a path in the folder, got ${path}`);
      return [path, read(record(entry))];
    }),
  );

/**
 * Parses the manifest of a site. Its values are written into headers, so anything that the build does not write is
 * rejected.
 * @throws Error that says what was expected
 */
export const readManifest = (text: string, expectedBaseUrl: string): SiteManifest => {
  const { format, baseUrl, files, pages, origins } = record(JSON.parse(text));
  if (format !== 1) throw new Error(`expected format 1, got ${String(format)}`);
  if (baseUrl !== expectedBaseUrl)
    throw new Error(`expected a site for the path ${expectedBaseUrl}, got one for ${String(baseUrl)}`);
  const allowed = record(origins);
  return {
    format,
    files: pathed(files, (file) => ({
      etag: texts([file['etag']], etag)[0] ?? '',
      packed: texts(file['packed'], /^(br|gzip)$/) as SiteFile['packed'],
    })),
    pages: pathed(pages, (page) => ({
      scripts: texts(page['scripts'], hash),
      styles: texts(page['styles'], hash),
    })),
    origins: new Map(
      originDirectives.map((directive) => [directive, texts(allowed[directive] ?? [], origin)]),
    ),
  };
};

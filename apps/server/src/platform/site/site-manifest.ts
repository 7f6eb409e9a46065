/** The list of a finished site, which its build writes last: what is not in it is not served. */
export const manifestFile = '.site.json';

export interface SiteFile {
  /** Names these bytes. */
  etag: string;
  /** In which packed forms it is there, too, as `<file>.br` and `<file>.gz`. */
  packed: readonly ('br' | 'gzip')[];
}

export interface SiteManifest {
  format: 1;
  /** By their paths in the folder, with "/" between. */
  files: ReadonlyMap<string, SiteFile>;
  /** What the inline scripts and styles of a page are recognised by, as `sha256-…`. */
  pages: ReadonlyMap<string, { scripts: readonly string[]; styles: readonly string[] }>;
  /** Origins that pages may use beside their own, by directives of the content security policy. */
  origins: ReadonlyMap<OriginDirective, readonly string[]>;
}

const originDirectives = ['connect-src', 'font-src', 'img-src', 'script-src', 'style-src'] as const;
export type OriginDirective = (typeof originDirectives)[number];

/** A path that stays in its folder and is no hidden file. */
const plainPath = /^(?!\.)[^/\\]+(\/(?!\.)[^/\\]+)*$/;
const hash = /^sha256-[A-Za-z0-9+/]{43}=$/;
/** What stands in a policy as it is: a host, perhaps with a wildcard in front and a port behind. */
const origin = /^(https?|wss):\/\/(\*\.)?[a-z0-9.-]+(:\d+)?$/;
const etag = /^[A-Za-z0-9_-]{8,64}$/;

const record = (value: unknown): Record<string, unknown> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('no object');
  return value as Record<string, unknown>;
};

const texts = (value: unknown, form: RegExp): string[] => {
  if (!Array.isArray(value)) throw new Error('no list');
  return value.map((text: unknown) => {
    if (typeof text !== 'string' || !form.test(text)) throw new Error(`${String(text)} has another form`);
    return text;
  });
};

const pathed = <T>(value: unknown, read: (entry: Record<string, unknown>) => T): Map<string, T> =>
  new Map(
    Object.entries(record(value)).map(([path, entry]) => {
      if (!plainPath.test(path)) throw new Error(`${path} is no path in the folder`);
      return [path, read(record(entry))];
    }),
  );

/**
 * Reads the list of a site. It stands in headers, so what has another form than the build writes is refused.
 * @throws Error that says what is wrong
 */
export const readManifest = (text: string): SiteManifest => {
  const { format, baseUrl, files, pages, origins } = record(JSON.parse(text));
  if (format !== 1) throw new Error(`format ${String(format)} is not known`);
  if (baseUrl !== '/') throw new Error(`a site for ${String(baseUrl)} cannot stand at /`);
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

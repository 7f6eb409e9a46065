import type { SiteFile } from './site-manifest.ts';

const suffixes = { br: '.br', gzip: '.gz' } as const;
export type ContentEncoding = keyof typeof suffixes;

/** The best encoding that the client accepts and the file exists in: Brotli before gzip, which is larger. */
export const negotiateEncoding = (
  { packed }: SiteFile,
  acceptEncoding: string | undefined,
): ContentEncoding | undefined => {
  const accepted = new Map(
    (acceptEncoding ?? '').split(',').map((part) => {
      const [name = '', q = ''] = part.split(';').map((text) => text.trim().toLowerCase());
      return [name, !/^q=0(\.0*)?$/.test(q)];
    }),
  );
  return (['br', 'gzip'] as const).find(
    (encoding) => packed.includes(encoding) && (accepted.get(encoding) ?? accepted.get('*') ?? false),
  );
};

export const suffixOf = (encoding: ContentEncoding | undefined): string =>
  encoding === undefined ? '' : suffixes[encoding];

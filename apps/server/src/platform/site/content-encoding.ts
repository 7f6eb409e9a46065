import type { SiteFile } from './site-manifest.ts';

const suffixes = { br: '.br', gzip: '.gz' } as const;
export type ContentEncoding = keyof typeof suffixes;

/** The packed form that a client takes and that is there: brotli before gzip, which is larger. */
export const negotiateEncoding = (
  { packed }: SiteFile,
  acceptEncoding: string | undefined,
): ContentEncoding | undefined => {
  const wishes = new Map(
    (acceptEncoding ?? '').split(',').map((part) => {
      const [name = '', q = ''] = part.split(';').map((text) => text.trim().toLowerCase());
      return [name, !/^q=0(\.0*)?$/.test(q)];
    }),
  );
  return (['br', 'gzip'] as const).find(
    (packing) => packed.includes(packing) && (wishes.get(packing) ?? wishes.get('*') ?? false),
  );
};

export const suffixOf = (packing: ContentEncoding | undefined): string =>
  packing === undefined ? '' : suffixes[packing];

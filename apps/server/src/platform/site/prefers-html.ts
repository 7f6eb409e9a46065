interface Range {
  type: string;
  q: number;
}

const rangesOf = (accept: string): Range[] =>
  accept.split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const number = q === undefined ? 1 : Number(q);
    return { type, q: number >= 0 && number <= 1 ? number : 0 };
  });

/** How much a media type is wanted: by the most exact range that names it, as RFC 9110 (12.5.1) says. */
const wish = (ranges: readonly Range[], type: string): { q: number; exactness: number } => {
  const names = ['*/*', `${type.split('/')[0] ?? ''}/*`, type];
  const fits = ranges
    .filter((range) => names.includes(range.type))
    .map((range) => ({ q: range.q, exactness: names.indexOf(range.type) }));
  return fits.toSorted((one, other) => other.exactness - one.exactness)[0] ?? { q: 0, exactness: -1 };
};

/**
 * Whether a request would rather have a page than JSON, by its header Accept. Whoever wants both alike, or says nothing,
 * is a program.
 */
export const prefersHtml = (accept: string | undefined): boolean => {
  if (accept === undefined) return false;
  const ranges = rangesOf(accept);
  const page = wish(ranges, 'text/html');
  const data = wish(ranges, 'application/json');
  return page.q > data.q || (page.q > 0 && page.q === data.q && page.exactness > data.exactness);
};

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

/** The quality of a media type, from the most specific range that matches it (RFC 9110, 12.5.1). */
const preferenceOf = (ranges: readonly Range[], type: string): { q: number; specificity: number } => {
  const names = ['*/*', `${type.split('/')[0] ?? ''}/*`, type];
  const matching = ranges
    .filter((range) => names.includes(range.type))
    .map((range) => ({ q: range.q, specificity: names.indexOf(range.type) }));
  return (
    matching.toSorted((one, other) => other.specificity - one.specificity)[0] ?? { q: 0, specificity: -1 }
  );
};

/**
 * Whether a request prefers HTML to JSON, by its header Accept. Requests that accept both equally or have no such
 * header come from programs, and get JSON.
 */
export const prefersHtml = (accept: string | undefined): boolean => {
  if (accept === undefined) return false;
  const ranges = rangesOf(accept);
  const page = preferenceOf(ranges, 'text/html');
  const data = preferenceOf(ranges, 'application/json');
  return page.q > data.q || (page.q > 0 && page.q === data.q && page.specificity > data.specificity);
};

import { parseAccept, type MediaRange } from '../http/accept.ts';

/** How much a media type is wanted: by the most exact range that names it, as RFC 9110 (12.5.1) says. */
const preferenceFor = (
  ranges: readonly MediaRange[],
  type: string,
): { weight: number; exactness: number } => {
  const names = ['*/*', `${type.split('/')[0] ?? ''}/*`, type];
  const fits = ranges
    .filter((range) => names.includes(range.type))
    .map((range) => ({ weight: range.weight, exactness: names.indexOf(range.type) }));
  return fits.toSorted((one, other) => other.exactness - one.exactness)[0] ?? { weight: 0, exactness: -1 };
};

/**
 * Whether a request would rather have a page than JSON, by its header Accept. Whoever wants both alike, or says nothing,
 * is a program.
 */
export const prefersHtml = (accept: string | undefined): boolean => {
  if (accept === undefined) return false;
  const ranges = parseAccept(accept);
  const page = preferenceFor(ranges, 'text/html');
  const data = preferenceFor(ranges, 'application/json');
  return (
    page.weight > data.weight ||
    (page.weight > 0 && page.weight === data.weight && page.exactness > data.exactness)
  );
};

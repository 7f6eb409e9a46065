import { parseAccept, type MediaRange } from '../http/accept.ts';

/** The quality of a media type, from the most specific range that matches it (RFC 9110, 12.5.1). */
const preferenceOf = (
  ranges: readonly MediaRange[],
  type: string,
): { weight: number; specificity: number } => {
  const names = ['*/*', `${type.split('/')[0] ?? ''}/*`, type];
  const matching = ranges
    .filter((range) => names.includes(range.type))
    .map((range) => ({ weight: range.weight, specificity: names.indexOf(range.type) }));
  return (
    matching.toSorted((one, other) => other.specificity - one.specificity)[0] ?? {
      weight: 0,
      specificity: -1,
    }
  );
};

/**
 * Whether a request prefers HTML to JSON, by its header Accept. Requests that accept both equally or have no such
 * header come from programs, and get JSON.
 */
export const prefersHtml = (accept: string | undefined): boolean => {
  if (accept === undefined) return false;
  const ranges = parseAccept(accept);
  const page = preferenceOf(ranges, 'text/html');
  const data = preferenceOf(ranges, 'application/json');
  return (
    page.weight > data.weight ||
    (page.weight > 0 && page.weight === data.weight && page.specificity > data.specificity)
  );
};

import type { ResponseOf, Routes } from '@redoubt/contract';
import type { TextRange } from '@redoubt/ui';

type Summary = ResponseOf<Routes['summarizeLucene']>[number];
type Highlights = NonNullable<Summary['highlights']>[number];
export type Place = Highlights['places'][number];

/** The text of a field, and its ranges that a search matched. */
interface MarkedText {
  readonly text: string;
  readonly ranges: readonly TextRange[];
}

const isUnder = (place: Place, path: readonly (number | string)[]): boolean =>
  path.every((key, index) => place.path[index] === key);

/**
 * Prints a value of a record, with the places in it that a search matched. Lists and objects are printed as JSON, where a
 * text has escapes, so offsets in the text are moved.
 * @param path where the value is in its record
 */
export function markPlaces(
  value: unknown,
  path: readonly (number | string)[],
  places: readonly Place[],
): MarkedText {
  const ranges: TextRange[] = [];
  let text = '';
  const print = (inner: unknown, at: readonly (number | string)[]): void => {
    const own = places.filter((place) => isUnder(place, at));
    if (own.length === 0 || inner === null) {
      text += JSON.stringify(inner);
    } else if (typeof inner !== 'object') {
      const start = text.length;
      const printed = JSON.stringify(inner);
      const positionOf = (offset: number): number =>
        typeof inner === 'string'
          ? JSON.stringify(inner.slice(0, offset)).length - 1
          : Math.min(offset, printed.length);
      for (const { offset, length } of own)
        ranges.push({ from: start + positionOf(offset), to: start + positionOf(offset + length) });
      text += printed;
    } else {
      const isList = Array.isArray(inner);
      text += isList ? '[' : '{';
      for (const [index, [key, member]] of Object.entries(inner).entries()) {
        text += `${index === 0 ? '' : ','}${isList ? '' : `${JSON.stringify(key)}:`}`;
        print(member, [...at, isList ? index : key]);
      }
      text += isList ? ']' : '}';
    }
  };
  if (value === null) return { text: '', ranges };
  if (typeof value === 'object') {
    print(value, path);
    return { text, ranges };
  }
  const plain = typeof value === 'string' ? value : JSON.stringify(value);
  for (const place of places) {
    if (!isUnder(place, path)) continue;
    ranges.push({ from: place.offset, to: Math.min(place.offset + place.length, plain.length) });
  }
  return { text: plain, ranges };
}

/** Shortens a text, and keeps its ranges up to there. */
export function shorten({ text, ranges }: MarkedText, maxCharacters: number): MarkedText {
  if (text.length <= maxCharacters) return { text, ranges };
  return {
    text: `${text.slice(0, maxCharacters)}…`,
    ranges: ranges
      .filter(({ from }) => from < maxCharacters)
      .map(({ from, to }) => ({ from, to: Math.min(to, maxCharacters) })),
  };
}

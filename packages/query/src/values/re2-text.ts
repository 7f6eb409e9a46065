/** A range of characters by their code points, both ends included. */
export type CodeRange = readonly [number, number];

/** The last code point of Unicode. */
export const lastCode = 0x10ffff;

const codeText = (code: number): string => `\\x{${code.toString(16).toUpperCase()}}`;

/** Prints a character so that RE2 matches it literally, inside and outside of a class. */
export function characterText(code: number): string {
  const character = String.fromCodePoint(code);
  if (code < 0x20 || code === 0x7f || (code >= 0xd800 && code <= 0xdfff)) return codeText(code);
  return code < 0x80 && !/[\w ]/.test(character) ? `\\${character}` : character;
}

const rangeText = ([from, to]: CodeRange): string =>
  from === to ? characterText(from) : `${codeText(from)}-${codeText(to)}`;

/** Prints a class of all characters except these. */
export const negatedClassText = (ranges: readonly CodeRange[]): string =>
  ranges.length === 0 ? `[${rangeText([0, lastCode])}]` : `[^${ranges.map(rangeText).join('')}]`;

/** Prints a class of these characters; a single character needs no class. Without characters it matches nothing. */
export function classText(ranges: readonly CodeRange[]): string {
  const [only] = ranges;
  if (only === undefined) return negatedClassText([[0, lastCode]]);
  return ranges.length === 1 && only[0] === only[1]
    ? characterText(only[0])
    : `[${ranges.map(rangeText).join('')}]`;
}

/** Prints the quantifier for `min` to `max` repetitions; a `max` of null means no upper limit. */
export function quantifierText(min: number, max: number | null): string {
  if (max === null) return min === 0 ? '*' : min === 1 ? '+' : `{${String(min)},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${String(min)}}` : `{${String(min)},${String(max)}}`;
}

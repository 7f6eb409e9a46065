import { toUpperCharacter, toLowerCharacter } from '../text/letter-case.ts';

/** A range of code points, both ends included. */
export type CodeRange = readonly [number, number];

export const lastCode = 0x10ffff;
export const anyCharacter: readonly CodeRange[] = [[0, lastCode]];

/** Sorts ranges and merges those that overlap or touch. */
export function mergeRanges(ranges: readonly CodeRange[]): readonly CodeRange[] {
  const result: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}

export function complement(ranges: readonly CodeRange[]): readonly CodeRange[] {
  const result: CodeRange[] = [];
  let next = 0;
  for (const [from, to] of mergeRanges(ranges)) {
    if (from > next) result.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= lastCode) result.push([next, lastCode]);
  return result;
}

export const overlap = (a: readonly CodeRange[], b: readonly CodeRange[]): boolean =>
  a.some(([from, to]) => b.some(([low, high]) => from <= high && low <= to));

/** Adds the other letter case of all letters. */
export function addCaseVariants(ranges: readonly CodeRange[]): readonly CodeRange[] {
  const forms: CodeRange[] = [...ranges];
  for (const [from, to] of ranges) {
    for (let code = from; code <= to; code += 1) {
      const character = String.fromCodePoint(code);
      for (const form of [toLowerCharacter(character), toUpperCharacter(character)]) {
        const other = form.codePointAt(0) ?? code;
        if (other !== code) forms.push([other, other]);
      }
    }
  }
  return mergeRanges(forms);
}

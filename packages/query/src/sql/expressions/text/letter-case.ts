import { quoteString } from '../../../storage/quoting.ts';
import { alphanumericRanges } from './alphanumeric-ranges.ts';
import { letOperandsIn } from '../engine-sql.ts';

/**
 * Upper and lower case as in PostgreSQL's lower() and upper(): one character becomes one character, whatever its
 * context. Letters added after Unicode 15.0 have no other case.
 */
const later: readonly (readonly [number, number])[] = [
  [0x1c89, 0x1c8a],
  [0xa7cb, 0xa7cf],
  [0xa7d2, 0xa7d5],
  [0xa7da, 0xa7dc],
  [0x10d50, 0x10d85],
  [0x16ea0, 0x16ed3],
];
const isLater = (code: number): boolean => later.some(([from, to]) => code >= from && code <= to);

/** Greek letters with iota subscript. PostgreSQL has a single character for their upper case, JavaScript several. */
const withIota: readonly (readonly [number, number, number])[] = [
  [0x1f80, 0x1f87, 8],
  [0x1f90, 0x1f97, 8],
  [0x1fa0, 0x1fa7, 8],
  [0x1fb3, 0x1fb3, 9],
  [0x1fc3, 0x1fc3, 9],
  [0x1ff3, 0x1ff3, 9],
];

/** The lower case of a character, or the character itself. */
export function toLowerCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code === 0x130 ? 'i' : otherForm(character, character.toLowerCase(), code);
}

/** The upper case of a character, or the character itself. */
export function toUpperCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const shift = withIota.find(([from, to]) => code >= from && code <= to)?.[2];
  return shift === undefined
    ? otherForm(character, character.toUpperCase(), code)
    : String.fromCodePoint(code + shift);
}

function otherForm(character: string, form: string, code: number): string {
  const other = form.codePointAt(0) ?? 0;
  const isOne = String.fromCodePoint(other) === form;
  return !isOne || isLater(code) || isLater(other) ? character : form;
}

const lastLetter = 0x1e943;

/** The two alphabets for the engine's translate function, computed at first use because computing them is slow. */
function translation(letter: (character: string) => string): () => string {
  let made: string | undefined;
  return () => (made ??= alphabets(letter));
}

function alphabets(letter: (character: string) => string): string {
  const pairs: [string, string][] = [];
  for (let code = 0x41; code <= lastLetter; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    const other = letter(character);
    if (other !== character) pairs.push([character, other]);
  }
  const side = (index: 0 | 1): string => quoteString(pairs.map((pair) => pair[index]).join(''));
  return `${side(0)}, ${side(1)}`;
}

const wordRanges = (): string =>
  alphanumericRanges.map(([from, to]) => `\\x{${from.toString(16)}}-\\x{${to.toString(16)}}`).join('');

/** Compiles initcap: the first letter of each word in upper case, the rest in lower case. */
export function initcapSql(sql: string): string {
  const word = quoteString(`[${wordRanges()}]`);
  return letOperandsIn([sql], (value) => {
    const characters = `extractAll(ifNull(${value}, ''), '(?s:.)')`;
    const before = `arrayShiftRight(${characters}, 1, ' ')`;
    const written = `arrayMap((_c, _b) -> if(match(_b, ${word}), ${lowerSql('_c')}, ${upperSql('_c')}), ${characters}, ${before})`;
    return `if(isNull(${value}), NULL, if(${value} = '', '', arrayStringConcat(${written})))`;
  });
}

const toSmall = translation(toLowerCharacter);
const toCapital = translation(toUpperCharacter);

export const lowerSql = (sql: string): string => `translateUTF8(${sql}, ${toSmall()})`;

export const upperSql = (sql: string): string => `translateUTF8(${sql}, ${toCapital()})`;

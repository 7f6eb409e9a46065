import {
  acceptText,
  createParseError,
  isAtEnd,
  peekCharacter,
  takeCharacter,
  type Cursor,
} from './cursor.ts';
import type { CodeRange, RegexNode } from './regex-node.ts';

const codeOf = (character: string): number => character.codePointAt(0) ?? 0;

const rangeOf = (from: string, to = from): CodeRange => [codeOf(from), codeOf(to)];

/** Creates the node that matches one literal character. */
export const literalCharacter = (character: string): RegexNode => ({
  type: 'class',
  negated: false,
  ranges: [rangeOf(character)],
});

/** The sets of `\d`, `\w` and `\s`. The escapes with capital letters mean all other characters. */
const namedSets: Record<string, CodeRange[]> = {
  d: [rangeOf('0', '9')],
  w: [rangeOf('0', '9'), rangeOf('A', 'Z'), rangeOf('_'), rangeOf('a', 'z')],
  s: [rangeOf('\t', '\n'), rangeOf('\f', '\r'), rangeOf(' ')],
};

const controls: Record<string, string> = { n: '\n', r: '\r', t: '\t' };

type ClassNode = Extract<RegexNode, { type: 'class' }>;

/** Parses the escape after a backslash. `at` is the index of the backslash. */
export function parseClassEscape(cursor: Cursor, at: number): ClassNode {
  if (isAtEnd(cursor)) throw createParseError(cursor, 'expected a character after the backslash.', at);
  const next = takeCharacter(cursor);
  const set = namedSets[next.toLowerCase()];
  if (set !== undefined) return { type: 'class', negated: next !== next.toLowerCase(), ranges: set };
  const literal = controls[next] ?? next;
  if (literal === next && /[\p{L}\p{N}]/u.test(next)) {
    throw createParseError(
      cursor,
      `expected no \\${next}: the supported escapes of letters and digits are \\d \\w \\s \\D \\W \\S \\n \\r \\t.`,
      at,
    );
  }
  return { type: 'class', negated: false, ranges: [rangeOf(literal)] };
}

/** Parses a character class. `at` is the index of its opening bracket. */
export function parseCharacterClass(cursor: Cursor, at: number): RegexNode {
  const negated = acceptText(cursor, '^');
  const ranges: CodeRange[] = [];
  while (!acceptText(cursor, ']')) {
    const from = parseMember(cursor, at);
    if (peekCharacter(cursor) === '-' && cursor.text[cursor.at + 1] !== ']') {
      ranges.push(parseRangeEnd(cursor, from, at));
    } else ranges.push(...from);
  }
  if (ranges.length === 0)
    throw createParseError(cursor, 'expected a character in the class. For a bracket, write \\].', at);
  return { type: 'class', negated, ranges };
}

function parseMember(cursor: Cursor, at: number): CodeRange[] {
  const start = cursor.at;
  if (isAtEnd(cursor) || peekCharacter(cursor) === '/') {
    throw createParseError(cursor, 'expected a closing ] for this class. For a slash in it, write \\/.', at);
  }
  const next = takeCharacter(cursor);
  if (next === '[') throw createParseError(cursor, 'expected no [ in a class. Write \\[ instead.', start);
  if (next !== '\\') return [rangeOf(next)];
  const escape = parseClassEscape(cursor, start);
  if (escape.negated) throw createParseError(cursor, 'expected no \\D, \\W or \\S in a class.', start);
  return escape.ranges;
}

function parseRangeEnd(cursor: Cursor, from: CodeRange[], at: number): CodeRange {
  const dash = cursor.at;
  cursor.at++;
  const to = parseMember(cursor, at);
  const low = from[0]?.[0];
  const high = to[0]?.[1];
  const isCharacterPair =
    from.length === 1 && to.length === 1 && from[0]?.[0] === from[0]?.[1] && to[0]?.[0] === to[0]?.[1];
  if (!isCharacterPair || low === undefined || high === undefined || low > high) {
    throw createParseError(
      cursor,
      'expected a range of two characters in ascending order, such as a-z. For a dash, write \\-.',
      dash,
    );
  }
  return [low, high];
}

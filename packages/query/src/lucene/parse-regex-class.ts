import {
  acceptText,
  createParseError,
  isAtEnd,
  peekCharacter,
  takeCharacter,
  type Cursor,
} from './cursor.ts';
import type { CodeRange } from '../values/re2-text.ts';
import type { RegexNode } from './regex-node.ts';

const codeOf = (character: string): number => character.codePointAt(0) ?? 0;

const rangeOf = (from: string, to = from): CodeRange => [codeOf(from), codeOf(to)];

/** The node for one character. */
export const single = (character: string): RegexNode => ({
  type: 'class',
  negated: false,
  ranges: [rangeOf(character)],
});

/** Named sets; those in capitals are all other characters. */
const namedSets: Record<string, CodeRange[]> = {
  d: [rangeOf('0', '9')],
  w: [rangeOf('0', '9'), rangeOf('A', 'Z'), rangeOf('_'), rangeOf('a', 'z')],
  s: [rangeOf('\t', '\n'), rangeOf('\f', '\r'), rangeOf(' ')],
};

const controls: Record<string, string> = { n: '\n', r: '\r', t: '\t' };

type ClassNode = Extract<RegexNode, { type: 'class' }>;

/** Reads what follows a backslash, which stands at `at`. */
export function parseClassEscape(cursor: Cursor, at: number): ClassNode {
  if (isAtEnd(cursor)) throw createParseError(cursor, 'expected a character after the backslash.', at);
  const next = takeCharacter(cursor);
  const set = namedSets[next.toLowerCase()];
  if (set !== undefined) return { type: 'class', negated: next !== next.toLowerCase(), ranges: set };
  const literal = controls[next] ?? next;
  if (literal === next && /[\p{L}\p{N}]/u.test(next)) {
    throw createParseError(
      cursor,
      `expected no \\${next}: of letters and digits only \\d \\w \\s \\D \\W \\S \\n \\r \\t are offered.`,
      at,
    );
  }
  return { type: 'class', negated: false, ranges: [rangeOf(literal)] };
}

/** Reads a class in brackets; the opening one stood at `at`. */
export function parseCharacterClass(cursor: Cursor, at: number): RegexNode {
  const negated = acceptText(cursor, '^');
  const ranges: CodeRange[] = [];
  while (!acceptText(cursor, ']')) {
    const from = readMember(cursor, at);
    if (peekCharacter(cursor) === '-' && cursor.text[cursor.at + 1] !== ']') {
      ranges.push(readRange(cursor, from, at));
    } else ranges.push(...from);
  }
  if (ranges.length === 0)
    throw createParseError(cursor, 'expected a character in the class; write \\] for a bracket.', at);
  return { type: 'class', negated, ranges };
}

function readMember(cursor: Cursor, at: number): CodeRange[] {
  const start = cursor.at;
  if (isAtEnd(cursor) || peekCharacter(cursor) === '/') {
    throw createParseError(cursor, 'expected a closing ] for this class; write \\/ for a slash in it.', at);
  }
  const next = takeCharacter(cursor);
  if (next === '[') throw createParseError(cursor, 'expected no [ in a class; write \\[.', start);
  if (next !== '\\') return [rangeOf(next)];
  const escape = parseClassEscape(cursor, start);
  if (escape.negated) throw createParseError(cursor, 'expected no \\D, \\W or \\S in a class.', start);
  return escape.ranges;
}

function readRange(cursor: Cursor, from: CodeRange[], at: number): CodeRange {
  const dash = cursor.at;
  cursor.at++;
  const to = readMember(cursor, at);
  const low = from[0]?.[0];
  const high = to[0]?.[1];
  const single =
    from.length === 1 && to.length === 1 && from[0]?.[0] === from[0]?.[1] && to[0]?.[0] === to[0]?.[1];
  if (!single || low === undefined || high === undefined || low > high) {
    throw createParseError(
      cursor,
      'expected a range from a character to one not before it; write \\- for a dash.',
      dash,
    );
  }
  return [low, high];
}

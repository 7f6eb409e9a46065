import {
  acceptText,
  acceptPattern,
  createParseError,
  isAtEnd,
  luceneLimits,
  peekCharacter,
  takeCharacter,
  type Cursor,
} from './cursor.ts';
import { parseCharacterClass, parseClassEscape, single } from './parse-regex-class.ts';
import type { RegexNode } from './regex-node.ts';
import { largestRepetition, regexSize } from './regex-size.ts';

const mostRepetitions = 1000;

/** Reads `/…/`; the cursor stands on the first slash. Only what a linear-time engine can run is accepted. */
export function parseLuceneRegex(cursor: Cursor): RegexNode {
  const start = cursor.at;
  cursor.at++;
  const regex = readEither(cursor, start, 0);
  if (peekCharacter(cursor) === ')')
    throw createParseError(cursor, 'expected ( before this ) in the regular expression, or \\).');
  cursor.at++;
  if (largestRepetition(regex) > mostRepetitions) {
    throw createParseError(cursor, 'expected at most 1,000 repetitions, nested ones multiplied.', start);
  }
  cursor.regexSize += regexSize(regex);
  if (cursor.regexSize > luceneLimits.regexSize) {
    throw createParseError(
      cursor,
      'expected smaller regular expressions: fewer or shorter counted repetitions.',
      start,
    );
  }
  return regex;
}

function readEither(cursor: Cursor, start: number, depth: number): RegexNode {
  if (depth > luceneLimits.depth) {
    throw createParseError(
      cursor,
      `expected at most ${String(luceneLimits.depth)} groups inside each other.`,
    );
  }
  const options = [readSequence(cursor, start, depth)];
  while (acceptText(cursor, '|')) options.push(readSequence(cursor, start, depth));
  const [first] = options;
  return options.length === 1 && first !== undefined ? first : { type: 'either', options };
}

function readSequence(cursor: Cursor, start: number, depth: number): RegexNode {
  const items: RegexNode[] = [];
  while (!['|', ')', '/'].includes(peekCharacter(cursor))) {
    if (isAtEnd(cursor))
      throw createParseError(cursor, 'expected a closing / for the regular expression here.', start);
    items.push(readRepeat(cursor, readAtom(cursor, start, depth)));
  }
  const [first] = items;
  return items.length === 1 && first !== undefined ? first : { type: 'sequence', items };
}

function readAtom(cursor: Cursor, start: number, depth: number): RegexNode {
  const at = cursor.at;
  const next = takeCharacter(cursor);
  switch (next) {
    case '(': {
      if (peekCharacter(cursor) === '?' && !acceptText(cursor, '?:')) {
        throw createParseError(
          cursor,
          'expected a plain group (…) or (?:…): lookaround, flags and names are not offered.',
          at,
        );
      }
      const group = readEither(cursor, start, depth + 1);
      if (!acceptText(cursor, ')'))
        throw createParseError(cursor, 'expected a closing ) for this group.', at);
      return group;
    }
    case '[':
      return parseCharacterClass(cursor, at);
    case '.':
      return { type: 'class', negated: true, ranges: [] };
    case '\\':
      return parseClassEscape(cursor, at);
    case '^':
    case '$':
      throw createParseError(
        cursor,
        `expected no ${next}: the whole word or value is matched always; or write \\${next}.`,
        at,
      );
    case '*':
    case '+':
    case '?':
    case '{':
      throw createParseError(cursor, `expected something before ${next} that it repeats, or \\${next}.`, at);
    case ']':
    case '}':
      throw createParseError(cursor, `expected no single ${next}; write \\${next}.`, at);
    default:
      return single(next);
  }
}

function readRepeat(cursor: Cursor, item: RegexNode): RegexNode {
  const at = cursor.at;
  const next = peekCharacter(cursor);
  const found = repetitions[next] ?? (next === '{' ? readCount(cursor) : undefined);
  if (found === undefined) return item;
  if (next !== '{') cursor.at++;
  if (['*', '+', '?', '{'].includes(peekCharacter(cursor))) {
    throw createParseError(cursor, 'expected one quantifier only; put a group around what it repeats.', at);
  }
  return { type: 'repeat', item, ...found };
}

const repetitions: Record<string, { min: number; max: number | null }> = {
  '*': { min: 0, max: null },
  '+': { min: 1, max: null },
  '?': { min: 0, max: 1 },
};

function readCount(cursor: Cursor): { min: number; max: number | null } {
  const at = cursor.at;
  const [found, least, comma, most] =
    /^\{(\d{1,6})(,)?(\d{1,6})?\}$/.exec(acceptPattern(cursor, /\{[^}/]*\}/y)) ?? [];
  if (found === undefined || (comma === undefined && most !== undefined)) {
    throw createParseError(cursor, 'expected {n}, {n,} or {n,m}; or write \\{.', at);
  }
  const min = Number(least);
  const max = comma === undefined ? min : most === undefined ? null : Number(most);
  if (max !== null && max < min) throw createParseError(cursor, 'expected {n,m} with m not below n.', at);
  if (min > mostRepetitions || (max ?? 0) > mostRepetitions) {
    throw createParseError(cursor, 'expected at most 1,000 repetitions.', at);
  }
  return { min, max };
}

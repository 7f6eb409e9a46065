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
import { parseCharacterClass, parseClassEscape, literalCharacter } from './parse-regex-class.ts';
import type { RegexNode } from './regex-node.ts';
import { maxRepetition, regexSize } from './regex-size.ts';

const maxRepetitions = 1000;

/** Parses `/…/`. The cursor is at the first slash. Only syntax that a linear-time engine can run is accepted. */
export function parseLuceneRegex(cursor: Cursor): RegexNode {
  const start = cursor.at;
  cursor.at++;
  const regex = parseAlternation(cursor, start, 0);
  if (peekCharacter(cursor) === ')')
    throw createParseError(
      cursor,
      'expected ( before this ) in the regular expression. For the character itself, write \\).',
    );
  cursor.at++;
  if (maxRepetition(regex) > maxRepetitions) {
    throw createParseError(cursor, 'expected at most 1,000 repetitions, with nested ones multiplied.', start);
  }
  cursor.regexSize += regexSize(regex);
  if (cursor.regexSize > luceneLimits.regexSize) {
    throw createParseError(
      cursor,
      'expected smaller regular expressions. Use fewer or shorter counted repetitions.',
      start,
    );
  }
  return regex;
}

function parseAlternation(cursor: Cursor, start: number, depth: number): RegexNode {
  if (depth > luceneLimits.depth) {
    throw createParseError(cursor, `expected at most ${String(luceneLimits.depth)} nested groups.`);
  }
  const options = [parseSequence(cursor, start, depth)];
  while (acceptText(cursor, '|')) options.push(parseSequence(cursor, start, depth));
  const [first] = options;
  return options.length === 1 && first !== undefined ? first : { type: 'either', options };
}

function parseSequence(cursor: Cursor, start: number, depth: number): RegexNode {
  const items: RegexNode[] = [];
  while (!['|', ')', '/'].includes(peekCharacter(cursor))) {
    if (isAtEnd(cursor))
      throw createParseError(cursor, 'expected a closing / for the regular expression here.', start);
    items.push(parseRepeat(cursor, parseAtom(cursor, start, depth)));
  }
  const [first] = items;
  return items.length === 1 && first !== undefined ? first : { type: 'sequence', items };
}

function parseAtom(cursor: Cursor, start: number, depth: number): RegexNode {
  const at = cursor.at;
  const next = takeCharacter(cursor);
  switch (next) {
    case '(': {
      if (peekCharacter(cursor) === '?' && !acceptText(cursor, '?:')) {
        throw createParseError(
          cursor,
          'expected a plain group (…) or (?:…). Lookaround, flags and names are not supported.',
          at,
        );
      }
      const group = parseAlternation(cursor, start, depth + 1);
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
        `expected no ${next}, since an expression always matches a whole word or value. For the character itself, write \\${next}.`,
        at,
      );
    case '*':
    case '+':
    case '?':
    case '{':
      throw createParseError(
        cursor,
        `expected an expression before ${next} that it repeats. For the character itself, write \\${next}.`,
        at,
      );
    case ']':
    case '}':
      throw createParseError(cursor, `expected no single ${next}. Write \\${next} instead.`, at);
    default:
      return literalCharacter(next);
  }
}

function parseRepeat(cursor: Cursor, item: RegexNode): RegexNode {
  const at = cursor.at;
  const next = peekCharacter(cursor);
  const found = repetitions[next] ?? (next === '{' ? parseCount(cursor) : undefined);
  if (found === undefined) return item;
  if (next !== '{') cursor.at++;
  if (['*', '+', '?', '{'].includes(peekCharacter(cursor))) {
    throw createParseError(cursor, 'expected only one quantifier. To repeat again, add a group.', at);
  }
  return { type: 'repeat', item, ...found };
}

const repetitions: Record<string, { min: number; max: number | null }> = {
  '*': { min: 0, max: null },
  '+': { min: 1, max: null },
  '?': { min: 0, max: 1 },
};

function parseCount(cursor: Cursor): { min: number; max: number | null } {
  const at = cursor.at;
  const [found, minText, comma, maxText] =
    /^\{(\d{1,6})(,)?(\d{1,6})?\}$/.exec(acceptPattern(cursor, /\{[^}/]*\}/y)) ?? [];
  if (found === undefined || (comma === undefined && maxText !== undefined)) {
    throw createParseError(cursor, 'expected {n}, {n,} or {n,m}. For the character itself, write \\{.', at);
  }
  const min = Number(minText);
  const max = comma === undefined ? min : maxText === undefined ? null : Number(maxText);
  if (max !== null && max < min) throw createParseError(cursor, 'expected {n,m} with m not below n.', at);
  if (min > maxRepetitions || (max ?? 0) > maxRepetitions) {
    throw createParseError(cursor, 'expected at most 1,000 repetitions.', at);
  }
  return { min, max };
}

import {
  acceptPattern,
  createParseError,
  isAtEnd,
  peekCharacter,
  positionOf,
  skipSpace,
  type Cursor,
} from './cursor.ts';
import type { LuceneNode, PatternPart } from './lucene-node.ts';
import { parseComparison, parseRange } from './parse-range.ts';
import { parseLuceneRegex } from './parse-regex.ts';
import { parseQuotedText, parseWord } from './parse-text.ts';

/**
 * Reads what follows a field and its colon, or stands alone (`field` null): a phrase, a range, a comparison, a regular
 * expression or a word. Groups are not read here.
 */
export function parseValue(cursor: Cursor, field: string | null): LuceneNode {
  const start = cursor.at;
  const node = readLeaf(cursor, field, start);
  const next = peekCharacter(cursor);
  if (node.type === 'regex' && next !== '' && !/[\s)^~]/u.test(next)) {
    throw createParseError(
      cursor,
      'expected a space after the regular expression; write \\/ for a slash in it.',
    );
  }
  if (next === ':') {
    throw createParseError(
      cursor,
      'expected no second colon; write \\: for a colon in a value, or put it in double quotes.',
    );
  }
  return node;
}

function readLeaf(cursor: Cursor, field: string | null, start: number): LuceneNode {
  const at = positionOf(cursor, start);
  switch (peekCharacter(cursor)) {
    case '"':
      return { type: 'term', at, field, text: parseQuotedText(cursor) };
    case '/':
      return { type: 'regex', at, field, regex: parseLuceneRegex(cursor) };
    case '[':
    case '{':
      if (field === null)
        throw createParseError(cursor, 'expected a field before this range, such as age:[1 TO 5].');
      return parseRange(cursor, field);
    case '<':
    case '>':
      if (field === null)
        throw createParseError(
          cursor,
          'expected a field before this comparison, such as age:>5; or write \\ before it.',
        );
      return parseComparison(cursor, field);
    default: {
      const sign = field === null ? '' : acceptPattern(cursor, /[-+](?=\.?\d)/y);
      return leafOfWord(cursor, parseWord(cursor), { at, field, sign });
    }
  }
}

function leafOfWord(
  cursor: Cursor,
  parts: PatternPart[],
  { at, field, sign }: { at: number; field: string | null; sign: string },
): LuceneNode {
  const [first] = parts;
  if (first === undefined) throw expectedValue(cursor, field);
  if (parts.every((part) => 'any' in part)) {
    return field === null ? { type: 'all' } : { type: 'exists', at, field };
  }
  if ('text' in first) first.text = sign + first.text;
  return parts.length === 1 && 'text' in first
    ? { type: 'term', at, field, text: first.text }
    : { type: 'pattern', at, field, parts };
}

function expectedValue(cursor: Cursor, field: string | null): Error {
  if (peekCharacter(cursor) === '~') return createParseError(cursor, notFuzzy);
  return createParseError(
    cursor,
    field === null
      ? 'expected a word, a phrase, a field or a group.'
      : `expected a value for the field ${JSON.stringify(field)}; write \\ before a sign that belongs to it.`,
  );
}

const notFuzzy =
  'expected no ~: fuzzy words and distances in phrases are not offered; write \\~ for the sign.';

/** Reads the value of `_exists_`: the name of a field. */
export function parseExists(cursor: Cursor): LuceneNode {
  const at = positionOf(cursor, cursor.at);
  if (peekCharacter(cursor) === '"') return { type: 'exists', at, field: parseQuotedText(cursor) };
  const start = cursor.at;
  const [only, ...more] = parseWord(cursor);
  if (only === undefined || !('text' in only) || more.length > 0) {
    throw createParseError(
      cursor,
      'expected the name of one field after _exists_, without wildcards.',
      start,
    );
  }
  return { type: 'exists', at, field: only.text };
}

/** Reads a boost such as `^2`, which changes no result here, and refuses `~`. */
export function skipBoost(cursor: Cursor): void {
  if (peekCharacter(cursor) === '~') throw createParseError(cursor, notFuzzy);
  if (peekCharacter(cursor) !== '^') return;
  if (acceptPattern(cursor, /\^\d+(?:\.\d+)?/y) === '')
    throw createParseError(cursor, 'expected ^ and a number, such as ^2.');
  if (peekCharacter(cursor) === '~') throw createParseError(cursor, notFuzzy);
}

/**
 * Reads a field name and its colon, and the space after it, when both stand here; otherwise the cursor stays. Names
 * are read like words, so that any character can be escaped.
 */
export function parseFieldName(cursor: Cursor): string | undefined {
  const start = cursor.at;
  const parts = parseWord(cursor);
  const before = skipSpace(cursor);
  const isField = parts.length > 0 && peekCharacter(cursor) === ':';
  if (!isField) {
    cursor.at = start;
    return undefined;
  }
  cursor.at++;
  const [only] = parts;
  if (before === '' && only !== undefined && 'any' in only && parts.length === 1 && isStarNext(cursor)) {
    cursor.at = start;
    return undefined;
  }
  if (parts.length !== 1 || only === undefined || !('text' in only)) {
    throw createParseError(
      cursor,
      'expected a field name without wildcards; write \\* or \\? for the characters.',
      start,
    );
  }
  skipSpace(cursor);
  if (isAtEnd(cursor))
    throw createParseError(cursor, `expected a value for the field ${JSON.stringify(only.text)}.`);
  return only.text;
}

const isStarNext = ({ text, at }: Cursor): boolean => /^\*(?:[\s)^]|$)/u.test(text.slice(at, at + 2));

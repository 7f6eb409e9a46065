import { acceptPattern, failure, isAtEnd, peek, positionOf, skipSpace, type Cursor } from './cursor.ts';
import type { LuceneNode, PatternPart } from './lucene-node.ts';
import { readComparison, readRange } from './parse-range.ts';
import { readRegex } from './parse-regex.ts';
import { readQuoted, readWord } from './read-text.ts';

/**
 * Reads what follows a field and its colon, or stands alone (`field` null): a phrase, a range, a comparison, a regular
 * expression or a word. Groups are not read here.
 */
export function readValue(cursor: Cursor, field: string | null): LuceneNode {
  const start = cursor.at;
  const node = readLeaf(cursor, field, start);
  const next = peek(cursor);
  if (node.type === 'regex' && next !== '' && !/[\s)^~]/u.test(next)) {
    throw failure(cursor, 'expected a space after the regular expression; write \\/ for a slash in it.');
  }
  if (next === ':') {
    throw failure(
      cursor,
      'expected no second colon; write \\: for a colon in a value, or put it in double quotes.',
    );
  }
  return node;
}

function readLeaf(cursor: Cursor, field: string | null, start: number): LuceneNode {
  const at = positionOf(cursor, start);
  switch (peek(cursor)) {
    case '"':
      return { type: 'term', at, field, text: readQuoted(cursor) };
    case '/':
      return { type: 'regex', at, field, regex: readRegex(cursor) };
    case '[':
    case '{':
      if (field === null) throw failure(cursor, 'expected a field before this range, such as age:[1 TO 5].');
      return readRange(cursor, field);
    case '<':
    case '>':
      if (field === null)
        throw failure(
          cursor,
          'expected a field before this comparison, such as age:>5; or write \\ before it.',
        );
      return readComparison(cursor, field);
    default: {
      const sign = field === null ? '' : acceptPattern(cursor, /[-+](?=\.?\d)/y);
      return leafOfWord(cursor, readWord(cursor), { at, field, sign });
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
  if (peek(cursor) === '~') return failure(cursor, notFuzzy);
  return failure(
    cursor,
    field === null
      ? 'expected a word, a phrase, a field or a group.'
      : `expected a value for the field ${JSON.stringify(field)}; write \\ before a sign that belongs to it.`,
  );
}

const notFuzzy =
  'expected no ~: fuzzy words and distances in phrases are not offered; write \\~ for the sign.';

/** Reads the value of `_exists_`: the name of a field. */
export function readExists(cursor: Cursor): LuceneNode {
  const at = positionOf(cursor, cursor.at);
  if (peek(cursor) === '"') return { type: 'exists', at, field: readQuoted(cursor) };
  const start = cursor.at;
  const [only, ...more] = readWord(cursor);
  if (only === undefined || !('text' in only) || more.length > 0) {
    throw failure(cursor, 'expected the name of one field after _exists_, without wildcards.', start);
  }
  return { type: 'exists', at, field: only.text };
}

/** Reads a boost such as `^2`, which changes no result here, and refuses `~`. */
export function skipBoost(cursor: Cursor): void {
  if (peek(cursor) === '~') throw failure(cursor, notFuzzy);
  if (peek(cursor) !== '^') return;
  if (acceptPattern(cursor, /\^\d+(?:\.\d+)?/y) === '')
    throw failure(cursor, 'expected ^ and a number, such as ^2.');
  if (peek(cursor) === '~') throw failure(cursor, notFuzzy);
}

/**
 * Reads a field name and its colon, and the space after it, when both stand here; otherwise the cursor stays. Names
 * are read like words, so that any character can be escaped.
 */
export function readField(cursor: Cursor): string | undefined {
  const start = cursor.at;
  const parts = readWord(cursor);
  const before = skipSpace(cursor);
  const isField = parts.length > 0 && peek(cursor) === ':';
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
    throw failure(
      cursor,
      'expected a field name without wildcards; write \\* or \\? for the characters.',
      start,
    );
  }
  skipSpace(cursor);
  if (isAtEnd(cursor)) throw failure(cursor, `expected a value for the field ${JSON.stringify(only.text)}.`);
  return only.text;
}

const isStarNext = ({ text, at }: Cursor): boolean => /^\*(?:[\s)^]|$)/u.test(text.slice(at, at + 2));

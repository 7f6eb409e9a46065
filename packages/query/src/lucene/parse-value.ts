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
 * Parses a value, after a field and its colon or alone (`field` is null): a phrase, a range, a comparison, a regular
 * expression or a word. Callers parse groups.
 */
export function parseValue(cursor: Cursor, field: string | null): LuceneNode {
  const start = cursor.at;
  const node = parseLeaf(cursor, field, start);
  const next = peekCharacter(cursor);
  if (node.type === 'regex' && next !== '' && !/[\s)^~]/u.test(next)) {
    throw createParseError(
      cursor,
      'expected a space after the regular expression. For a slash in it, write \\/.',
    );
  }
  if (next === ':') {
    throw createParseError(
      cursor,
      'expected no second colon. For a colon in a value, write \\: or put the value in double quotes.',
    );
  }
  return node;
}

function parseLeaf(cursor: Cursor, field: string | null, start: number): LuceneNode {
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
          'expected a field before this comparison, such as age:>5. For the character itself, write \\ before it.',
        );
      return parseComparison(cursor, field);
    default: {
      const sign = field === null ? '' : acceptPattern(cursor, /[-+](?=\.?\d)/y);
      return createWordLeaf(cursor, parseWord(cursor), { at, field, sign });
    }
  }
}

function createWordLeaf(
  cursor: Cursor,
  parts: PatternPart[],
  { at, field, sign }: { at: number; field: string | null; sign: string },
): LuceneNode {
  const [first] = parts;
  if (first === undefined) throw createMissingValueError(cursor, field);
  if (parts.every((part) => 'any' in part)) {
    return field === null ? { type: 'all' } : { type: 'exists', at, field };
  }
  if ('text' in first) first.text = sign + first.text;
  return parts.length === 1 && 'text' in first
    ? { type: 'term', at, field, text: first.text }
    : { type: 'pattern', at, field, parts };
}

function createMissingValueError(cursor: Cursor, field: string | null): Error {
  if (peekCharacter(cursor) === '~') return createParseError(cursor, fuzzyUnsupported);
  return createParseError(
    cursor,
    field === null
      ? 'expected a word, a phrase, a field or a group.'
      : `expected a value for the field ${JSON.stringify(field)}. If the value starts with a sign, write \\ before it.`,
  );
}

const fuzzyUnsupported =
  'expected no ~, since fuzzy words and phrase distances are not supported. For the character itself, write \\~.';

/** Parses the value of `_exists_`: a field name. */
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

/** Skips a boost such as `^2`, which has no effect, and rejects `~`. */
export function skipBoost(cursor: Cursor): void {
  if (peekCharacter(cursor) === '~') throw createParseError(cursor, fuzzyUnsupported);
  if (peekCharacter(cursor) !== '^') return;
  if (acceptPattern(cursor, /\^\d+(?:\.\d+)?/y) === '')
    throw createParseError(cursor, 'expected ^ and a number, such as ^2.');
  if (peekCharacter(cursor) === '~') throw createParseError(cursor, fuzzyUnsupported);
}

/**
 * Parses a field name, its colon and the white space after it. Returns undefined and leaves the cursor if there is none.
 * Names have the syntax of words, so any character can be escaped.
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
      'expected a field name without wildcards. For the characters themselves, write \\* or \\?.',
      start,
    );
  }
  skipSpace(cursor);
  if (isAtEnd(cursor))
    throw createParseError(cursor, `expected a value for the field ${JSON.stringify(only.text)}.`);
  return only.text;
}

const isStarNext = ({ text, at }: Cursor): boolean => /^\*(?:[\s)^]|$)/u.test(text.slice(at, at + 2));

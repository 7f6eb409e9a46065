import { acceptText, createParseError, peekCharacter, positionOf, skipSpace, type Cursor } from './cursor.ts';
import type { Bound, RangeNode } from './lucene-node.ts';
import { parseBound, parseQuotedText } from './parse-text.ts';

/** Parses `[a TO b]`, also with `{` or `}` on either side. The cursor is at the first bracket. */
export function parseRange(cursor: Cursor, field: string): RangeNode {
  const at = positionOf(cursor, cursor.at);
  const includesLower = acceptText(cursor, '[');
  if (!includesLower) cursor.at++;
  skipSpace(cursor);
  const lower = parseRangeBound(cursor, includesLower);
  if (skipSpace(cursor) === '' || !acceptText(cursor, 'TO') || skipSpace(cursor) === '') {
    throw createParseError(cursor, 'expected TO between the two bounds of this range, such as [1 TO 5].');
  }
  const upper = parseRangeBound(cursor, true);
  skipSpace(cursor);
  const includesUpper = acceptText(cursor, ']');
  if (!includesUpper && !acceptText(cursor, '}')) {
    throw createParseError(cursor, 'expected ] or } at the end of the range.');
  }
  return { type: 'range', at, field, lower, upper: upper && { text: upper.text, inclusive: includesUpper } };
}

/** Parses one bound. Returns null if it is open. */
function parseRangeBound(cursor: Cursor, inclusive: boolean): Bound | null {
  if (peekCharacter(cursor) === '"') return { text: parseQuotedText(cursor), inclusive };
  const start = cursor.at;
  const { text, isOpen } = parseBound(cursor, /[\s\]}]/u);
  if (cursor.at === start)
    throw createParseError(cursor, 'expected a bound of the range: a value, or * for an open range.');
  return isOpen ? null : { text, inclusive };
}

/** Parses `>5`, `>=5`, `<5` or `<=5`. The cursor is at the first character. */
export function parseComparison(cursor: Cursor, field: string): RangeNode {
  const at = positionOf(cursor, cursor.at);
  const isLower = acceptText(cursor, '>');
  if (!isLower) cursor.at++;
  const inclusive = acceptText(cursor, '=');
  skipSpace(cursor);
  const bound = parseComparedValue(cursor, inclusive);
  return { type: 'range', at, field, lower: isLower ? bound : null, upper: isLower ? null : bound };
}

function parseComparedValue(cursor: Cursor, inclusive: boolean): Bound {
  if (peekCharacter(cursor) === '"') return { text: parseQuotedText(cursor), inclusive };
  const start = cursor.at;
  const { text, isOpen } = parseBound(cursor, /[\s()[\]{}"^~]/u);
  if (cursor.at === start || isOpen)
    throw createParseError(cursor, 'expected a value to compare with.', start);
  return { text, inclusive };
}

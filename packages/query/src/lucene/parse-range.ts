import { accept, failure, peek, positionOf, skipSpace, type Cursor } from './cursor.ts';
import type { Bound, RangeNode } from './lucene-node.ts';
import { readBound, readQuoted } from './read-text.ts';

/** Reads `[a TO b]` with either bracket on either side; the cursor stands on the first one. */
export function readRange(cursor: Cursor, field: string): RangeNode {
  const at = positionOf(cursor, cursor.at);
  const includesLower = accept(cursor, '[');
  if (!includesLower) cursor.at++;
  skipSpace(cursor);
  const lower = readSide(cursor, includesLower);
  if (skipSpace(cursor) === '' || !accept(cursor, 'TO') || skipSpace(cursor) === '') {
    throw failure(cursor, 'expected TO between the two bounds of this range, such as [1 TO 5].');
  }
  const upper = readSide(cursor, true);
  skipSpace(cursor);
  const includesUpper = accept(cursor, ']');
  if (!includesUpper && !accept(cursor, '}')) {
    throw failure(cursor, 'expected ] or } at the end of the range.');
  }
  return { type: 'range', at, field, lower, upper: upper && { text: upper.text, inclusive: includesUpper } };
}

/** One bound; null when it is open. */
function readSide(cursor: Cursor, inclusive: boolean): Bound | null {
  if (peek(cursor) === '"') return { text: readQuoted(cursor), inclusive };
  const start = cursor.at;
  const { text, isOpen } = readBound(cursor, /[\s\]}]/u);
  if (cursor.at === start) throw failure(cursor, 'expected a bound of the range: a value, or * for none.');
  return isOpen ? null : { text, inclusive };
}

/** Reads `>5`, `>=5`, `<5` or `<=5`; the cursor stands on the first character. */
export function readComparison(cursor: Cursor, field: string): RangeNode {
  const at = positionOf(cursor, cursor.at);
  const isLower = accept(cursor, '>');
  if (!isLower) cursor.at++;
  const inclusive = accept(cursor, '=');
  skipSpace(cursor);
  const bound = readOperand(cursor, inclusive);
  return { type: 'range', at, field, lower: isLower ? bound : null, upper: isLower ? null : bound };
}

function readOperand(cursor: Cursor, inclusive: boolean): Bound {
  if (peek(cursor) === '"') return { text: readQuoted(cursor), inclusive };
  const start = cursor.at;
  const { text, isOpen } = readBound(cursor, /[\s()[\]{}"^~]/u);
  if (cursor.at === start || isOpen) throw failure(cursor, 'expected a value to compare with.', start);
  return { text, inclusive };
}

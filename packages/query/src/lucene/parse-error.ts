import { RedoubtError } from '@redoubt/errors';

const quotedCharacters = 20;

/** The maximum length of the part of an expression that an error marks, in UTF-16 code units. */
const maxMarked = 200;

/** A word, or one other character. */
const wrongPart = /^(?:[^\s()[\]{}:"]+|[\s\S])/u;

/** The number of characters that an error at the start of `rest` marks; 0 at the end of the expression. */
const errorLength = (rest: string): number => Array.from(wrongPart.exec(rest)?.[0] ?? '').length;

/**
 * Creates the LuceneParseError (400) for the character at `index` (UTF-16 code units). `expected` completes the
 * message.
 */
export function luceneParseError(expression: string, index: number, expected: string): RedoubtError {
  const rest = Array.from(expression.slice(index, index + 2 * quotedCharacters + 2));
  const excerpt = rest.slice(0, quotedCharacters).join('') + (rest.length > quotedCharacters ? '…' : '');
  const found = excerpt === '' ? 'the end' : JSON.stringify(excerpt.toWellFormed());
  const offset = charactersBetween(expression, 0, index);
  return new RedoubtError(
    'LuceneParseError',
    `At character ${String(offset + 1)}, found ${found}: ${expected}`,
    {
      position: { offset, length: errorLength(expression.slice(index, index + maxMarked)) },
      hint: `${expected.charAt(0).toUpperCase()}${expected.slice(1)}`,
    },
  );
}

/** Counts the characters (code points) between two indexes. */
export function charactersBetween(expression: string, from: number, to: number): number {
  let count = 0;
  for (let unit = from; unit < to; unit++) {
    if ((expression.codePointAt(unit) ?? 0) > 0xffff) unit++;
    count++;
  }
  return count;
}

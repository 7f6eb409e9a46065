import { RedoubtError } from '@redoubt/errors';

const quotedCharacters = 20;

/** Creates the LuceneParseError (400) for the character at `index` (UTF-16 code units). `expected` completes the message. */
export function luceneParseError(expression: string, index: number, expected: string): RedoubtError {
  const rest = Array.from(expression.slice(index, index + 2 * quotedCharacters + 2));
  const excerpt = rest.slice(0, quotedCharacters).join('') + (rest.length > quotedCharacters ? '…' : '');
  const found = excerpt === '' ? 'the end' : JSON.stringify(excerpt.toWellFormed());
  const position = String(charactersBetween(expression, 0, index) + 1);
  return new RedoubtError('LuceneParseError', `At character ${position}, found ${found}: ${expected}`);
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

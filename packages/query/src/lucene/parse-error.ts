import { RedoubtError } from '@redoubt/errors';

const quotedCharacters = 20;

/** 400: the expression cannot be read at `index` (in UTF-16 units); `expected` says what should stand there. */
export function luceneParseError(expression: string, index: number, expected: string): RedoubtError {
  const rest = Array.from(expression.slice(index, index + 2 * quotedCharacters + 2));
  const piece = rest.slice(0, quotedCharacters).join('') + (rest.length > quotedCharacters ? '…' : '');
  const found = piece === '' ? 'the end' : JSON.stringify(piece.toWellFormed());
  const position = String(charactersBetween(expression, 0, index) + 1);
  return new RedoubtError('LuceneParseError', `At character ${position}, found ${found}: ${expected}`);
}

/** How many characters (code points) stand between two indexes. */
export function charactersBetween(expression: string, from: number, to: number): number {
  let count = 0;
  for (let unit = from; unit < to; unit++) {
    if ((expression.codePointAt(unit) ?? 0) > 0xffff) unit++;
    count++;
  }
  return count;
}

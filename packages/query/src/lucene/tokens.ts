/**
 * Splits text into the tokens that searches match. The code that stores records and the code that compiles searches
 * both use these functions, so their tokens agree. Text is converted to lower case (a final sigma becomes a plain
 * sigma) and NFC. Tokens are the longest runs of letters, digits and combining marks. In scripts without spaces, each
 * character is a token, so a search for a part of a text finds it as a phrase.
 */

const unspaced =
  '[[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]&&[\\p{L}\\p{N}]]';
const tokenPattern = new RegExp(`${unspaced}\\p{M}*|[[\\p{L}\\p{N}\\p{M}]--${unspaced}]+`, 'gv');
const singleCharacter = new RegExp(`^${unspaced}\\p{M}*$`, 'v');

/** Converts text to the form of tokens: lower case and NFC. */
export const foldText = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ').normalize('NFC');

export const isAscii = (text: string): boolean => {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
};

/** Returns the tokens of a text, each followed by a space, as the column `words` stores them. Empty without tokens. */
export function tokenText(text: string): string {
  if (!isAscii(text)) {
    const found = foldText(text).match(tokenPattern);
    return found === null ? '' : `${found.join(' ')} `;
  }
  const spaced = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, ' ');
  if (spaced === '' || spaced === ' ') return '';
  const from = spaced.startsWith(' ') ? 1 : 0;
  return spaced.endsWith(' ') ? spaced.slice(from) : `${spaced.slice(from)} `;
}

/** Splits text into tokens, in order: `Foo-Bar 2` becomes `foo`, `bar`, `2`. */
export const tokensOf = (text: string): string[] => {
  const spaced = tokenText(text);
  return spaced === '' ? [] : spaced.slice(0, -1).split(' ');
};

/** A token and its position in a text converted by `foldText`. */
export interface TokenSpan {
  token: string;
  from: number;
  until: number;
}

/** Returns the tokens of a text converted by `foldText`, with their positions. */
export const tokenSpans = (folded: string): TokenSpan[] =>
  Array.from(folded.matchAll(tokenPattern), ({ 0: token, index }) => ({
    token,
    from: index,
    until: index + token.length,
  }));

/** Whether a token is a character of a script without spaces. No longer token contains such a character. */
export const isSingleCharacterToken = (token: string): boolean => singleCharacter.test(token);

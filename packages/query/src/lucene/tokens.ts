/**
 * Cutting text into the tokens that searches match. Records and searches both go through here, so they always agree:
 * lower case (context-free: a final sigma is a sigma), NFC, then maximal runs of letters, digits and marks. Scripts that
 * write no spaces between words give one token for each character, so that a search for part of a text finds it as a
 * phrase.
 */

const unspaced =
  '[[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]&&[\\p{L}\\p{N}]]';
const tokenPattern = new RegExp(`${unspaced}\\p{M}*|[[\\p{L}\\p{N}\\p{M}]--${unspaced}]+`, 'gv');
const singleCharacter = new RegExp(`^${unspaced}\\p{M}*$`, 'v');

/** The form in which the letters of tokens are kept. */
export const foldText = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ').normalize('NFC');

export const isAscii = (text: string): boolean => {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
};

/** The tokens of a text, each followed by one space: a segment of `words`. Empty when there is none. */
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

/** The tokens of a text, in order. */
export const tokensOf = (text: string): string[] => {
  const spaced = tokenText(text);
  return spaced === '' ? [] : spaced.slice(0, -1).split(' ');
};

/** A token and where it stands in a text that `foldText` has gone over. */
export interface TokenSpan {
  token: string;
  from: number;
  until: number;
}

/** The tokens of a folded text with their places. */
export const tokenSpans = (folded: string): TokenSpan[] =>
  Array.from(folded.matchAll(tokenPattern), ({ 0: token, index }) => ({
    token,
    from: index,
    until: index + token.length,
  }));

/** Whether a token is a character of a script that writes no spaces: such a token never grows. */
export const isSingleCharacterToken = (token: string): boolean => singleCharacter.test(token);

import { foldText, isAscii, tokenSpans, type TokenSpan } from '../lucene/tokens.ts';

/** A character with its combining marks. Parts of a Hangul syllable belong together, too: NFC combines them. */
const characterPattern =
  /(?:[\u{1100}-\u{115f}\u{a960}-\u{a97f}\u{ac00}-\u{d7a3}][\u{1160}-\u{11ff}\u{d7b0}-\u{d7ff}]*|[^])\p{M}*/gu;

/**
 * Returns the tokens of a text with their positions in it, in UTF-16 code units. Converting a text for searches can
 * change its length, so a position is that of the whole character, combining marks included.
 */
export function textTokens(text: string): TokenSpan[] {
  if (isAscii(text)) return tokenSpans(text.toLowerCase());
  const folded = foldText(text);
  const starts: number[] = [];
  const ends: number[] = [];
  let joined = '';
  for (const { 0: character, index } of text.matchAll(characterPattern)) {
    const part = foldText(character);
    for (let count = 0; count < part.length; count++) {
      starts.push(index);
      ends.push(index + character.length);
    }
    joined += part;
  }
  // If characters change together with their neighbours, positions are unknown: the whole text takes their place.
  const isExact = joined === folded;
  return tokenSpans(folded).map(({ token, from, until }) => ({
    token,
    from: isExact ? (starts[from] ?? 0) : 0,
    until: isExact ? (ends[until - 1] ?? text.length) : text.length,
  }));
}

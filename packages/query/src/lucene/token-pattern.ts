import type { PatternPart } from './lucene-node.ts';
import { foldText, isSingleCharacterToken, tokenSpans } from './tokens.ts';

/**
 * A wildcard pattern cut into pieces as text is cut into tokens: `192.168.*` is `192`, `168` and `*`. Each piece matches
 * one whole token, `*` and `?` standing for characters of it, and the pieces must match tokens in a row. A character of
 * a script without spaces is a token of its own, so such a character ends its piece; a `*` beside it changes nothing.
 */
export function splitPattern(parts: readonly PatternPart[]): PatternPart[][] {
  const pieces: PatternPart[][] = [];
  let piece: PatternPart[] = [];
  const close = (): void => {
    if (piece.length > 0) pieces.push(piece);
    piece = [];
  };
  for (const part of parts) {
    const before = piece.at(-1);
    if (!('text' in part)) {
      if ('one' in part && before !== undefined && 'text' in before && isSingleCharacterToken(before.text))
        close();
      piece.push(part);
      continue;
    }
    const text = foldText(part.text);
    let end = 0;
    for (const { token, from, until } of tokenSpans(text)) {
      const follows = end === 0 && from === 0;
      if (!follows || (before !== undefined && 'one' in before && isSingleCharacterToken(token))) close();
      piece.push({ text: token });
      end = until;
    }
    if (end < text.length) close();
  }
  close();
  return pieces;
}

import type { PatternPart } from './lucene-node.ts';
import { foldText, isSingleCharacterToken, tokenSpans } from './tokens.ts';

/**
 * Splits a wildcard pattern into one pattern for each token, as text is split into tokens: `192.168.*` becomes `192`,
 * `168` and `*`. Each of them must match one whole token, and the matched tokens must be consecutive. In scripts
 * without spaces, each character is a token, so it gets its own pattern: `漢*abc` becomes `漢` and `*abc`. Together with
 * other text or a `?`, it would match no token.
 */
export function splitPattern(parts: readonly PatternPart[]): PatternPart[][] {
  const tokenPatterns: PatternPart[][] = [];
  let current: PatternPart[] = [];
  const close = (): void => {
    if (current.length > 0) tokenPatterns.push(current);
    current = [];
  };
  /** Ends the current pattern after its text. The wildcards behind the text start the next pattern. */
  const closeAfterText = (): void => {
    const textEnd = current.findLastIndex(isText) + 1;
    const wildcards = current.slice(textEnd);
    current = current.slice(0, textEnd);
    close();
    current = wildcards;
  };
  for (const part of parts) {
    if (!isText(part)) {
      if ('one' in part && current.some(isSingleCharacter)) closeAfterText();
      current.push(part);
      continue;
    }
    const text = foldText(part.text);
    let end = 0;
    for (const { token, from, until } of tokenSpans(text)) {
      const isAtStart = end === 0 && from === 0;
      if (!isAtStart) close();
      else if (isSingleCharacterToken(token) && current.some((other) => !('any' in other))) close();
      else if (current.some(isSingleCharacter)) closeAfterText();
      current.push({ text: token });
      end = until;
    }
    if (end < text.length) close();
  }
  close();
  return tokenPatterns;
}

const isText = (part: PatternPart): part is { text: string } => 'text' in part;
const isSingleCharacter = (part: PatternPart): boolean => isText(part) && isSingleCharacterToken(part.text);

import type { PatternPart } from './lucene-node.ts';
import { foldText, isSingleCharacterToken, tokenSpans } from './tokens.ts';

/**
 * Splits a wildcard pattern into one pattern for each token, as text is split into tokens: `192.168.*` becomes `192`,
 * `168` and `*`. The token patterns must match consecutive tokens, each one a whole token. In scripts without spaces,
 * each character is a token, so it gets its own pattern, also apart from a `?` beside it. A `*` beside it stays in the
 * same pattern.
 */
export function splitPattern(parts: readonly PatternPart[]): PatternPart[][] {
  const tokenPatterns: PatternPart[][] = [];
  let current: PatternPart[] = [];
  const close = (): void => {
    if (current.length > 0) tokenPatterns.push(current);
    current = [];
  };
  for (const part of parts) {
    const before = current.at(-1);
    if (!('text' in part)) {
      if ('one' in part && before !== undefined && 'text' in before && isSingleCharacterToken(before.text))
        close();
      current.push(part);
      continue;
    }
    const text = foldText(part.text);
    let end = 0;
    for (const { token, from, until } of tokenSpans(text)) {
      const follows = end === 0 && from === 0;
      if (!follows || (before !== undefined && 'one' in before && isSingleCharacterToken(token))) close();
      current.push({ text: token });
      end = until;
    }
    if (end < text.length) close();
  }
  close();
  return tokenPatterns;
}

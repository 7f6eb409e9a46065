import type { PatternPart } from '../lucene/lucene-node.ts';
import type { RegexNode } from '../lucene/regex-node.ts';
import {
  characterText,
  classText,
  negatedClassText,
  quantifierText,
  type CodeRange,
} from '../values/re2-text.ts';

/**
 * The text that a pattern runs on. `token` is the column `words`, where spaces and control characters separate tokens
 * and segments, so the pattern must not match them. `value` is a whole value with any characters.
 */
export type PatternScope = 'token' | 'value';

/** The control characters and the space. */
const separators: CodeRange = [0, 0x20];

/** Prints text so that RE2 matches it literally. */
export const escapeRe2 = (text: string): string =>
  Array.from(text, (character) => characterText(character.codePointAt(0) ?? 0)).join('');

/** Prints a character class. In the scope `token`, separators are excluded. */
function classTextWithin(node: Extract<RegexNode, { type: 'class' }>, scope: PatternScope): string {
  if (node.negated) return negatedClassText(scope === 'token' ? [separators, ...node.ranges] : node.ranges);
  if (scope === 'value') return classText(node.ranges);
  return classText(
    node.ranges.flatMap<CodeRange>(([from, to]) =>
      to <= separators[1] ? [] : [[Math.max(from, separators[1] + 1), to]],
    ),
  );
}

/** Prints a regular expression in RE2 syntax. The result is a single atom, so it can be repeated or concatenated. */
export function printRe2(node: RegexNode, scope: PatternScope): string {
  switch (node.type) {
    case 'class':
      return classTextWithin(node, scope);
    case 'sequence':
      return `(?:${node.items.map((item) => printRe2(item, scope)).join('')})`;
    case 'either':
      return `(?:${node.options.map((option) => printRe2(option, scope)).join('|')})`;
    case 'repeat':
      return `(?:${printRe2(node.item, scope)})${quantifierText(node.min, node.max)}`;
  }
}

/** Prints a wildcard pattern, or the part for one token, in RE2 syntax. */
export const printWildcardAsRe2 = (parts: readonly PatternPart[], scope: PatternScope): string => {
  const one = classTextWithin({ type: 'class', negated: true, ranges: [] }, scope);
  return parts
    .map((part) => {
      if ('text' in part) return escapeRe2(part.text);
      return 'any' in part ? `${one}*` : one;
    })
    .join('');
};

/** Makes a pattern match only a whole value, in any letter case. */
export const printWholeValuePattern = (pattern: string): string => `(?i)\\A(?:${pattern})\\z`;

/** Prints the pattern that finds consecutive tokens in an ASCII text, which it splits as `tokensOf` does. */
export const printAsciiPhrasePattern = (tokens: readonly string[]): string =>
  `(?i)(?:\\A|[^A-Za-z0-9])${tokens.join('[^A-Za-z0-9]+')}(?:[^A-Za-z0-9]|\\z)`;

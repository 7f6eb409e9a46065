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
 * What a pattern runs over. `token`: the tokens in `words`, so nothing may match a space or a control character, which
 * part tokens and mark segments. `value`: a whole value, any character.
 */
export type PatternScope = 'token' | 'value';

/** The characters up to the space. */
const separators: CodeRange = [0, 0x20];

/** A text as RE2 matches it literally. */
export const escapeRe2 = (text: string): string =>
  Array.from(text, (character) => characterText(character.codePointAt(0) ?? 0)).join('');

/** A class; in tokens without the characters that tokens cannot have. */
function classTextWithin(node: Extract<RegexNode, { type: 'class' }>, scope: PatternScope): string {
  if (node.negated) return negatedClassText(scope === 'token' ? [separators, ...node.ranges] : node.ranges);
  if (scope === 'value') return classText(node.ranges);
  return classText(
    node.ranges.flatMap<CodeRange>(([from, to]) =>
      to <= separators[1] ? [] : [[Math.max(from, separators[1] + 1), to]],
    ),
  );
}

/** A regular expression of the accepted subset as RE2, in a group where it needs one. */
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

/** A wildcard pattern, or a piece of one, as RE2. */
export const printWildcardAsRe2 = (parts: readonly PatternPart[], scope: PatternScope): string => {
  const one = classTextWithin({ type: 'class', negated: true, ranges: [] }, scope);
  return parts
    .map((part) => {
      if ('text' in part) return escapeRe2(part.text);
      return 'any' in part ? `${one}*` : one;
    })
    .join('');
};

/** A pattern that has to match a whole value, in any case. */
export const printWholeValuePattern = (pattern: string): string => `(?i)\\A(?:${pattern})\\z`;

/** Tokens in a row in an ASCII text, in any case: the same that its tokens would say. */
export const printAsciiPhrasePattern = (tokens: readonly string[]): string =>
  `(?i)(?:\\A|[^A-Za-z0-9])${tokens.join('[^A-Za-z0-9]+')}(?:[^A-Za-z0-9]|\\z)`;

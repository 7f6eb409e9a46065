import type { PatternPart } from '../lucene/lucene-node.ts';
import type { CodeRange, RegexNode } from '../lucene/regex-node.ts';

/**
 * The text that a pattern runs on. `token` is the column `words`: the pattern must not match spaces and control
 * characters, which separate tokens and segments. `value` is a whole value with any characters.
 */
export type PatternScope = 'token' | 'value';

const lastCode = 0x10ffff;
/** The control characters and the space. */
const separators: CodeRange = [0, 0x20];

const codeText = (code: number): string => `\\x{${code.toString(16).toUpperCase()}}`;

/** Prints a character so that RE2 takes it literally, inside or outside a class. */
function characterText(code: number): string {
  const character = String.fromCodePoint(code);
  if (code < 0x20 || code === 0x7f || (code >= 0xd800 && code <= 0xdfff)) return codeText(code);
  return code < 0x80 && !/[\w ]/.test(character) ? `\\${character}` : character;
}

/** Prints text so that RE2 matches it literally. */
export const escapeRe2 = (text: string): string =>
  Array.from(text, (character) => characterText(character.codePointAt(0) ?? 0)).join('');

const rangeText = ([from, to]: CodeRange): string =>
  from === to ? characterText(from) : `${codeText(from)}-${codeText(to)}`;

const nothing = `[^${rangeText([0, lastCode])}]`;

/** Prints a character class. In the scope `token`, separators are excluded. */
function classText(node: Extract<RegexNode, { type: 'class' }>, scope: PatternScope): string {
  if (node.negated) {
    const excluded = scope === 'token' ? [separators, ...node.ranges] : node.ranges;
    return excluded.length === 0 ? `[${rangeText([0, lastCode])}]` : `[^${excluded.map(rangeText).join('')}]`;
  }
  const ranges =
    scope === 'value'
      ? node.ranges
      : node.ranges.flatMap<CodeRange>(([from, to]) =>
          to <= separators[1] ? [] : [[Math.max(from, separators[1] + 1), to]],
        );
  const [only] = ranges;
  if (only === undefined) return nothing;
  return ranges.length === 1 && only[0] === only[1]
    ? characterText(only[0])
    : `[${ranges.map(rangeText).join('')}]`;
}

/** Prints a regular expression in RE2 syntax. The result is a single atom, so it can be repeated or concatenated. */
export function printRe2(node: RegexNode, scope: PatternScope): string {
  switch (node.type) {
    case 'class':
      return classText(node, scope);
    case 'sequence':
      return `(?:${node.items.map((item) => printRe2(item, scope)).join('')})`;
    case 'either':
      return `(?:${node.options.map((option) => printRe2(option, scope)).join('|')})`;
    case 'repeat':
      return `(?:${printRe2(node.item, scope)})${quantifier(node.min, node.max)}`;
  }
}

function quantifier(min: number, max: number | null): string {
  if (max === null) return min === 0 ? '*' : min === 1 ? '+' : `{${String(min)},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${String(min)}}` : `{${String(min)},${String(max)}}`;
}

/** Prints a wildcard pattern, or the part for one token, in RE2 syntax. */
export const printWildcardAsRe2 = (parts: readonly PatternPart[], scope: PatternScope): string => {
  const one = classText({ type: 'class', negated: true, ranges: [] }, scope);
  return parts
    .map((part) => {
      if ('text' in part) return escapeRe2(part.text);
      return 'any' in part ? `${one}*` : one;
    })
    .join('');
};

/** Makes a pattern match only a whole value, in any letter case. */
export const printWholeValuePattern = (pattern: string): string => `(?i)\\A(?:${pattern})\\z`;

/** Prints the pattern that finds tokens in a row in an ASCII text. It agrees with `tokensOf` on ASCII text. */
export const printAsciiPhrasePattern = (tokens: readonly string[]): string =>
  `(?i)(?:\\A|[^A-Za-z0-9])${tokens.join('[^A-Za-z0-9]+')}(?:[^A-Za-z0-9]|\\z)`;

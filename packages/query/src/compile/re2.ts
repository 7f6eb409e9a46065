import type { PatternPart } from '../lucene/lucene-node.ts';
import type { CodeRange, RegexNode } from '../lucene/regex-node.ts';

/**
 * What a pattern runs over. `token`: the tokens in `words`, so nothing may match a space or a control character, which
 * part tokens and mark segments. `value`: a whole value, any character.
 */
export type PatternScope = 'token' | 'value';

const lastCode = 0x10ffff;
/** The characters up to the space. */
const separators: CodeRange = [0, 0x20];

const codeText = (code: number): string => `\\x{${code.toString(16).toUpperCase()}}`;

/** One character as RE2 reads it literally, in a class or outside. */
function characterText(code: number): string {
  const character = String.fromCodePoint(code);
  if (code < 0x20 || code === 0x7f || (code >= 0xd800 && code <= 0xdfff)) return codeText(code);
  return code < 0x80 && !/[\w ]/.test(character) ? `\\${character}` : character;
}

/** A text as RE2 matches it literally. */
export const escapeRe2 = (text: string): string =>
  Array.from(text, (character) => characterText(character.codePointAt(0) ?? 0)).join('');

const rangeText = ([from, to]: CodeRange): string =>
  from === to ? characterText(from) : `${codeText(from)}-${codeText(to)}`;

const nothing = `[^${rangeText([0, lastCode])}]`;

/** A class; in tokens without the characters that tokens cannot have. */
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

/** A regular expression of the accepted subset as RE2, in a group where it needs one. */
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

/** A wildcard pattern, or a piece of one, as RE2. */
export const printWildcardAsRe2 = (parts: readonly PatternPart[], scope: PatternScope): string => {
  const one = classText({ type: 'class', negated: true, ranges: [] }, scope);
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

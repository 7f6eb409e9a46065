import { quoteString } from '../../../storage/quoting.ts';
import type { Expression } from '../../expression.ts';
import { invalidSql, unsupportedSql } from '../../sql-compile-error.ts';
import { arrayType, toScalarType, printType, type SqlType } from '../../types.ts';
import { compileCast } from '../casts.ts';
import { lowerSql, toLowerCharacter } from '../text/letter-case.ts';
import { nullOf } from '../literals.ts';
import { listCaptureGroups, isNullable, type RegexNode } from './regex-node.ts';
import { parseRegex } from './regex-parser.ts';
import { checkSize, isUnambiguous, printPostgresRegexAsRe2 } from './regex-re2.ts';
import { unsupportedFunction } from '../unsupported.ts';
import type { FunctionRule } from '../function-rule.ts';
import { letOperandsIn, compileCastToEngineType } from '../engine-sql.ts';
import { requireLiteralText } from '../text/text-functions.ts';

const boolean = toScalarType('boolean');
const text = toScalarType('text');

const result = (sql: string, type: SqlType, at: number): Expression => ({ sql, type, at });

/** Converts a LIKE pattern to the engine's syntax, with a backslash before literal special characters. */
function likePattern(pattern: string, escape: string, at: number): string {
  let written = '';
  let escaped = false;
  for (const character of pattern) {
    if (!escaped && character === escape) {
      escaped = true;
      continue;
    }
    const isSign = character === '%' || character === '_';
    written += character === '\\' || (isSign && escaped) ? `\\${character}` : character;
    escaped = false;
  }
  if (escaped) throw invalidSql(`the LIKE pattern "${pattern}" must not end with its escape character`, at);
  return written;
}

const escapeOf = (escape: Expression | undefined, at: number): string => {
  const sign = escape === undefined ? '\\' : requireLiteralText(escape, 'an escape character', at);
  if (Array.from(sign).length > 1)
    throw invalidSql(`the escape string "${sign}" must be empty or one character`, at);
  return sign;
};

const isNullLiteral = (value: Expression | undefined): boolean => value?.literal === null;

function requireTexts(name: string, values: readonly Expression[], at: number): void {
  for (const { type } of values) {
    if (type.name === 'text' || type.name === 'unknown') continue;
    throw invalidSql(`${name} needs text, got ${printType(type)}: cast it to text`, at);
  }
}

/** Compiles LIKE and ILIKE by their operators: `~~`, `~~*`, and both with the prefix `!`. */
export function like(
  operator: string,
  value: Expression,
  pattern: Expression,
  escape: Expression | undefined,
  at: number,
): Expression {
  requireTexts(operator.endsWith('*') ? 'ILIKE' : 'LIKE', [value, pattern], at);
  if ([value, pattern, escape].some(isNullLiteral)) return nullOf(boolean, at);
  const subject = compileCast(value, text, value.at);
  const written = requireLiteralText(pattern, 'a pattern', at);
  const anyCase = operator.endsWith('*');
  const sign = escapeOf(escape, at);
  // The escape character is case-sensitive; only the rest of the pattern ignores letter case.
  const escaped = likePattern(written, sign, at);
  const known = anyCase ? Array.from(escaped, toLowerCharacter).join('') : escaped;
  const sql = `${operator.startsWith('!') ? 'notLike' : 'like'}(${anyCase ? lowerSql(subject.sql) : subject.sql}, ${quoteString(known)})`;
  return result(sql, boolean, at);
}

export const likeOperators: ReadonlySet<string> = new Set(['~~', '!~~', '~~*', '!~~*']);

/** Converts a SIMILAR TO pattern to the regular expression that PostgreSQL uses for it. */
function similarPattern(pattern: string, escape: string, at: number): string {
  let written = '';
  let escaped = false;
  let inBrackets = false;
  for (const character of pattern) {
    if (escaped) {
      if (character === '"' && !inBrackets)
        throw unsupportedSql(
          'SIMILAR TO with parts between quotes',
          at,
          'Leave the quotes out, or use the operator ~.',
        );
      written += `\\${character}`;
      escaped = false;
    } else if (character === escape) {
      escaped = true;
    } else if (inBrackets) {
      written += character === '\\' ? '\\\\' : character;
      inBrackets = character !== ']';
    } else {
      inBrackets = character === '[';
      written += similarSigns[character] ?? character;
    }
  }
  return `^(?:${written})$`;
}

const similarSigns: Readonly<Record<string, string | undefined>> = {
  '%': '.*',
  _: '.',
  '(': '(?:',
  '\\': '\\\\',
  '.': '\\.',
  '^': '\\^',
  $: '\\$',
};

export function similarTo(
  value: Expression,
  pattern: Expression,
  escape: Expression | undefined,
  at: number,
): Expression {
  requireTexts('SIMILAR TO', [value, pattern], at);
  if ([value, pattern, escape].some(isNullLiteral)) return nullOf(boolean, at);
  const written = similarPattern(requireLiteralText(pattern, 'a pattern', at), escapeOf(escape, at), at);
  return result(matchSql(compileCast(value, text, value.at).sql, parsed(written, false, at)), boolean, at);
}

function parsed(pattern: string, anyCase: boolean, at: number): RegexNode {
  const node = parseRegex(pattern, anyCase, at);
  checkSize(node, at);
  return node;
}

const matchSql = (sql: string, node: RegexNode): string =>
  `match(${sql}, ${quoteString(printPostgresRegexAsRe2(node, 'none'))})`;

const patternOf = (args: readonly Expression[], at: number): string =>
  requireLiteralText(args[1], 'a regular expression', at);

const matching = (name: string): FunctionRule => ({
  name,
  parameters: ['text', 'text'],
  result: boolean,
  emit: (args, at) => {
    if (args.some(isNullLiteral)) return nullOf(boolean, at);
    const found = matchSql(args[0]?.sql ?? '', parsed(patternOf(args, at), name.endsWith('*'), at));
    return name.startsWith('!') ? `(NOT ${found})` : found;
  },
});

export const patternOperators: readonly FunctionRule[] = ['~', '~*', '!~', '!~*'].map(matching);

/** Parses the flags of a regular expression function: g for all matches, i to ignore letter case. */
function flagsOf(flags: Expression | undefined, allowed: string, at: number): string {
  if (flags === undefined) return '';
  const written = requireLiteralText(flags, 'a flags argument of a regular expression', at);
  const other = Array.from(written).find((letter) => !allowed.includes(letter));
  if (other !== undefined)
    throw unsupportedSql(
      `the flag "${other}" of a regular expression`,
      at,
      `Use ${allowed.split('').join(' or ')}.`,
    );
  return written;
}

/**
 * Parses a regular expression for functions that return parts of a text, and rejects expressions that could match other
 * parts in the engine than in PostgreSQL.
 */
function taken(pattern: string, flags: string, at: number): RegexNode {
  const node = parsed(pattern, flags.includes('i'), at);
  if (isNullable(node))
    throw unsupportedSql(
      'taking parts with a regular expression that matches the empty text',
      at,
      'Let it match one character at least, as in a+ instead of a*.',
    );
  if (!isUnambiguous(node)) {
    throw unsupportedSql(
      'taking parts with a regular expression in which the next character does not tell how it goes on (such as ".*" or "a|ab")',
      at,
      'Name the characters that may stand there, as in [^,]*, instead.',
    );
  }
  return node;
}

/** Converts references in a replacement (\1, \&, \\) to the engine's syntax, which has \0 to \9 and \\. */
const replacementText = (replacement: string): string =>
  replacement.replace(/\\([1-9&\\])?/g, (_, sign: string | undefined) => {
    if (sign === undefined || sign === '\\') return '\\\\';
    return sign === '&' ? '\\0' : `\\${sign}`;
  });

const replace = (args: readonly Expression[], at: number): string | Expression => {
  if (args.some(isNullLiteral)) return nullOf(text, at);
  const flags = flagsOf(args[3], 'gi', at);
  const node = taken(patternOf(args, at), flags, at);
  const replacement = requireLiteralText(args[2], 'a replacement', at);
  const groups = listCaptureGroups(node).length;
  const missing = [...replacement.matchAll(/\\([1-9])/g)].find(([, digit]) => Number(digit) > groups);
  if (missing !== undefined)
    throw unsupportedSql(
      `the reference \\${missing[1] ?? ''} to a group that the regular expression lacks`,
      at,
      'Put the group into the expression, or leave it out of the replacement.',
    );
  // Without the group around the pattern, the engine would replace plain text and not evaluate references.
  const engineName = flags.includes('g') ? 'replaceRegexpAll' : 'replaceRegexpOne';
  return `${engineName}(${args[0]?.sql ?? ''}, ${quoteString(`(?:${printPostgresRegexAsRe2(node, 'captures')})`)}, ${quoteString(replacementText(replacement))})`;
};

const wholeMatch = (sql: string, node: RegexNode): string =>
  `nullIf(regexpExtract(${sql}, ${quoteString(`(${printPostgresRegexAsRe2(node, 'none')})`)}, 1), '')`;

/** Returns the number of groups. Rejects expressions with a group that does not take part in every match. */
function certainGroups(node: RegexNode, at: number): number {
  const groups = listCaptureGroups(node);
  if (groups.includes(false))
    throw unsupportedSql(
      'taking a group that may be missing from a match',
      at,
      'Let the group match the empty text, as in (a?) instead of (a)?.',
    );
  return groups.length;
}

/**
 * Compiles a group of the first match; NULL without a match. The engine's function also returns an empty text without a
 * match, so for empty texts, and only for them, a second call finds out whether there is a match.
 */
const group = (sql: string, node: RegexNode, index: number): string =>
  letOperandsIn([sql], (value) => {
    const pattern = quoteString(printPostgresRegexAsRe2(node, 'captures'));
    const found = `regexpExtract(${value}, ${pattern}, ${String(index)})`;
    return `if(empty(${found}) AND NOT match(${value}, ${pattern}), NULL, ${found})`;
  });

const extract = (args: readonly Expression[], at: number): string | Expression => {
  if (args.some(isNullLiteral)) return nullOf(text, at);
  const node = taken(patternOf(args, at), '', at);
  const sql = args[0]?.sql ?? '';
  return listCaptureGroups(node).length === 0 || certainGroups(node, at) === 0
    ? wholeMatch(sql, node)
    : group(sql, node, 1);
};

const firstMatch = (args: readonly Expression[], at: number): string | Expression => {
  const type = arrayType(text);
  if (args.some(isNullLiteral)) return nullOf(type, at);
  const node = taken(patternOf(args, at), flagsOf(args[2], 'i', at), at);
  const count = certainGroups(node, at);
  return letOperandsIn([args[0]?.sql ?? ''], (value) => {
    const parts =
      count === 0
        ? [wholeMatch(value, node)]
        : Array.from({ length: count }, (_, index) => group(value, node, index + 1));
    return compileCastToEngineType(`if(${matchSql(value, node)}, [[${parts.join(', ')}]], [])`, type);
  });
};

const count = (args: readonly Expression[], at: number): string | Expression => {
  if (args.some(isNullLiteral)) return nullOf(toScalarType('integer'), at);
  const node = taken(patternOf(args, at), '', at);
  return compileCastToEngineType(
    `countMatches(${args[0]?.sql ?? ''}, ${quoteString(printPostgresRegexAsRe2(node, 'none'))})`,
    toScalarType('integer'),
  );
};

export const patternFunctions: readonly FunctionRule[] = [
  unsupportedFunction('substring', 'text', 'text', 'text'),
  unsupportedFunction('regexp_replace', 'text', 'text', 'text', 'integer'),
  unsupportedFunction('regexp_replace', 'text', 'text', 'text', 'integer', 'integer'),
  unsupportedFunction('regexp_replace', 'text', 'text', 'text', 'integer', 'integer', 'text'),
  unsupportedFunction('regexp_count', 'text', 'text', 'integer'),
  unsupportedFunction('regexp_count', 'text', 'text', 'integer', 'text'),
  unsupportedFunction('regexp_substr', 'text', 'text', 'integer'),
  unsupportedFunction('regexp_substr', 'text', 'text', 'integer', 'integer'),
  unsupportedFunction('regexp_substr', 'text', 'text', 'integer', 'integer', 'text'),
  unsupportedFunction('regexp_substr', 'text', 'text', 'integer', 'integer', 'text', 'integer'),
  { name: 'regexp_like', parameters: ['text', 'text'], result: boolean, emit: matching('~').emit },
  {
    name: 'regexp_like',
    parameters: ['text', 'text', 'text'],
    result: boolean,
    emit: (args, at) => matching(flagsOf(args[2], 'i', at) === '' ? '~' : '~*').emit(args.slice(0, 2), at),
  },
  { name: 'regexp_replace', parameters: ['text', 'text', 'text'], result: text, emit: replace },
  { name: 'regexp_replace', parameters: ['text', 'text', 'text', 'text'], result: text, emit: replace },
  { name: 'substring', parameters: ['text', 'text'], result: text, emit: extract },
  {
    name: 'regexp_substr',
    parameters: ['text', 'text'],
    result: text,
    emit: (args, at) =>
      args.some(isNullLiteral)
        ? nullOf(text, at)
        : wholeMatch(args[0]?.sql ?? '', taken(patternOf(args, at), '', at)),
  },
  { name: 'regexp_match', parameters: ['text', 'text'], result: arrayType(text), emit: firstMatch },
  { name: 'regexp_match', parameters: ['text', 'text', 'text'], result: arrayType(text), emit: firstMatch },
  { name: 'regexp_count', parameters: ['text', 'text'], result: toScalarType('integer'), emit: count },
];

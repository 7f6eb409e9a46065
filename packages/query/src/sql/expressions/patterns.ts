import { quoteString } from '../../storage/quoting.ts';
import type { Expression } from '../expression.ts';
import { invalid, unsupported } from '../fault.ts';
import { arrayOf, scalar, typeText, type SqlType } from '../types.ts';
import { castTo } from './casts.ts';
import { lowerSql, smallLetter } from './letters.ts';
import { nullOf } from './literals.ts';
import { groupsOf, isNullable, type RegexNode } from './regex-node.ts';
import { parseRegex } from './regex-parser.ts';
import { checkSize, isUnambiguous, re2Text } from './regex-re2.ts';
import { refusedFunction } from './refused.ts';
import type { FunctionRule } from './rule.ts';
import { bind, castSql } from './sql-text.ts';
import { writtenOut } from './texts.ts';

const boolean = scalar('boolean');
const text = scalar('text');

const result = (sql: string, type: SqlType, at: number): Expression => ({ sql, type, at });

/** The pattern of LIKE as the engine reads it: a backslash before each sign that means itself. */
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
  if (escaped) throw invalid(`the LIKE pattern "${pattern}" must not end with its escape character`, at);
  return written;
}

const escapeOf = (escape: Expression | undefined, at: number): string => {
  const sign = escape === undefined ? '\\' : writtenOut(escape, 'an escape character', at);
  if (Array.from(sign).length > 1)
    throw invalid(`the escape string "${sign}" must be empty or one character`, at);
  return sign;
};

const isNullLiteral = (value: Expression | undefined): boolean => value?.literal === null;

function requireTexts(name: string, values: readonly Expression[], at: number): void {
  for (const { type } of values) {
    if (type.name === 'text' || type.name === 'unknown') continue;
    throw invalid(`${name} takes texts, and this is ${typeText(type)}: cast it to text`, at);
  }
}

/** LIKE and ILIKE by their operators: `~~`, `~~*` and both with `!` before. */
export function like(
  operator: string,
  value: Expression,
  pattern: Expression,
  escape: Expression | undefined,
  at: number,
): Expression {
  requireTexts(operator.endsWith('*') ? 'ILIKE' : 'LIKE', [value, pattern], at);
  if ([value, pattern, escape].some(isNullLiteral)) return nullOf(boolean, at);
  const subject = castTo(value, text, value.at);
  const written = writtenOut(pattern, 'a pattern', at);
  const anyCase = operator.endsWith('*');
  const sign = escapeOf(escape, at);
  // The escape character is taken as it is written; only what is left has no case.
  const escaped = likePattern(written, sign, at);
  const known = anyCase ? Array.from(escaped, smallLetter).join('') : escaped;
  const sql = `${operator.startsWith('!') ? 'notLike' : 'like'}(${anyCase ? lowerSql(subject.sql) : subject.sql}, ${quoteString(known)})`;
  return result(sql, boolean, at);
}

export const likeOperators: ReadonlySet<string> = new Set(['~~', '!~~', '~~*', '!~~*']);

/** SIMILAR TO as the regular expression that PostgreSQL makes of it. */
function similarPattern(pattern: string, escape: string, at: number): string {
  let written = '';
  let escaped = false;
  let inBrackets = false;
  for (const character of pattern) {
    if (escaped) {
      if (character === '"' && !inBrackets)
        throw unsupported(
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
  const written = similarPattern(writtenOut(pattern, 'a pattern', at), escapeOf(escape, at), at);
  return result(matchSql(castTo(value, text, value.at).sql, parsed(written, false, at)), boolean, at);
}

function parsed(pattern: string, anyCase: boolean, at: number): RegexNode {
  const node = parseRegex(pattern, anyCase, at);
  checkSize(node, at);
  return node;
}

const matchSql = (sql: string, node: RegexNode): string =>
  `match(${sql}, ${quoteString(re2Text(node, 'none'))})`;

const patternOf = (args: readonly Expression[], at: number): string =>
  writtenOut(args[1], 'a regular expression', at);

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

/** The letters of a function's flags: g for all matches, i for any case. */
function flagsOf(flags: Expression | undefined, allowed: string, at: number): string {
  if (flags === undefined) return '';
  const written = writtenOut(flags, 'flags of a regular expression', at);
  const other = Array.from(written).find((letter) => !allowed.includes(letter));
  if (other !== undefined)
    throw unsupported(
      `the flag "${other}" of a regular expression`,
      at,
      `Use ${allowed.split('').join(' or ')}.`,
    );
  return written;
}

/** An expression of which parts are taken: which part must be the same for PostgreSQL and for the engine. */
function taken(pattern: string, flags: string, at: number): RegexNode {
  const node = parsed(pattern, flags.includes('i'), at);
  if (isNullable(node))
    throw unsupported(
      'taking parts with a regular expression that matches the empty text',
      at,
      'Let it match one character at least, as in a+ instead of a*.',
    );
  if (!isUnambiguous(node)) {
    throw unsupported(
      'taking parts with a regular expression in which the next character does not tell how it goes on (such as ".*" or "a|ab")',
      at,
      'Name the characters that may stand there, as in [^,]*, instead.',
    );
  }
  return node;
}

/** PostgreSQL's signs in a replacement (\1, \&, \\) as the engine's, which has \0 to \9 and \\. */
const replacementText = (replacement: string): string =>
  replacement.replace(/\\([1-9&\\])?/g, (_, sign: string | undefined) => {
    if (sign === undefined || sign === '\\') return '\\\\';
    return sign === '&' ? '\\0' : `\\${sign}`;
  });

const replace = (args: readonly Expression[], at: number): string | Expression => {
  if (args.some(isNullLiteral)) return nullOf(text, at);
  const flags = flagsOf(args[3], 'gi', at);
  const node = taken(patternOf(args, at), flags, at);
  const replacement = writtenOut(args[2], 'a replacement', at);
  const groups = groupsOf(node).length;
  const missing = [...replacement.matchAll(/\\([1-9])/g)].find(([, digit]) => Number(digit) > groups);
  if (missing !== undefined)
    throw unsupported(
      `the group \\${missing[1] ?? ''} that the regular expression lacks`,
      at,
      'Put the group into the expression, or leave it out of the replacement.',
    );
  // Without the group around it the engine would replace a plain text, and take signs in the replacement for themselves.
  const engineName = flags.includes('g') ? 'replaceRegexpAll' : 'replaceRegexpOne';
  return `${engineName}(${args[0]?.sql ?? ''}, ${quoteString(`(?:${re2Text(node, 'captures')})`)}, ${quoteString(replacementText(replacement))})`;
};

const wholeMatch = (sql: string, node: RegexNode): string =>
  `nullIf(regexpExtract(${sql}, ${quoteString(`(${re2Text(node, 'none')})`)}, 1), '')`;

/** The groups of the first match, all of which take part in it. */
function certainGroups(node: RegexNode, at: number): number {
  const groups = groupsOf(node);
  if (groups.includes(false))
    throw unsupported(
      'taking a group that may be missing from a match',
      at,
      'Let the group match the empty text, as in (a?) instead of (a)?.',
    );
  return groups.length;
}

/** Only where the group is empty one has to look whether there is a match at all: the engine does it for these values alone. */
const group = (sql: string, node: RegexNode, index: number): string =>
  bind([sql], (value) => {
    const pattern = quoteString(re2Text(node, 'captures'));
    const found = `regexpExtract(${value}, ${pattern}, ${String(index)})`;
    return `if(empty(${found}) AND NOT match(${value}, ${pattern}), NULL, ${found})`;
  });

const extract = (args: readonly Expression[], at: number): string | Expression => {
  if (args.some(isNullLiteral)) return nullOf(text, at);
  const node = taken(patternOf(args, at), '', at);
  const sql = args[0]?.sql ?? '';
  return groupsOf(node).length === 0 || certainGroups(node, at) === 0
    ? wholeMatch(sql, node)
    : group(sql, node, 1);
};

const firstMatch = (args: readonly Expression[], at: number): string | Expression => {
  const type = arrayOf(text);
  if (args.some(isNullLiteral)) return nullOf(type, at);
  const node = taken(patternOf(args, at), flagsOf(args[2], 'i', at), at);
  const count = certainGroups(node, at);
  return bind([args[0]?.sql ?? ''], (value) => {
    const parts =
      count === 0
        ? [wholeMatch(value, node)]
        : Array.from({ length: count }, (_, index) => group(value, node, index + 1));
    return castSql(`if(${matchSql(value, node)}, [[${parts.join(', ')}]], [])`, type);
  });
};

const count = (args: readonly Expression[], at: number): string | Expression => {
  if (args.some(isNullLiteral)) return nullOf(scalar('integer'), at);
  const node = taken(patternOf(args, at), '', at);
  return castSql(
    `countMatches(${args[0]?.sql ?? ''}, ${quoteString(re2Text(node, 'none'))})`,
    scalar('integer'),
  );
};

export const patternFunctions: readonly FunctionRule[] = [
  refusedFunction('substring', 'text', 'text', 'text'),
  refusedFunction('regexp_replace', 'text', 'text', 'text', 'integer'),
  refusedFunction('regexp_replace', 'text', 'text', 'text', 'integer', 'integer'),
  refusedFunction('regexp_replace', 'text', 'text', 'text', 'integer', 'integer', 'text'),
  refusedFunction('regexp_count', 'text', 'text', 'integer'),
  refusedFunction('regexp_count', 'text', 'text', 'integer', 'text'),
  refusedFunction('regexp_substr', 'text', 'text', 'integer'),
  refusedFunction('regexp_substr', 'text', 'text', 'integer', 'integer'),
  refusedFunction('regexp_substr', 'text', 'text', 'integer', 'integer', 'text'),
  refusedFunction('regexp_substr', 'text', 'text', 'integer', 'integer', 'text', 'integer'),
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
  { name: 'regexp_match', parameters: ['text', 'text'], result: arrayOf(text), emit: firstMatch },
  { name: 'regexp_match', parameters: ['text', 'text', 'text'], result: arrayOf(text), emit: firstMatch },
  { name: 'regexp_count', parameters: ['text', 'text'], result: scalar('integer'), emit: count },
];

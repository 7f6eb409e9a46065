import type { Expression } from '../../expression.ts';
import { unsupportedSql } from '../../sql-compile-error.ts';
import { toScalarType } from '../../types.ts';
import { quoteString } from '../../../storage/quoting.ts';
import { escapeRe2 } from '../../../compile/re2.ts';
import { initcapSql, lowerSql, upperSql } from './letter-case.ts';
import { castToText } from '../json/print-json.ts';
import type { FunctionRule, Parameter } from '../function-rule.ts';
import { letOperandsIn, compileCastToEngineType, textSql } from '../engine-sql.ts';

const text = toScalarType('text');
const integer = toScalarType('integer');

/** The maximum length of texts whose length is an argument, as in repeat. Longer texts become NULL. */
const maxCharacters = 1_000_000;

const sqlOf = (args: readonly Expression[], index: number): string => args[index]?.sql ?? '';

const ofTexts = (name: string, count: number, emit: (...operands: string[]) => string): FunctionRule => ({
  name,
  parameters: Array.from({ length: count }, (): Parameter => 'text'),
  result: text,
  emit: (args) => emit(...args.map(({ sql }) => sql)),
});

const count = (
  name: string,
  parameters: readonly Parameter[],
  emit: (...operands: string[]) => string,
): FunctionRule => ({
  name,
  parameters,
  result: integer,
  emit: (args) => compileCastToEngineType(emit(...args.map(({ sql }) => sql)), integer),
});

/** Requires a string constant, which the engine needs at compile time. */
export function requireLiteralText(value: Expression | undefined, what: string, at: number): string {
  if (typeof value?.literal !== 'string')
    throw unsupportedSql(
      `${what} that is not a string constant`,
      value?.at ?? at,
      'Write it as a literal in quotes.',
    );
  return value.literal;
}

const atLeast = (sql: string, least: number): string =>
  letOperandsIn([sql], (value) => `if(${value} < ${String(least)}, ${String(least)}, ${value})`);

/** The text from a position on. Positions before the start mean the whole text. */
const from = (value: string, start: string): string => `substringUTF8(${value}, ${atLeast(start, 1)})`;

const piece = (value: string, start: string, length: string): string =>
  letOperandsIn([start, length], (first, size) => {
    const end = `(${first} + ${size})`;
    const begin = `if(${first} < 1, 1, ${first})`;
    const rest = `if(${end} < ${begin}, 0, ${end} - ${begin})`;
    return `substringUTF8(${value}, ${begin}, if(${size} < 0, NULL, ${rest}))`;
  });

const substrings: FunctionRule[] = ['substring', 'substr'].flatMap((name): FunctionRule[] => [
  {
    name,
    parameters: ['text', 'integer'],
    result: text,
    emit: (args) => from(sqlOf(args, 0), sqlOf(args, 1)),
  },
  {
    name,
    parameters: ['text', 'integer', 'integer'],
    result: text,
    emit: (args) => piece(sqlOf(args, 0), sqlOf(args, 1), sqlOf(args, 2)),
  },
]);

const padLength = (sql: string): string =>
  letOperandsIn(
    [sql],
    (size) => `multiIf(${size} > ${String(maxCharacters)}, NULL, ${size} < 0, 0, ${size})`,
  );

const pads: FunctionRule[] = Object.entries({ lpad: 'leftPadUTF8', rpad: 'rightPadUTF8' }).flatMap(
  ([name, engineName]): FunctionRule[] => [
    {
      name,
      parameters: ['text', 'integer'],
      result: text,
      emit: (args) => `${engineName}(${sqlOf(args, 0)}, ${padLength(sqlOf(args, 1))}, ' ')`,
    },
    {
      name,
      parameters: ['text', 'integer', 'text'],
      result: text,
      emit: (args, at) => {
        const fill = requireLiteralText(args[2], `the function ${name} with a filling`, at);
        return fill === ''
          ? `leftUTF8(${sqlOf(args, 0)}, ${padLength(sqlOf(args, 1))})`
          : `${engineName}(${sqlOf(args, 0)}, ${padLength(sqlOf(args, 1))}, ${quoteString(fill)})`;
      },
    },
  ],
);

const trimSides: Readonly<Record<string, { before: boolean; after: boolean }>> = {
  btrim: { before: true, after: true },
  ltrim: { before: true, after: false },
  rtrim: { before: false, after: true },
};

const trim = (value: string, characters: string, side: { before: boolean; after: boolean }): string => {
  if (characters === '') return value;
  const set = `[${escapeRe2(characters)}]+`;
  const first = side.before ? `replaceRegexpOne(${value}, ${quoteString(`\\A${set}`)}, '')` : value;
  return side.after ? `replaceRegexpOne(${first}, ${quoteString(`${set}\\z`)}, '')` : first;
};

const trims: FunctionRule[] = Object.entries(trimSides).flatMap(([name, side]): FunctionRule[] => [
  { name, parameters: ['text'], result: text, emit: (args) => trim(sqlOf(args, 0), ' ', side) },
  {
    name,
    parameters: ['text', 'text'],
    result: text,
    emit: (args, at) =>
      trim(
        sqlOf(args, 0),
        requireLiteralText(args[1], `the function ${name} with a list of characters`, at),
        side,
      ),
  },
]);

/** The text of a value in concat and similar functions, which print booleans as `t` and `f`. */
const shortText = (value: Expression): string =>
  value.type.name === 'boolean'
    ? letOperandsIn([value.sql], (sql) => `multiIf(isNull(${sql}), NULL, ${sql}, 't', 'f')`)
    : castToText(value);

function translate(args: readonly Expression[], at: number): string {
  const fromText = Array.from(
    requireLiteralText(args[1], 'the function translate with a list of characters', at),
  );
  const toText = Array.from(
    requireLiteralText(args[2], 'the function translate with a list of characters', at),
  );
  const pairs = new Map<string, string>();
  fromText.forEach((character, index) => {
    if (!pairs.has(character)) pairs.set(character, toText[index] ?? '');
  });
  const changed = [...pairs].filter(([, to]) => to !== '');
  const dropped = [...pairs].filter(([, to]) => to === '');
  const all = [...changed, ...dropped].map(([character]) => character).join('');
  if (all === '') return sqlOf(args, 0);
  return `translateUTF8(${sqlOf(args, 0)}, ${quoteString(all)}, ${quoteString(changed.map(([, to]) => to).join(''))})`;
}

function splitPart(args: readonly Expression[], at: number): string {
  const separator = requireLiteralText(args[1], 'the function split_part with a separator', at);
  const parts =
    separator === '' ? `[ifNull(t, '')]` : `splitByString(${quoteString(separator)}, ifNull(t, ''))`;
  return letOperandsIn([sqlOf(args, 0), sqlOf(args, 2)], (value, place) => {
    const found = `${parts.replace('ifNull(t', () => `ifNull(${value}`)}[if(${place} = 0, NULL, ${place})]`;
    return `if(isNull(${value}), NULL, ${found})`;
  });
}

/** The code point of the first character, from its UTF-8 bytes. */
const firstCode = (sql: string): string =>
  letOperandsIn([sql], (value) => {
    const byte = (place: number): string =>
      `toInt64(reinterpretAsUInt8(substring(${value}, ${String(place)}, 1)))`;
    const tail = (place: number): string => `(${byte(place)} - 128)`;
    return (
      `multiIf(${byte(1)} < 128, ${byte(1)}, ${byte(1)} < 224, (${byte(1)} - 192) * 64 + ${tail(2)}, ` +
      `${byte(1)} < 240, (${byte(1)} - 224) * 4096 + ${tail(2)} * 64 + ${tail(3)}, ` +
      `(${byte(1)} - 240) * 262144 + ${tail(2)} * 4096 + ${tail(3)} * 64 + ${tail(4)})`
    );
  });

const character = (sql: string): string =>
  letOperandsIn([sql], (code) => {
    const safe = `ifNull(${code}, 0)`;
    const tail = (shift: number): string => `128 + bitAnd(bitShiftRight(${safe}, ${String(shift)}), 63)`;
    const lead = (mark: number, shift: number): string =>
      `${String(mark)} + bitShiftRight(${safe}, ${String(shift)})`;
    return (
      `multiIf(isNull(${code}) OR ${code} < 1 OR ${code} > 1114111 OR (${code} >= 55296 AND ${code} <= 57343), NULL, ` +
      `${code} < 128, char(${safe}), ${code} < 2048, char(${lead(192, 6)}, ${tail(0)}), ` +
      `${code} < 65536, char(${lead(224, 12)}, ${tail(6)}, ${tail(0)}), ` +
      `char(${lead(240, 18)}, ${tail(12)}, ${tail(6)}, ${tail(0)}))`
    );
  });

const hex =
  (engineName: string) =>
  (value = ''): string =>
    letOperandsIn(
      [`trimLeft(lower(hex(${engineName}(${value}))), '0')`],
      (digits) => `if(${digits} = '', '0', ${digits})`,
    );

const overlay = (args: readonly Expression[]): string => {
  const [value, other, start] = [0, 1, 2].map((index) => sqlOf(args, index)) as [string, string, string];
  const length = args.length > 3 ? sqlOf(args, 3) : `toInt64(lengthUTF8(${other}))`;
  return letOperandsIn([value, other, start, length], (a, b, place, size) => {
    const before = `substringUTF8(${a}, 1, if(${place} < 1, NULL, ${place} - 1))`;
    return `concat(${before}, ${b}, ${from(a, `(${place} + ${size})`)})`;
  });
};

export const textFunctions: readonly FunctionRule[] = [
  ...['length', 'char_length', 'character_length'].map((name) =>
    count(name, ['text'], (value = '') => `lengthUTF8(${value})`),
  ),
  count('octet_length', ['text'], (value = '') => `length(${value})`),
  count('bit_length', ['text'], (value = '') => `length(${value}) * 8`),
  ...['strpos', 'position'].map((name) =>
    count(name, ['text', 'text'], (value = '', part = '') => `positionUTF8(${value}, ${part})`),
  ),
  count('ascii', ['text'], (value = '') => firstCode(value)),
  ofTexts('lower', 1, (value = '') => lowerSql(value)),
  ofTexts('upper', 1, (value = '') => upperSql(value)),
  ofTexts('initcap', 1, (value = '') => initcapSql(value)),
  ofTexts('reverse', 1, (value = '') => `reverseUTF8(${value})`),
  ofTexts('md5', 1, (value = '') => `lower(hex(MD5(${value})))`),
  ofTexts('replace', 3, (value = '', part = '', other = '') => `replaceAll(${value}, ${part}, ${other})`),
  ...substrings,
  ...pads,
  ...trims,
  ...Object.entries({ left: 'leftUTF8', right: 'rightUTF8' }).map(([name, engineName]): FunctionRule => ({
    name,
    parameters: ['text', 'integer'],
    result: text,
    emit: (args) => `${engineName}(${sqlOf(args, 0)}, ${sqlOf(args, 1)})`,
  })),
  {
    name: 'repeat',
    parameters: ['text', 'integer'],
    result: text,
    emit: (args) =>
      letOperandsIn([sqlOf(args, 0), sqlOf(args, 1)], (value, times) => {
        const tooLong = `toInt64(length(${value})) * ${times} > ${String(maxCharacters)} OR ${times} > ${String(maxCharacters)}`;
        return `repeat(${value}, multiIf(${tooLong}, NULL, ${times} < 0, 0, ${times}))`;
      }),
  },
  { name: 'translate', parameters: ['text', 'text', 'text'], result: text, emit: translate },
  { name: 'split_part', parameters: ['text', 'text', 'integer'], result: text, emit: splitPart },
  {
    name: 'starts_with',
    parameters: ['text', 'text'],
    result: toScalarType('boolean'),
    emit: (args) => `startsWith(${sqlOf(args, 0)}, ${sqlOf(args, 1)})`,
  },
  { name: 'chr', parameters: ['integer'], result: text, emit: (args) => character(sqlOf(args, 0)) },
  { name: 'to_hex', parameters: ['integer'], result: text, emit: (args) => hex('toInt32')(sqlOf(args, 0)) },
  { name: 'to_hex', parameters: ['bigint'], result: text, emit: (args) => hex('toInt64')(sqlOf(args, 0)) },
  { name: 'overlay', parameters: ['text', 'text', 'integer'], result: text, emit: overlay },
  { name: 'overlay', parameters: ['text', 'text', 'integer', 'integer'], result: text, emit: overlay },
  {
    name: 'concat',
    parameters: ['any'],
    variadic: true,
    result: text,
    emit: (args) =>
      `toNullable(concat(${args.map((value) => `ifNull(${shortText(value)}, '')`).join(', ')}, ''))`,
  },
  {
    name: 'concat_ws',
    parameters: ['text', 'any'],
    variadic: true,
    result: text,
    emit: ([separator, ...args], at) => {
      if (separator?.literal === null) return textSql('').replace("''", 'NULL');
      const between = quoteString(
        requireLiteralText(separator, 'the function concat_ws with a separator', at),
      );
      const parts = args.map(shortText).join(', ');
      return `toNullable(arrayStringConcat(arrayFilter(_t -> isNotNull(_t), [${parts}]), ${between}))`;
    },
  },
];

const joined = (args: readonly Expression[]): string =>
  `concat(${args.map((value) => castToText(value)).join(', ')})`;

export const textOperators: readonly FunctionRule[] = [
  { name: '||', parameters: ['text', 'text'], result: text, emit: joined },
  { name: '||', parameters: ['text', 'any scalar'], result: text, emit: joined },
  { name: '||', parameters: ['any scalar', 'text'], result: text, emit: joined },
  {
    name: '^@',
    parameters: ['text', 'text'],
    result: toScalarType('boolean'),
    emit: (args) => `startsWith(${sqlOf(args, 0)}, ${sqlOf(args, 1)})`,
  },
];

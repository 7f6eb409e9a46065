import type { Random } from '@redoubt/testkit';
import type { TestColumn, TestTable } from '@redoubt/sql-fuzzer';

/** A long text. Indexing its words takes as much time as a hundred other values, so it is rare. */
const long = JSON.stringify('long '.repeat(4000));
const deep = `${'{"x":['.repeat(12)}1${']}'.repeat(12)}`;

/** Texts that are hard for casts, dates, patterns and sums. */
export const hostileTexts = [
  '',
  ' ',
  '0',
  '-0',
  '12',
  '12abc',
  '0x1F',
  '1_000',
  '1e999',
  '1e-400',
  'NaN',
  '-Infinity',
  '٣',
  '99999999999999999999999999999999999999999999',
  '2024-02-30',
  '2024-01-31T10:00:00Z',
  '9999-12-31T23:59:59.999999Z',
  '0000-00-00',
  '24:00:00',
  'P1Y',
  'true',
  'f',
  'null',
  '((((',
  'a{2,1}',
  '[z-a]',
  '\\',
  '%',
  '{"a":1}',
  '[1,2',
  'zebra',
  'Zebra crossing',
  'ẞ İ ǅ ﬃ',
  '\u0001\u001f',
  '\ufeffabc\u200b',
  'é'.repeat(300),
  'a'.repeat(30) + 'b',
];

/** Numbers at and beyond the limits of engines. */
export const hostileNumbers = [
  '0',
  '-0.0',
  '-1',
  '1',
  '0.1',
  '3',
  '7.5',
  '2147483648',
  '9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
  '18446744073709551616',
  '1e15',
  '1e308',
  '-1.7976931348623157e308',
  '5e-324',
  '1e400',
  '-1e400',
  '1e-400',
  `1${'0'.repeat(80)}`,
  `0.${'1'.repeat(90)}`,
];

const others = [
  'true',
  'false',
  'null',
  '[]',
  '{}',
  '[[[]]]',
  '[null]',
  '[1,"a",null,{"x":1}]',
  '[{"x":1},{"x":"y"}]',
  '{"x":{"y":{"z":1}}}',
  '{"k":{"n":1},"n":"text","o":[1],"l":"x"}',
  '{"city":["Oslo"],"zip":{"a":1},"vault":7}',
  deep,
  `[${Array.from({ length: 300 }, (_, i) => String(i)).join(',')}]`,
];

/** The JSON text of a hostile value. */
export const hostileValue = (random: Random): string => {
  if (random.chance(0.002)) return long;
  if (random.chance(0.35)) return JSON.stringify(random.pick(hostileTexts));
  return random.chance(0.55) ? random.pick(hostileNumbers) : random.pick(others);
};

/** Fields that only hidden records have. */
export const hiddenColumns: readonly TestColumn[] = [
  { name: 'secret', type: 'text', value: hostileValue },
  { name: 'ghost', type: 'bigint', value: (random) => String(random.int(9)) },
  { name: '«address.vault»', type: 'bigint', path: ['address', 'vault'], value: hostileValue },
  { name: '"Name"', type: 'text', path: ['Name'], value: hostileValue },
  { name: '"AGE"', type: 'double', path: ['AGE'], value: hostileValue },
  { name: '«id.sub»', type: 'text', path: ['id', 'sub'], value: hostileValue },
];

/** The JSON text of an object with these members. A path of two keys becomes a member of a nested object. */
const objectOf = (members: readonly (readonly [path: readonly string[], value: string])[]): string => {
  const flat = new Map<string, string>();
  const nested = new Map<string, string[]>();
  for (const [[first = '', second], value] of members) {
    if (second === undefined) flat.set(first, value);
    else nested.set(first, [...(nested.get(first) ?? []), `${JSON.stringify(second)}:${value}`]);
  }
  for (const [key, list] of nested) flat.set(key, `{${list.join(',')}}`);
  return `{${[...flat].map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
};

/**
 * A record of a table as JSON text.
 * @param hostility the fraction of its values that are hostile
 * @param more columns of which the record has about a third, such as those that only hidden records have
 */
export const recordOf = (
  { columns }: TestTable,
  random: Random,
  row: number,
  hostility: number,
  more: readonly TestColumn[] = [],
): string => {
  const members = [...columns, ...more.filter(() => random.chance(0.3))].flatMap((column) => {
    const path = column.path ?? [column.name];
    const value = random.chance(hostility) ? hostileValue(random) : column.value(random, row);
    if (value !== null) return [[path, value] as const];
    return random.chance(0.5) ? [[path, 'null'] as const] : [];
  });
  return objectOf(members);
};

/** A record with more fields than the engine stores in separate columns. */
export const wideRecord = (random: Random, fields: number): string =>
  objectOf(Array.from({ length: fields }, (_, i) => [[`wide${String(i)}`], hostileValue(random)] as const));

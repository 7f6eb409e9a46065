import type { Random } from '@redoubt/testkit';

/** The types that generated expressions have. */
export type TestType =
  | 'bigint'
  | 'boolean'
  | 'date'
  | 'double'
  | 'i4'
  | 'interval'
  | 'jsonb'
  | 'numeric'
  | 'numbers'
  | 'text'
  | 'texts'
  | 'timestamp'
  | 'timestamptz';

/** A column of a test table: a field of records in Redoubt, a column in PostgreSQL. */
export interface TestColumn {
  /** Its name in statements. Paths of nested fields are between « and ». */
  readonly name: string;
  readonly type: TestType;
  /** The JSON text of a value, or null. */
  readonly value: (random: Random, row: number) => string | null;
  /** The path in the record. The default is the name. */
  readonly path?: readonly string[];
}

/** A table that exists in Redoubt, as a dataset, and in PostgreSQL. `rows` is the number of its rows. */
export interface TestTable {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly TestColumn[];
}

/** A row: its record as JSON text, and the values of its columns as PostgreSQL reads them. */
export interface TestRow {
  readonly record: string;
  readonly values: readonly (string | null)[];
}

const texts = [
  '',
  'a',
  'abc',
  'ABC',
  'Abc def',
  ' abc ',
  'NaN',
  '-0',
  '12',
  '3.50',
  'null',
  'true',
  'a,b,c',
  'a%b',
  'a_b',
  'x\\y',
  "it's",
  '"q"',
  'Ünïcödé',
  'ÉCOLE',
  'straße',
  'ΟΔΟΣ',
  '東京都',
  '💩 foo',
  'e\u0301',
  'tab\there',
  'line\nbreak',
  'zebra',
  'foo bar baz',
  'foo-bar',
  '2024-01-01',
  '192.168.1.1',
  'joe@example.com',
  'aaa',
  'aAaA',
  '()[]{}',
  '^$.*+?|',
  '--',
  '/* */',
];
const moments = [
  '2024-01-31T10:00:00Z',
  '2024-02-29T23:59:59.999Z',
  '2023-12-31T23:59:59.999999Z',
  '2000-02-29T00:00:00Z',
  '1970-01-01T00:00:00Z',
  '1969-12-31T23:59:59.5Z',
  '2024-03-10T02:30:00-05:00',
  '2024-03-31T01:30:00+02:00',
  '2021-06-15T12:34:56.123456+05:30',
  '1999-12-31T23:00:00-11:00',
  '2024-07-01T00:00:00.1Z',
  '1901-01-01T05:06:07Z',
];
const words = ['open', 'closed', 'Open', 'shipped', '', 'back order'];
const statuses = (random: Random): string => JSON.stringify(random.pick(words));
const sparse =
  (value: (random: Random, row: number) => string, absent = 0.15): TestColumn['value'] =>
  (random, row) =>
    random.chance(absent) ? null : value(random, row);
const oneOf = (...values: string[]): TestColumn['value'] => sparse((random) => random.pick(values));
const whole =
  (from: number, to: number): ((random: Random) => string) =>
  (random) =>
    String(from + random.int(to - from + 1));
/** Multiples of a quarter, whose sums are exact in any order. */
const quarters = (random: Random): string => {
  const value = (random.int(401) - 200) / 4;
  return Number.isInteger(value) ? `${String(value)}.0` : String(value);
};
const text = (random: Random): string => JSON.stringify(random.pick(texts));
const info = (random: Random): string => {
  if (random.chance(0.05)) return '{}';
  const member = (key: string, value: string): string =>
    random.chance(0.7) ? `"${key}":${random.chance(0.15) ? 'null' : value},` : '';
  const members = [
    member('k', text(random)),
    member('n', whole(-9, 99)(random)),
    member('b', random.pick(['true', 'false'])),
    member('o', `{"x":${text(random)},"y":${whole(0, 9)(random)}}`),
    member('l', random.pick(['[]', '[1,2,3]', '["a","b"]', '[{"x":1},null]'])),
  ];
  return `{${members.join('').slice(0, -1)}}`;
};

export const testTables: readonly TestTable[] = [
  {
    name: 'people',
    rows: 40,
    columns: [
      { name: 'id', type: 'bigint', value: (_random, row) => String(row + 1) },
      { name: 'name', type: 'text', value: sparse(text) },
      { name: 'age', type: 'bigint', value: sparse(whole(-5, 90)) },
      { name: 'team', type: 'bigint', value: sparse(whole(1, 7)) },
      { name: 'score', type: 'double', value: sparse(quarters) },
      {
        name: 'ratio',
        type: 'double',
        value: oneOf(
          '0.1',
          '-0.0',
          '0.0',
          '1e300',
          '-1e-7',
          '1e20',
          '123456789.125',
          '0.3',
          '2.5',
          '3.5',
          '-2.5',
          '1e-300',
        ),
      },
      {
        name: 'huge',
        type: 'bigint',
        value: oneOf(
          '9007199254740993',
          '9223372036854775807',
          '-9223372036854775808',
          '0',
          '-1',
          '4294967296',
          '2147483648',
        ),
      },
      {
        name: 'big',
        type: 'numeric',
        value: (random, row) =>
          row === 0
            ? '18446744073709551616'
            : oneOf(
                '12345678901234567890123',
                '-99999999999999999999',
                '5',
                '1.25',
                '-7.5',
                '0',
                '0.5',
                '2.5',
              )(random, row),
      },
      { name: 'active', type: 'boolean', value: oneOf('true', 'false') },
      { name: 'joined', type: 'timestamp', value: sparse((random) => JSON.stringify(random.pick(moments))) },
      {
        name: 'mixed',
        type: 'text',
        value: (random, row) =>
          row === 0
            ? '12'
            : row === 1
              ? '"x"'
              : oneOf('true', '1.50', '"12"', '"é"', '""', '-3', '"null"')(random, row),
      },
      { name: 'info', type: 'jsonb', value: sparse(info) },
      {
        name: 'tags',
        type: 'jsonb',
        value: oneOf('[]', '["red"]', '["red","blue"]', '[1,2]', '["a",null,true]'),
      },
      {
        name: '«address.city»',
        type: 'text',
        path: ['address', 'city'],
        value: oneOf('"Oslo"', '"東京"', '"Århus"', '"oslo"'),
      },
      { name: '«address.zip»', type: 'bigint', path: ['address', 'zip'], value: sparse(whole(1, 4)) },
      { name: '"Level"', type: 'bigint', path: ['Level'], value: sparse(whole(0, 3)) },
    ],
  },
  {
    name: 'orders',
    rows: 50,
    columns: [
      { name: 'id', type: 'bigint', value: (_random, row) => String(row + 1) },
      { name: 'person', type: 'bigint', value: sparse(whole(1, 45)) },
      { name: 'amount', type: 'double', value: sparse(quarters) },
      { name: 'qty', type: 'bigint', value: sparse(whole(0, 12)) },
      { name: 'status', type: 'text', value: sparse(statuses) },
      { name: 'note', type: 'text', value: sparse(text, 0.3) },
      { name: 'placed', type: 'timestamp', value: sparse((random) => JSON.stringify(random.pick(moments))) },
      { name: 'paid', type: 'boolean', value: oneOf('true', 'false') },
      {
        name: '"unit price"',
        type: 'numeric',
        path: ['unit price'],
        value: (random, row) =>
          row === 0 ? '36893488147419103232' : oneOf('19.99', '0.01', '100', '7.125')(random, row),
      },
    ],
  },
  {
    name: 'teams',
    rows: 7,
    columns: [
      { name: 'id', type: 'bigint', value: (_random, row) => String(row + 1) },
      { name: 'title', type: 'text', value: sparse(statuses) },
      { name: 'lead', type: 'bigint', value: sparse(whole(1, 40)) },
      { name: 'budget', type: 'bigint', value: sparse(whole(-1000, 100_000)) },
      { name: 'started', type: 'timestamp', value: sparse((random) => JSON.stringify(random.pick(moments))) },
      { name: 'rate', type: 'double', value: sparse(quarters) },
    ],
  },
];

/** The PostgreSQL type of a column. */
export const postgresTypes: Record<TestType, string> = {
  bigint: 'bigint',
  boolean: 'boolean',
  date: 'date',
  double: 'double precision',
  i4: 'integer',
  interval: 'interval',
  jsonb: 'jsonb',
  numeric: 'numeric',
  numbers: 'bigint[]',
  text: 'text',
  texts: 'text[]',
  timestamp: 'timestamp',
  timestamptz: 'timestamptz',
};

const columnPath = ({ name, path }: TestColumn): readonly string[] => path ?? [name];

/** Generates rows with nulls and missing fields. Each column has a value in the first row. */
export function rowsOf({ rows, columns }: TestTable, random: Random): TestRow[] {
  return Array.from({ length: rows }, (_, row) => {
    const values = columns.map(({ value }) => value(random, row));
    const members = new Map<string, string[]>();
    columns.forEach((column, i) => {
      const [first = '', second] = columnPath(column);
      const json = values[i] ?? null;
      if (json === null && random.chance(0.5)) return;
      const list = members.get(first) ?? [];
      members.set(first, list);
      list.push(second === undefined ? (json ?? 'null') : `${JSON.stringify(second)}:${json ?? 'null'}`);
    });
    const nested = new Set(
      columns.filter(({ path }) => path?.length === 2).map((column) => columnPath(column)[0]),
    );
    const record = [...members].map(
      ([key, list]) => `${JSON.stringify(key)}:${nested.has(key) ? `{${list.join(',')}}` : list.join('')}`,
    );
    return {
      record: `{${record.join(',')}}`,
      values: columns.map(({ type }, i) => postgresValue(values[i] ?? null, type)),
    };
  });
}

function postgresValue(json: string | null, type: TestType): string | null {
  if (json === null || type === 'jsonb') return json;
  const value = json.startsWith('"') ? (JSON.parse(json) as string) : json;
  if (type !== 'timestamp') return value;
  const [, seconds = '', fraction = '', zone = 'Z'] = /^(.{19})(\.\d+)?(.*)$/.exec(value) ?? [];
  return `${new Date(`${seconds}${zone}`).toISOString().slice(0, 19)}${fraction}`;
}

const many = (count: number, text: (index: number) => string, between = ', '): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(between);

/** Statements that are deeply nested or very long. */
export const deepTexts = (dataset: string): string[] =>
  [10, 100, 500, 1000, 5000, 50_000].flatMap((depth) => [
    `SELECT ${'('.repeat(depth)}1${')'.repeat(depth)}`,
    `SELECT ${'NOT '.repeat(depth)}true`,
    `SELECT ${'- '.repeat(depth)}1`,
    `SELECT ${'abs('.repeat(depth)}1${')'.repeat(depth)}`,
    `SELECT ${'CASE WHEN true THEN '.repeat(depth)}1${' END'.repeat(depth)}`,
    `SELECT ${'ARRAY['.repeat(depth)}1${']'.repeat(depth)}`,
    `SELECT ${'(SELECT '.repeat(depth)}1${')'.repeat(depth)}`,
    `SELECT * FROM ${'(SELECT * FROM '.repeat(depth)}${dataset}${many(depth, (i) => `) AS s${String(i)}`, '')}`,
    `SELECT 1${'+1'.repeat(depth)}`,
    `SELECT id FROM ${dataset} WHERE ${many(depth, (i) => `id = ${String(i)}`, ' OR ')}`,
    `SELECT ${many(depth, (i) => `1 AS c${String(i)}`)}`,
    `SELECT ${many(depth, () => '1', ' UNION ALL SELECT ')}`,
    `SELECT id FROM ${dataset} WHERE id IN (${many(depth, String)})`,
    `SELECT 'a'${'::text'.repeat(depth)}`,
    `SELECT ${'a.'.repeat(depth)}b FROM ${dataset}`,
    `WITH ${many(depth, (i) => `q${String(i)} AS (SELECT 1 AS x)`)} SELECT 1`,
    `SELECT '${'x'.repeat(depth)}' || ${'9'.repeat(depth)}`,
    `/*${'/*'.repeat(depth)}${'*/'.repeat(depth)}*/ SELECT 1`,
  ]);

const doubling = (levels: number): string =>
  many(levels, (i) => `w${String(i + 1)} AS (SELECT a.x FROM w${String(i)} a, w${String(i)} b)`);

/** Short statements that would run without end or exceed the limits of a type. */
export const costlyTexts = (dataset: string): string[] => {
  const self = (count: number): string => many(count, (i) => `${dataset} AS j${String(i)}`);
  return [
    ...[10, 20, 40].map(
      (levels) => `WITH w0 AS (SELECT 1 AS x), ${doubling(levels)} SELECT count(*) FROM w${String(levels)}`,
    ),
    ...[9, 40, 100].map((count) => `SELECT count(*) FROM ${self(count)}`),
    `SELECT string_agg(j0.name, ',') FROM ${self(9)}`,
    `SELECT array_agg(j0.id) FROM ${self(9)}`,
    `SELECT * FROM ${self(9)} ORDER BY j0.name`,
    `SELECT DISTINCT j0.id + j1.id * 1000 + j2.id * 1000000 + j3.id, md5(j4.name || j5.name) FROM ${self(9)}`,
    "SELECT repeat('a', 1000000000)",
    "SELECT repeat('a', 2147483647)",
    "SELECT repeat(repeat('a', 100000), 100000)",
    "SELECT lpad('a', 2000000000, 'b')",
    "SELECT rpad('', 2147483647, 'xyz')",
    `SELECT repeat(name, 1000000) FROM ${dataset}`,
    `SELECT repeat(repeat(name, 1000), 1000) FROM ${dataset}`,
    `SELECT length(repeat(name, id::int * 100000000)) FROM ${dataset}`,
    'SELECT * FROM generate_series(1, 1000000000000)',
    'SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b',
    'SELECT * FROM generate_series(1, 10, 0)',
    'SELECT * FROM generate_series(-9223372036854775808, 9223372036854775807)',
    'SELECT generate_series(1, 1000000000)',
    'WITH RECURSIVE r AS (SELECT 1 UNION ALL SELECT 1 FROM r) SELECT count(*) FROM r',
    'WITH RECURSIVE r(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM r) SELECT n FROM r',
    `SELECT ${'9'.repeat(200_000)}`,
    `SELECT 1e${'9'.repeat(10)}`,
    'SELECT 1e308 * 1e308',
    'SELECT 10 ^ 1000000',
    'SELECT power(10, 100000)',
    'SELECT factorial(100000)',
    'SELECT 9223372036854775807 + 1',
    'SELECT 1 / 0',
    'SELECT 1 % 0',
    "SELECT 'x'::int",
    'SELECT sqrt(-1)',
    'SELECT ln(0)',
    'SELECT exp(100000)',
    "SELECT interval '999999999999999999 years'",
    "SELECT timestamp '999999-01-01'",
    "SELECT timestamp '0001-01-01 BC'",
    "SELECT date '2024-01-01' + 2147483647",
    `SELECT substring(name, -2147483648, 2147483647) FROM ${dataset}`,
    `SELECT split_part(name, '', 2147483647) FROM ${dataset}`,
    "SELECT string_to_array(repeat('a,', 500000), ',')",
    "SELECT array_length(string_to_array(repeat('a,', 10000000), ','), 1)",
    'SELECT chr(0)',
    'SELECT chr(1114112)',
    'SELECT chr(55296)',
    "SELECT translate('a', 'b', 'c')",
    "SELECT overlay('a' placing 'b' from 0)",
    `SELECT count(*) OVER (ORDER BY j0.id, j1.id, j2.id) FROM ${self(9)}`,
    `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY j0.id) FROM ${self(9)}`,
    `SELECT * FROM ${dataset} LIMIT 99999999999999999999`,
    `SELECT * FROM ${dataset} LIMIT -1`,
    `SELECT * FROM ${dataset} OFFSET -1`,
    `SELECT * FROM ${dataset} LIMIT (SELECT 1)`,
  ];
};

/* Statements that parse dates and timestamps by a pattern, to compare with PostgreSQL. */

/** Texts by pattern that PostgreSQL accepts, in years that the engine supports. */
const texts: Readonly<Record<string, readonly string[]>> = {
  'DD.MM.YYYY': ['31.01.2024', '1.2.1999', ' 01 . 02 . 2024 x', '29/02/2020', '00.00.2024'],
  'MM/DD/YYYY': ['12/31/2023', '1-2-2023', '01 02 2023', '+1/+2/2023'],
  YYYYMMDD: ['20240229', '2024022', '20240229T10', '2024', '202402', ' 2024 02 29'],
  'YYYY-MM-DD HH24:MI:SS': ['2024-02-29 23:59:58', '2024-02-29', '2024- 2- 9   5:6', '2024/02/29  01'],
  'YYYY-MM-DD"T"HH24:MI:SS.MS': ['2024-02-29T01:02:03.25', '2024-02-29 01:02:03.250', '2024-02-29T01:02:03'],
  'YYYY-MM-DD HH12:MI:SS.US am': ['2024-02-29 12:00:00.5 AM', '2024-02-29 12:30:00.000001 pm', '2024-02-29'],
  'Dy, DD Mon YYYY': ['Thu, 29 Feb 2024', 'mon 1 JAN 2024', 'Sun,  31 dec 0044'],
  'FMMonth FMDD, YYYY': ['February 29, 2024', 'may 1 2024', 'DECEMBER31,1999'],
  'Day DD/Month/YY': ['Thursday 29/February/24', 'sunday 1/may/69', 'MONDAY 1/June/70', 'friday 3/june/520'],
  'YY-MM': ['24-02', '7-1', '1999-12', '99', '999-1'],
  'YYYY-MMDD HH24MI': ['2020-0512 1234', '2020 0512  0102', '2020-+512', '2020/1231'],
  'HH24:MI YYYY': ['23:59 2024', '0:0 2024'],
  'MI_SS YYYY': ['5_6 2024', '59 59 2024'],
};

/** Texts for which PostgreSQL fails. */
const wrong: Readonly<Record<string, readonly string[]>> = {
  'DD.MM.YYYY': ['32.01.2024', '30.02.2024', '1.13.2024', 'x', '1.x', '..', '-1.1.2024'],
  YYYYMMDD: ['20241301', '202413', 'abcd'],
  'YYYY-MM-DD HH24:MI:SS': [
    '2024-01-01 24:00',
    '2024-01-01 10:60',
    '2024-01-01 10:10:60',
    '2024-01-01 1e5',
    '2024-02-29T23:59:58',
    '2024-99999999999999999999',
  ],
  'YYYY-MM-DD"T"HH24:MI': ['2024-01-01TT10:00', '2024-01-01T1O'],
  'YYYY HH12 am': ['2024 0 am', '2024 13 pm', '2024 1 xm'],
  'Dy, DD Mon YYYY': ['Xyz, 1 Jan 2024', 'Mon, 1 January 2024', 'Mon, 1 Jxn 2024'],
  'YYYY-MMDD': ['2020 +5 12', '2020 512'],
  'DD month YYYY': ['5 augu\u017Ft 2020'],
  'YYYY.MS': ['2024.1000', '2024.99999999999999999999'],
};

const readers = ['to_date', 'to_timestamp'];
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export const patternStatements: readonly string[] = Object.entries(texts).flatMap(([pattern, list]) =>
  readers.map(
    (reader) =>
      `select x as a, ${reader}(x, '${pattern}') as b from (values ${[...list.map(quoted), 'null'].map((text) => `(${text})`).join(', ')}) as v(x)`,
  ),
);

export const raisingPatterns: readonly string[] = Object.entries(wrong).flatMap(([pattern, list]) =>
  list.map(
    (text, index) =>
      `select ${readers[index % 2] ?? ''}(x, '${pattern}') as a from (values (${quoted(text)})) as v(x)`,
  ),
);

/** PostgreSQL statements that are not supported, with the error of each. */
export const unsupportedPatterns: Readonly<Record<string, RegExp>> = Object.fromEntries(
  [
    'IYYY-IW',
    'J',
    'DDTHH24',
    'FXYYYY',
    'YYYY YYYY',
    'DD"th of"Mon',
    'YYYY-MM-DD TZ',
    'SSSS',
    `YYYY${' '.repeat(101)}MM`,
    '',
  ].map((pattern) => [
    `select to_date('2024-01-01', '${pattern}') as a`,
    /to_date with the pattern "[^\n]*" is not supported/,
  ]),
);

import { jsonNumber, jsonText } from './json-values.ts';

/** What the library makes of a value that is not null. */
export type MssqlValue = string | number | boolean | Buffer;

export const quoted = (name: string): string => `[${name.replaceAll(']', ']]')}]`;

/** How the values of a type are read. */
interface Conversion {
  /** The expression of SQL. @param column its quoted name */
  select(column: string): string;
  /** The JSON of what the library makes of it. */
  json(value: MssqlValue): string;
}

const asIs = (column: string): string => column;
/** The text that the server makes of a value. @param style of CONVERT, which decides digits and order */
const converted =
  (type: string, style?: number) =>
  (column: string): string =>
    `CONVERT(${type}, ${column}${style === undefined ? '' : `, ${String(style)}`})`;

const text = (value: MssqlValue): string => jsonText(String(value));
const number = (value: MssqlValue): string => jsonNumber(String(value));

const base64 = (value: MssqlValue): string =>
  jsonText(Buffer.isBuffer(value) ? value.toString('base64') : String(value));

/**
 * The server converts what the library would round: it reads decimals and money as doubles, and times as milliseconds.
 */
const conversions: readonly (readonly [types: readonly string[], conversion: Conversion])[] = [
  [['bit'], { select: asIs, json: (value) => String(value === true) }],
  [['tinyint', 'smallint', 'int', 'bigint'], { select: asIs, json: number }],
  [['decimal', 'numeric'], { select: converted('varchar(50)'), json: number }],
  // Style 2: four digits after the point. Style 3: all digits of a double.
  [['money', 'smallmoney'], { select: converted('varchar(50)', 2), json: number }],
  [['float', 'real'], { select: converted('varchar(50)', 3), json: number }],
  // ISO 8601 with all digits of the type.
  [
    ['datetime', 'smalldatetime', 'datetime2', 'datetimeoffset'],
    { select: converted('varchar(50)', 126), json: text },
  ],
  [['date'], { select: converted('varchar(10)', 23), json: text }],
  [['time'], { select: converted('varchar(16)'), json: text }],
  [['char', 'varchar', 'text', 'nchar', 'nvarchar', 'ntext'], { select: asIs, json: text }],
  [['binary', 'varbinary', 'image', 'timestamp', 'rowversion'], { select: asIs, json: base64 }],
];
const byType = new Map(conversions.flatMap(([types, conversion]) => types.map((type) => [type, conversion])));

/** Types that JSON has not, such as xml, geography and sql_variant, are the texts that the server writes. */
const other: Conversion = { select: converted('nvarchar(max)'), json: text };

/** How the values of a column are read. @param type the name of its type in the catalog of the server */
export const mssqlConversion = (type: string): Conversion => byType.get(type) ?? other;

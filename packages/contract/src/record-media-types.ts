import type { TSchema } from 'typebox';

/** What records are also answered as, for requests that ask so by the header Accept. */
const recordMediaTypes = {
  'application/x-ndjson': 'One record a line, as in records. The header Redoubt-Total is the total.',
  'text/csv':
    'After RFC 4180: a line of the names of the fields, then a record a line, lines ending in CR LF. Typed columns as in schema; null is empty and an empty text is "". Values are written as they are, so a program that takes texts beginning with =, +, - or @ for formulas has to be told not to.',
  'application/vnd.apache.arrow.stream':
    'A stream of Arrow with a column for each field of schema: int64, double, decimal256 (of 76 digits, 20 of them after the point in fields), bool, utf8, date32, timestamp in microseconds; jsonb and arrays are JSON text, intervals text.',
  'application/vnd.apache.parquet': 'A file of Parquet with the same columns.',
} as const;

/** A streamed answer of records, in any of the formats. */
export const recordStreamResponse = <S extends TSchema>(description: string, schema: S) => ({
  status: 200 as const,
  description,
  schema,
  streamed: true,
  otherMediaTypes: recordMediaTypes,
});

import type { TSchema } from 'typebox';

/** The formats of records besides JSON. A request chooses one by its header Accept. */
const recordMediaTypes = {
  'application/x-ndjson':
    'One record per line, as in records. The response header Redoubt-Total contains the total.',
  'text/csv':
    'CSV by RFC 4180: a line with the names of the fields, then one line per record, all ending in CR LF. The columns have the types of schema; null is empty and an empty text is "". Values are not escaped for spreadsheets: some programs treat texts that begin with =, +, - or @ as formulas.',
  'application/vnd.apache.arrow.stream':
    'An Arrow stream with a column for each field of schema: int64, double, decimal256 (76 digits; fields have a scale of 20), bool, utf8, date32, timestamp in microseconds. jsonb and arrays are JSON text, intervals are text.',
  'application/vnd.apache.parquet': 'A Parquet file with the same columns.',
} as const;

/** A streamed response of records, in JSON or any of the other formats. */
export const recordStreamResponse = <S extends TSchema>(description: string, schema: S) => ({
  status: 200 as const,
  description,
  schema,
  streamed: true,
  otherMediaTypes: recordMediaTypes,
});

import type { TableFormat } from '@redoubt/records';
import { parseAccept } from '../../platform/http/accept.ts';

/** How the records of an answer are written. */
export type ResponseFormat = TableFormat | 'json' | 'lines';

/** Whether the rows come as typed columns, and not as texts of records. */
export const isTableFormat = (format: ResponseFormat): format is TableFormat =>
  format !== 'json' && format !== 'lines';

export const mediaTypes: Record<ResponseFormat, string> = {
  json: 'application/json; charset=utf-8',
  lines: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  arrow: 'application/vnd.apache.arrow.stream',
  parquet: 'application/vnd.apache.parquet',
};

const formats: Readonly<Record<string, ResponseFormat>> = {
  '*/*': 'json',
  'application/*': 'json',
  'application/json': 'json',
  'application/x-ndjson': 'lines',
  'text/csv': 'csv',
  'application/vnd.apache.arrow.stream': 'arrow',
  'application/vnd.apache.parquet': 'parquet',
};

/**
 * The format that a request prefers by its header Accept: the one of the greatest weight, the first of those that weigh
 * the same. A header that names none of ours is answered in JSON.
 */
export const negotiateFormat = (accept: string | undefined): ResponseFormat => {
  let best: ResponseFormat = 'json';
  let bestWeight = 0;
  for (const { type, weight } of parseAccept(accept ?? '')) {
    const format = Object.hasOwn(formats, type) ? formats[type] : undefined;
    if (format !== undefined && weight > bestWeight) {
      best = format;
      bestWeight = weight;
    }
  }
  return best;
};

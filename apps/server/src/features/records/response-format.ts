import type { TableFormat } from '@redoubt/records';
import { parseAccept } from '../../platform/http/accept.ts';

/** The format of a response with records. */
export type ResponseFormat = TableFormat | 'json' | 'lines';

/** Whether the format has typed columns, as opposed to the JSON text of each record. */
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
 * Chooses the response format by the Accept header: the supported format with the greatest weight, and the first one
 * among equal weights. JSON if the header is absent or names no supported format.
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

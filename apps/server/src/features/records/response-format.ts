import type { TableFormat } from '@redoubt/records';

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
  for (const part of (accept ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = quality === undefined ? 1 : Number(quality.slice(2));
    const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
    if (format !== undefined && weight > bestWeight) {
      best = format;
      bestWeight = weight;
    }
  }
  return best;
};

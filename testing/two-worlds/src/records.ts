import type { Person } from '@redoubt/testkit/requests';
import { as, bodyOf, done, type WireResponse, type Request, type Send } from '@redoubt/testkit/requests';

/** A record as JSON text, because JavaScript cannot represent some of the numbers. */
export type RecordText = string;

export const byField = {
  fields: ['label'],
  parserClassName: 'identity-parser',
  labelHandlingPolicy: 'ignore',
};

/** Writes records with their label in the field `label`. */
export const writeRequest = (
  writer: Person,
  datasetId: string,
  records: readonly RecordText[],
  securityLabelInfo: unknown = byField,
): Request => {
  const info = JSON.stringify(securityLabelInfo);
  const body = Buffer.from(`{"records":[${records.join(',\n')}],"securityLabelInfo":${info}}`);
  return as(writer).post(`/v2/write/${datasetId}?isAsync=false`, body);
};

const batchSize = 100;

export const write = async (
  send: Send,
  writer: Person,
  datasetId: string,
  records: readonly RecordText[],
): Promise<void> => {
  for (let from = 0; from < records.length; from += batchSize) {
    await done(send, writeRequest(writer, datasetId, records.slice(from, from + batchSize)));
  }
};

/** Sends a write that must be rejected. */
export const writeExpectingError = async (send: Send, request: Request): Promise<void> => {
  const { status, body } = await send(request);
  if (status !== 400) throw new Error(`${request.path} was not refused but answered ${status}: ${body}`);
};

export interface RecordBatch {
  records: Record<string, unknown>[];
  schema: Record<string, { type: string }>;
  lastRecordId: string | null;
  more: boolean;
  total: number;
}

export const batchOf = (response: WireResponse): RecordBatch => bodyOf(response) as RecordBatch;

/** Reads the records visible to the reader, page by page. */
export async function* pagesOf(
  send: Send,
  reader: Person,
  datasetId: string,
  options: Readonly<Record<string, unknown>>,
): AsyncGenerator<RecordBatch> {
  let startingRecordId = '';
  for (;;) {
    const request = as(reader).post('/readInSequence', { datasetId, ...options, startingRecordId });
    const page = await done<RecordBatch>(send, request);
    yield page;
    if (!page.more || page.lastRecordId === null) return;
    startingRecordId = page.lastRecordId;
  }
}

/**
 * The sorted ids of the records visible to the reader.
 * @param batchSize records of each response, few where they are large
 */
export const idsOf = async (
  send: Send,
  reader: Person,
  datasetId: string,
  batchSize?: number,
): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { records } of pagesOf(send, reader, datasetId, {
    batchSize,
    includeInternalRecordId: true,
  }))
    ids.push(...records.map((record) => String(record['_koverse_record_id'])));
  return ids;
};

import type { ReadRequest } from '@redoubt/records';
import type { ResponseOptions } from './records-response.ts';

/** Absent and 0 mean the default: some clients send 0 and expect rows. */
export const resolveLimit = (sent: number | undefined, fallback: number): number =>
  sent === undefined || sent === 0 ? fallback : sent;

/** What a request asks to add to each record. */
export const resolveInternalFields = ({
  includeInternalFields,
  includeInternalRecordId,
}: {
  includeInternalFields?: boolean;
  includeInternalRecordId?: boolean;
}): ReadRequest['internalFields'] => {
  if (includeInternalFields === true) return 'all';
  return includeInternalRecordId === true ? 'record-id' : undefined;
};

/** The same for the rows that are read: each of a document needs its id. */
export const resolveRowFields = (
  query: Parameters<typeof resolveInternalFields>[0],
  { documents = false }: Pick<ResponseOptions, 'documents'>,
): ReadRequest['internalFields'] => resolveInternalFields(query) ?? (documents ? 'record-id' : undefined);

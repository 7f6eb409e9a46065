import type { ReadRequest } from '@redoubt/records';
import type { ResponseOptions } from './records-response.ts';

/** An absent limit and 0 mean the default: some clients send 0 and expect rows. */
export const resolveLimit = (sent: number | undefined, fallback: number): number =>
  sent === undefined || sent === 0 ? fallback : sent;

/** Resolves which internal fields the request wants in each record. */
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

/** Resolves the internal fields to read: rows of documents need the record id even if the request does not ask for it. */
export const resolveRowFields = (
  query: Parameters<typeof resolveInternalFields>[0],
  { documents = false }: Pick<ResponseOptions, 'documents'>,
): ReadRequest['internalFields'] => resolveInternalFields(query) ?? (documents ? 'record-id' : undefined);

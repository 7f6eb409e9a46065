import type { ReadRequest } from '@redoubt/records';

/** Absent and 0 mean the default: some clients send 0 and expect rows. */
export const limitOf = (sent: number | undefined, fallback: number): number =>
  sent === undefined || sent === 0 ? fallback : sent;

/** What a request asks to add to each record. */
export const internalFieldsOf = ({
  includeInternalFields,
  includeInternalRecordId,
}: {
  includeInternalFields?: boolean;
  includeInternalRecordId?: boolean;
}): ReadRequest['internalFields'] => {
  if (includeInternalFields === true) return 'all';
  return includeInternalRecordId === true ? 'record-id' : undefined;
};

/** What the options for columns make of a record. */
export type RecordChange = (
  json: string,
  hasRecordId: boolean,
) => { json: string; hasRecordId: boolean } | { problem: string };

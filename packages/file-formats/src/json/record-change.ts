/** How the options for columns change a record. */
export type RecordChange = (
  json: string,
  hasRecordId: boolean,
) => { json: string; hasRecordId: boolean } | { problem: string };

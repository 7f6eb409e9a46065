/** What the options for columns make of records, each the JSON of an object. */
export interface RecordChange {
  apply(json: string, hasRecordId: boolean): { json: string; hasRecordId: boolean } | { problem: string };
  /** The label fields of a record that is rejected, as they would be stored. */
  labelFields(json: string): string | undefined;
}

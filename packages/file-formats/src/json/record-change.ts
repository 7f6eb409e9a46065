/** How the options for columns change records. Each record is the JSON of an object. */
export interface RecordChange {
  apply(json: string, hasRecordId: boolean): { json: string; hasRecordId: boolean } | { problem: string };
  /** The label fields of a record that is rejected, as they would be stored. */
  labelFields(json: string): string | undefined;
}

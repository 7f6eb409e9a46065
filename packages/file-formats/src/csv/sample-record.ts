/** A record of the sample. */
export interface SampleRecord {
  readonly cells: readonly string[];
  readonly quoted: readonly boolean[] | undefined;
}

/**
 * What happens to a record without a valid label: `replace` stores it with `replacementString`, and `drop` leaves it
 * out. `ignore` stores a record that has no label with the empty label, and rejects the write if a label is invalid.
 */
export type LabelHandlingPolicy = 'ignore' | 'replace' | 'drop';

/** How to label the records of a write, as clients send it. Any property may be absent or null. */
export interface SecurityLabelInfo {
  /** The names of the fields that contain the label: a list, or a string of names separated by commas. */
  readonly fields?: readonly string[] | string | null | undefined;
  /** For `apply-label-to-all-records-parser`: the label of every record. */
  readonly label?: string | null | undefined;
  /** The default is `replace`. */
  readonly labelHandlingPolicy?: LabelHandlingPolicy | null | undefined;
  /** The id of the label parser, such as `identity-parser`. */
  readonly parserClassName?: string | null | undefined;
  /** For the policy `replace`: the label of records that have no label or an invalid one. */
  readonly replacementString?: string | null | undefined;
}

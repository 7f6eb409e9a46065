/** What happens to a record without a readable label. */
export type LabelHandlingPolicy = 'ignore' | 'replace' | 'drop';

/** How the records of a write get their labels, as clients send it: any part may be absent or null. */
export interface SecurityLabelInfo {
  /** The names of the fields that hold the label: a list, or a text with commas between them. */
  readonly fields?: readonly string[] | string | null | undefined;
  /** For `apply-label-to-all-records-parser`: the label of every record. */
  readonly label?: string | null | undefined;
  /** `replace` where it is absent. */
  readonly labelHandlingPolicy?: LabelHandlingPolicy | null | undefined;
  /** The id of the label parser, such as `identity-parser`. */
  readonly parserClassName?: string | null | undefined;
  /** For the policy `replace`: the label of the records that have none, or none that can be read. */
  readonly replacementString?: string | null | undefined;
}

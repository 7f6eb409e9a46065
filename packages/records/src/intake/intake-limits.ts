/** How large one write may be. Sizes are in bytes or characters of JSON text. */
export interface IntakeLimits {
  maxRecordBytes: number;
  /** Characters of one path: the keys down to a value, joined with ".". */
  maxPathLength: number;
  /** Distinct paths of a dataset, as far as its writer sees them. */
  maxPaths: number;
}

export const defaultIntakeLimits: IntakeLimits = {
  maxRecordBytes: 16_000_000,
  maxPathLength: 4096,
  maxPaths: 10_000,
};

/** Objects and arrays within each other, the record itself counted. */
export const maxNesting = 100;

/** Records of one write: each takes far more memory than its few bytes while it is read. */
export const maxRecords = 500_000;

/**
 * Distinct labels of one write. New ones are given numbers, and their attributes made, one write at a time and for
 * ever; the labels that the dataset has already are not counted, because a writer may not learn of hidden ones.
 */
export const maxLabels = 10_000;

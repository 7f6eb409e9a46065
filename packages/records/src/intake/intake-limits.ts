/** The size limits of one write, in bytes or characters of JSON text. */
export interface IntakeLimits {
  maxRecordBytes: number;
  /** Characters of one path: the keys that lead to a value, joined with ".". */
  maxPathLength: number;
  /** Distinct paths of a dataset that are visible to the writer. */
  maxPaths: number;
}

/** The limits of a write where the store sets no others. */
export const defaultIntakeLimits: IntakeLimits = {
  maxRecordBytes: 16_000_000,
  maxPathLength: 4096,
  maxPaths: 10_000,
};

/** Nested objects and arrays, including the record itself. */
export const maxNesting = 100;

/** Records of one write. Even a small record needs much memory while it is parsed. */
export const maxRecords = 500_000;

/**
 * Distinct labels of one write. New labels get permanent numbers, and their attributes are created, one write at a
 * time. The existing labels of the dataset do not count, because that would disclose hidden labels.
 */
export const maxLabels = 10_000;

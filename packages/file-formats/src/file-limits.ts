/** What a file may contain. A row above a limit is rejected; a file above one ends with an error. */
export interface FileLimits {
  /** Characters of one row. */
  readonly maxRowLength: number;
  /** Characters of one cell, or of one value of a text table. */
  readonly maxCellLength: number;
  readonly maxColumns: number;
  /** Objects and lists within each other, the record itself counted. */
  readonly maxNesting: number;
  readonly maxRows: number;
  /** Bytes of a document that is read as a whole: YAML, and all parts of a workbook. */
  readonly maxDocumentBytes: number;
  /** Bytes after decompression, of all files of an archive together. */
  readonly maxExpandedBytes: number;
  /** Bytes after decompression for each byte before; small files may have more. */
  readonly maxExpansion: number;
  readonly maxArchiveFiles: number;
  /** Archives and compressed files within each other. */
  readonly maxArchiveDepth: number;
}

export const defaultFileLimits: FileLimits = {
  maxRowLength: 16_000_000,
  maxCellLength: 16_000_000,
  maxColumns: 10_000,
  maxNesting: 100,
  maxRows: 10_000_000_000,
  maxDocumentBytes: 64_000_000,
  maxExpandedBytes: 100_000_000_000,
  maxExpansion: 200,
  maxArchiveFiles: 10_000,
  maxArchiveDepth: 3,
};

/** Characters of a rejected row that are kept. */
export const maxRejectLength = 10_000;

/** The limits of files. A row beyond a limit is rejected; a file beyond a limit ends with an error. */
export interface FileLimits {
  /** The maximum characters of one row. */
  readonly maxRowLength: number;
  /** The maximum characters of one cell. */
  readonly maxCellLength: number;
  readonly maxColumns: number;
  /** The maximum nesting depth of objects and lists, including the record itself. */
  readonly maxNesting: number;
  readonly maxRows: number;
  /** The maximum bytes of a file that is read into memory: all parts of a workbook, or an archive inside another. */
  readonly maxDocumentBytes: number;
  /** The maximum characters of a YAML file, which takes many times its size in memory. */
  readonly maxYamlLength: number;
  /** The maximum bytes after decompression, for all files of an archive together. */
  readonly maxExpandedBytes: number;
  /** The maximum expansion: bytes after decompression for each compressed byte. Small files may exceed it. */
  readonly maxExpansion: number;
  readonly maxArchiveFiles: number;
  /** The maximum nesting depth of archives and compressed files. */
  readonly maxArchiveDepth: number;
  /** The maximum number of documents inside one document, such as the attachments of a mail, at all depths together. */
  readonly maxInnerDocuments: number;
  /** The maximum nesting depth of documents, such as mails attached to mails. */
  readonly maxInnerDepth: number;
}

/** The limits of a file where `FileOptions` sets no others. */
export const defaultFileLimits: FileLimits = {
  maxRowLength: 16_000_000,
  maxCellLength: 16_000_000,
  maxColumns: 10_000,
  maxNesting: 100,
  maxRows: 10_000_000_000,
  maxDocumentBytes: 100_000_000,
  maxYamlLength: 16_000_000,
  maxExpandedBytes: 100_000_000_000,
  maxExpansion: 500,
  maxArchiveFiles: 10_000,
  maxArchiveDepth: 3,
  maxInnerDocuments: 1000,
  maxInnerDepth: 5,
};

/** The characters that are kept of a rejected row. */
export const maxRejectLength = 10_000;

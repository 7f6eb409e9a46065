/** The limits of uploads and ingest jobs. */
export interface IngestLimits {
  /** Maximum number of bytes of the files of one upload, and of one fetched file. */
  maxUploadBytes: number;
  /** Maximum number of attributes in the labels of one job that its starter does not hold. */
  maxAttributes: number;
  /** Number of rows of a block. */
  blockRows: number;
  /** How many days rejected rows are kept. */
  rejectDays: number;
}

export const defaultIngestLimits: IngestLimits = {
  maxUploadBytes: 50_000_000_000,
  maxAttributes: 1000,
  blockRows: 20_000,
  rejectDays: 30,
};

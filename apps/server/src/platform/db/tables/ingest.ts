import type { ColumnType } from 'kysely';

type Fixed<T> = ColumnType<T, T, never>;
/** Whole numbers up to 2^53. */
type Count = ColumnType<number, number | undefined, number>;

/** Files that came together, and the job that stores their rows. */
export interface UploadTable {
  id: Fixed<string>;
  dataset_id: Fixed<string>;
  job_id: Fixed<string>;
  /** How the rows are read and labelled, as JSON. */
  options: Fixed<string>;
  /** A JSON object, as it was sent. */
  custom_metadata: Fixed<string | null>;
  created_at: Fixed<Date>;
  /**
   * When its owner removed it. The rows of the upload remain as long as it has records that are hidden from its owner.
   */
  removed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** The sealed connection of a source, until its job has listed the segments. */
  sealed_source: ColumnType<string | null, string | null | undefined, string | null>;
  /** The stored connection through which its files were read; null without one. */
  connection_id: Fixed<string | null>;
  /** The earlier job after which an append reads rows; null for other jobs. */
  continued_job: Fixed<string | null>;
}

export interface IngestFileTable {
  id: Fixed<string>;
  upload_id: Fixed<string>;
  /** The segment that stores its rows. */
  segment_id: Fixed<string>;
  /** Its position among the files of the upload, counted from 0. */
  number: Fixed<number>;
  name: Fixed<string>;
  /** The name for readers who did not start the job; null where it is the same. */
  reader_name: string | null;
  /** The sealed address and headers from which it is fetched; null for a file that was sent. */
  sealed_source: string | null;
  /**
   * The version of the fetched file as its host reports it, sealed with its address and headers; null if the host
   * reports none.
   */
  sealed_version: string | null;
  /** Whether it had not changed since an earlier job, so that it was not fetched. */
  is_unchanged: ColumnType<boolean, boolean | undefined, boolean>;
  /** Its name in the object store; null until it is stored. */
  object_name: string | null;
  size: number | null;
  /** Hexadecimal. */
  sha256: string | null;
  bytes_read: Count;
  /** The first row without a final outcome, counted from 0. */
  next_row: Count;
  written: Count;
  rejected: Count;
  dropped: Count;
  duplicate: Count;
  /** What the file is wrapped in, outermost first, as a JSON array; null until it is opened. */
  containers: string | null;
  /** The format of a file that is stored as a document; null for other files, and until it is opened. */
  document_format: string | null;
  /** Rows that replaced a record, among those written. */
  replaced: Count;
  /** Rejected rows that were mended and sent again. */
  replayed: Count;
}

/** A block of rows that is being stored. After a crash, one of its record ids shows whether the block was stored. */
export interface IngestBlockTable {
  file_id: Fixed<string>;
  dataset_id: Fixed<string>;
  /** What its record ids are derived from, in base64. */
  seed: Fixed<string>;
  first_row: Fixed<number>;
  /** The id of its first new record or, if all of its rows replace records, of the first replaced one. */
  record_id: Fixed<string>;
  /** For a block that only replaces records: the time of the new version of this record, in milliseconds since 1970. */
  stored_at: Fixed<number | null>;
  /** The outcome once it is stored, as JSON. */
  outcome: Fixed<string>;
}

/** A job whose rows replace all records that are visible to its starter, in one step after all rows have arrived. */
export interface IngestReplacementTable {
  job_id: Fixed<string>;
  dataset_id: Fixed<string>;
  /** The attempt of the job. */
  change_id: string;
  /** The slot of the record store in which its rows wait; null if none wait. */
  slot: number | null;
  /** `preparing`, `arriving`, `switching` or `done`. */
  state: string;
  /** Records that it replaced. */
  replaced: Count;
}

export interface IngestRejectTable {
  file_id: Fixed<string>;
  row_number: Fixed<number>;
  line: Fixed<number>;
  byte_offset: Fixed<number>;
  /** The path of the file inside an archive, or the sheet of a workbook. */
  inner_file: Fixed<string | null>;
  reason: Fixed<string>;
  text: Fixed<string>;
  /** The label that the labelling rule of the upload gives the row; null if it cannot be determined. */
  label: Fixed<string | null>;
  /** The job that stores the mended row. */
  replay_job_id: ColumnType<string | null, string | null | undefined, string | null>;
}

/** Names of stored files to which no row refers. */
export interface ObjectDropTable {
  object_name: Fixed<string>;
  /** Whether it is still being received: then it is deleted only if that never completes. */
  is_receiving: ColumnType<boolean, boolean | undefined, boolean>;
  created_at: ColumnType<Date, Date | undefined, never>;
}

/** What was made of a page of a document. */
export interface DocumentPartTable {
  file_id: Fixed<string>;
  /** `words`, the size of a picture (`page` or `thumbnail`), or `bytes` of a document inside the file. */
  kind: Fixed<'bytes' | 'page' | 'thumbnail' | 'words'>;
  /** The row of the file, counted from 1; for `bytes` the first one of the document. */
  page: Fixed<number>;
  /** Its name in the object store. */
  object_name: string;
}

/** A document inside a file, such as an attachment of a mail. */
export interface InnerDocumentTable {
  /** It is the `document_id` of its records. */
  id: Fixed<string>;
  file_id: Fixed<string>;
  path: Fixed<string>;
  name: Fixed<string>;
  format: Fixed<string>;
  /** The first row of the document in its file, counted from 0. */
  first_row: Fixed<number>;
  pages: Fixed<number>;
  /** The rows of the outermost document around it, such as the mail with all attachments. */
  root_row: Fixed<number>;
  root_rows: Fixed<number>;
}

/** The version of a row that an attempt to read a segment found, and that a later job reads again. */
export interface IngestReadRowTable {
  attempt: Fixed<string>;
  hash: Fixed<string>;
  file_id: Fixed<string>;
}

/** Jobs that continue each other. */
export interface IngestGroupTable {
  /** A hash of person, dataset and name. */
  id: Fixed<string>;
  dataset_id: Fixed<string>;
  /** The last job. */
  job_id: string;
  /** The last job before it that read something. */
  previous_job_id: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface IngestTables {
  ingest_read_rows: IngestReadRowTable;
  uploads: UploadTable;
  ingest_files: IngestFileTable;
  ingest_blocks: IngestBlockTable;
  ingest_groups: IngestGroupTable;
  ingest_replacements: IngestReplacementTable;
  ingest_rejects: IngestRejectTable;
  object_drops: ObjectDropTable;
  document_parts: DocumentPartTable;
  inner_documents: InnerDocumentTable;
}

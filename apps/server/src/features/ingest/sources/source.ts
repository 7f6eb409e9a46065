import type { ConnectionAllowed } from '@redoubt/contract';
import type { ColumnOption, RequiredColumn } from '@redoubt/file-formats';
import type { StoredKind } from './stored-kind.ts';
import type { FileReading } from '../parser/parser-messages.ts';

/** What a source reports about a segment, so that a later job can tell whether it has changed: its checkpoint. */
export type SegmentVersion = Readonly<Record<string, string | undefined>>;

/** A part of a source that is read as one file: an object of a bucket, the file at an address, the rows of a query. */
export interface SourceSegment {
  /** For its starter: the end of it is the extension of a file name. */
  name: string;
  /** The same text for the same part in every job, so that a later job finds its version. */
  identity: string;
  /** What `read` needs to find it, as JSON. It is stored encrypted. */
  place: unknown;
  /** The part of connectionInfo that it needs; all of it by default. */
  connectionInfo?: unknown;
  /** The name for readers who did not start the job; by default one that is made of the id of the file. */
  readerName?: string;
}

/** The versions of rows that an attempt to read a segment found, as hashes. */
export interface ReadRows {
  /** Identifies the attempt. Keep it in the version of the segment. */
  id: string;
  /** @returns those of the hashes that an earlier attempt has added */
  find(earlierId: string | undefined, hashes: readonly string[]): Promise<ReadonlySet<string>>;
  add(hashes: readonly string[]): Promise<void>;
}

export interface ReadRequest {
  /** The name of the segment in errors. */
  name: string;
  signal: AbortSignal;
  /** The version that an earlier job stored. */
  known: SegmentVersion | undefined;
  /** Called with the version of the segment before its first bytes. */
  onVersion(version: SegmentVersion): void;
  /** Called with a name that all readers of the rows may see, if the source gives one. */
  onReaderName(name: string | undefined): void;
  /** The rows that a later job reads again, for a source that tells rows apart. */
  readRows: ReadRows;
  /** Called with a number of rows that are left out, because an earlier job has read them. */
  onDuplicates(count: number): void;
  /** The options of the request for columns, and the columns that it needs for labels and keys. */
  columns: readonly ColumnOption[];
  requiredColumns: readonly RequiredColumn[];
  /** Called with what the starter sees of the segment, before the end of its bytes. */
  onRead(details: Readonly<Record<string, unknown>>): void;
}

/** The segment still has the known version, or there are no rows up to the reported one. */
export class UnchangedSegmentError extends Error {}

/** Nothing has come yet in a source without end. The job reads the same segment again. */
export class NothingReadError extends Error {}

/** How the segments of a source without end follow one another. */
export interface SourceTurns {
  /** Jobs of the same group continue each other; undefined if each begins where its request says. */
  group: string | undefined;
  /** Whether the job runs until it is stopped. */
  isEndless: boolean;
  /** The segment after one that was read, by the version of that; undefined at the end. */
  after(version: SegmentVersion): SourceSegment | undefined;
  /**
   * Where a later job of the group continues.
   * @param version of the last segment that was copied
   * @param lines its lines whose rows are stored or rejected; undefined if all are
   */
  reached(version: SegmentVersion, lines: AsyncIterable<string> | undefined): Promise<string>;
  /** The same, if nothing of its segment was copied. */
  begin(place: unknown): Promise<string>;
  /** Lists one segment of what is there now, for a preview. */
  present(signal: AbortSignal): AsyncIterable<SourceSegment>;
  /** Tells the source how far it has been read, if it keeps that. Nothing depends on it. */
  finish(version: SegmentVersion, signal: AbortSignal): Promise<void>;
}

/**
 * A source with a checked connection. Its segments are copied into the object store before any row is stored, so labels,
 * receipts, retries and blocks are the same for all sources.
 */
export interface Source {
  /** What the starter sees in the config of the job. Nothing secret. */
  shown: Readonly<Record<string, unknown>>;
  /** The earlier job whose versions of segments are not read again. */
  changedSinceJob: string | undefined;
  /**
   * What a later job leaves out: segments that have not changed, rows that have not, or nothing. A job that continues by
   * rows needs the version of its earlier job.
   */
  continues: 'not' | 'rows' | 'segments';
  /** The segments, if the request names them; undefined if the job has to list them. */
  segments: readonly SourceSegment[] | undefined;
  /** The format of the segments, if the source makes it; undefined if it is detected. */
  reading: Pick<FileReading, 'encoding' | 'format'> | undefined;
  /** Whether the connection asks for documents: a record for each page of a file. */
  asDocuments?: boolean;
  /** Only for a source without end, which lists its first segment alone. */
  turns?: SourceTurns;
  /**
   * Lists the segments.
   * @param reached where the last job of the group came to
   * @throws RedoubtError that names host and port if the source cannot be used
   */
  list(signal: AbortSignal, reached?: string): AsyncIterable<SourceSegment>;
  /**
   * Reads a segment from its beginning. What a cut transfer lacks is read again, if the segment has not changed.
   * @throws UnchangedSegmentError before the first byte
   * @throws RedoubtError that says what failed and what to do, without secrets
   */
  read(place: unknown, request: ReadRequest): AsyncIterable<Uint8Array>;
}

/** How a stored connection restricts a source. */
export interface OpenedConnection {
  id: string;
  /** What it lets requests read; null for all. */
  allowed: ConnectionAllowed | null;
}

/** A kind of source. To add one, write its `open` and add it to `createSources`. */
export interface SourceKind {
  /** The value of `dataSourceParams.type`. */
  type: string;
  /**
   * @param stored the connection that holds a part of connectionInfo
   * @throws RedoubtError 400 that names the field of connectionInfo, 501 for what is not supported
   */
  open(connectionInfo: unknown, stored?: OpenedConnection): Source;
  /** How connections of this kind are stored; undefined if they are not. */
  stored?: StoredKind;
}

/**
 * Which queue a statement waits in. `write` and `short` answer at once; `long` may be held for minutes by a reader that
 * takes its rows slowly, so it never stands in the way of the others.
 */
export type EngineLane = 'write' | 'short' | 'long';

export interface StatementOptions {
  lane: EngineLane;
  /** Whose statement it is: nobody holds more than half of a lane. */
  person?: string;
  /** Stops the engine's work, not only the waiting. */
  signal?: AbortSignal;
  /** Milliseconds of work after which the statement fails with the message of reached limits. */
  timeLimitMs?: number;
  /** Bytes of memory for this statement alone. */
  memoryLimitBytes?: number;
  /** Further settings of this statement: never kept for the next one. */
  settings?: Readonly<Record<string, number | string>>;
}

export interface QueryOptions extends StatementOptions {
  /** An output format of the engine that is safe to cut into chunks, such as `TSVRaw`. */
  format: string;
  /**
   * Of a stream whose preparing may take long, as with subqueries that stand for one value: this thread does not do it.
   * Chunks then come a little slower.
   */
  aside?: boolean;
}

export interface InsertRequest {
  /** `database.table`, of letters, digits and `_` alone. */
  table: string;
  columns: readonly string[];
  /** Rows in `format`. They become one block, so one part: all of them or none. */
  data: Uint8Array;
  /** TabSeparated when absent: it is the faster one. */
  format?: 'TabSeparated' | 'JSONEachRow';
}

/** What the record store asks of a column engine. Texts that reach it are compiled here, never a caller's. */
export interface Engine {
  /**
   * Streams an answer. At most one chunk is held for a slow reader; leaving the loop stops the engine's work. A chunk is
   * the reader's own and may be changed.
   */
  query(sql: string, options: QueryOptions): AsyncIterable<Uint8Array>;
  /**
   * A small answer, whole. It is ready sooner than the first chunk of `query`, whose statement is prepared on the calling
   * thread while everything else there waits.
   */
  bytes(sql: string, options: QueryOptions): Promise<Uint8Array>;
  /** A small answer as text, in the format TSVRaw unless another is named. */
  text(sql: string, options: StatementOptions & { format?: string }): Promise<string>;
  /** A statement without an answer. */
  command(sql: string, options: StatementOptions): Promise<void>;
  /** Stores rows as one block. They are on disk when it resolves (tables are made with the settings for that). */
  insert(request: InsertRequest): Promise<void>;
  /** Stores the rows of a file of the format Native, which may be larger than the memory; not as one block. */
  load(request: { table: string; columns: readonly string[]; path: string }): Promise<void>;
  /** Waits for what is running, then lets go of the data folder. */
  close(): Promise<void>;
}

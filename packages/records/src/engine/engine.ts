/**
 * The group of connections that a statement uses. `write` and `short` statements end soon. A slow reader may hold a
 * `long` connection for minutes, so it has separate connections.
 */
export type EngineLane = 'write' | 'short' | 'long';

/** The connections, the person and the limits of one statement. */
export interface StatementOptions {
  lane: EngineLane;
  /** The person who runs it; one person gets at most half of the connections of a lane. */
  person?: string;
  /** Aborts the statement in the engine, too. */
  signal?: AbortSignal;
  /** Milliseconds of work after which the statement fails with a QueryError. */
  timeLimitMs?: number;
  /** Bytes of memory for this statement. */
  memoryLimitBytes?: number;
  /**
   * Whether an INSERT may run again after it failed, because it stores all rows or none. It waits while other statements
   * use all the memory of the engine, even if it has a memory limit of its own.
   */
  isRepeatable?: boolean;
  /** The size of the rows that an INSERT stores, if it may be too large for the memory of the engine. */
  rowBytes?: number;
  /** Further settings, which apply only to this statement. */
  settings?: Readonly<Record<string, number | string>>;
}

/** Options of a statement whose result is streamed. */
export interface QueryOptions extends StatementOptions {
  /** An output format of the engine that can be split into chunks, such as `TSVRaw`. */
  format: string;
  /**
   * Starts the stream on another thread, because preparing it may take long, as with scalar subqueries. Its chunks are
   * a little slower.
   */
  aside?: boolean;
}

/** Rows to insert into one table. */
export interface InsertRequest {
  /** `database.table`, with letters, digits and `_` only. */
  table: string;
  columns: readonly string[];
  /** Rows in `format`. They are stored as one block: all or none. */
  data: Uint8Array;
  /** By default TabSeparated, which is faster. */
  format?: 'TabSeparated' | 'JSONEachRow';
}

/**
 * The column engine that the record store needs. All SQL comes from the compiler; text of users never reaches the
 * engine.
 */
export interface Engine {
  /**
   * Streams a result. At most one chunk is buffered for a slow reader, and leaving the loop aborts the statement. The
   * reader may change the chunks.
   */
  query(sql: string, options: QueryOptions): AsyncIterable<Uint8Array>;
  /**
   * Returns a small result at once. This is faster than `query`, which prepares its statement on the calling thread and
   * blocks it.
   */
  bytes(sql: string, options: QueryOptions): Promise<Uint8Array>;
  /** Returns a small result as text, by default in the format TSVRaw. */
  text(sql: string, options: StatementOptions & { format?: string }): Promise<string>;
  /** Runs a statement without a result. */
  command(sql: string, options: StatementOptions): Promise<void>;
  /** Stores rows as one block. They are durable when it resolves, by the settings of the tables. */
  insert(request: InsertRequest): Promise<void>;
  /** Stores the rows of a file in the format Native, which may be larger than the memory, in several blocks. */
  load(request: { table: string; columns: readonly string[]; path: string }): Promise<void>;
  /** Returns unused memory of the allocator to the operating system. Only an engine in this process has it. */
  releaseFreeMemory?(): Promise<void>;
  /** Waits for running statements, then closes the data folder. */
  close(): Promise<void>;
}

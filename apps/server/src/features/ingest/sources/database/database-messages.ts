import type { ColumnOption, RequiredColumn } from '@redoubt/file-formats';
import type { Checkpoint, Incremental } from './incremental.ts';

/** The task of a process that reads a database. It gets it on standard input, because arguments are visible to others. */
export interface DatabaseTask {
  databaseType: string;
  host: string;
  port: number;
  database: string;
  username: string;
  password: string;
  /** Whether the connection is encrypted, and the certificate of the server checked. */
  isSecure: boolean;
  /** The certificate of the authority that signed that of the server; by default those that Node.js trusts. */
  ca?: string | undefined;
  /** Whether private networks and this machine may be connected to. */
  allowsPrivate: boolean;
  schema?: string | undefined;
  table?: string | undefined;
  query?: string | undefined;
  incremental?: Incremental | undefined;
  /** The checkpoint of the earlier job. */
  since?: Checkpoint | undefined;
  /** The options of the request for columns. */
  columns: readonly ColumnOption[];
  requiredColumns: readonly RequiredColumn[];
}

/** A part of the output of a reader. */
export type DatabaseItem =
  /** From where a later job reads; before the first row. */
  | { checkpoint: Checkpoint }
  /** The text of a JSON object, without line ends. */
  | {
      row: string;
      /** Only for incremental reading: the version of the row. */
      hash?: string;
      /** Whether a later job reads it again. */
      isKept?: boolean;
    };

/** Reads the rows of a table or statement in one snapshot. It reads on only when its items are taken. */
export type DatabaseReader = (task: DatabaseTask) => AsyncIterable<DatabaseItem>;

/** The first characters of the lines that the process writes. */
export const lineKinds = { row: 'R', versioned: 'S', checkpoint: 'C', error: 'F', end: 'E' } as const;
/** The number of characters of a hash. */
export const hashLength = 22;

/** The line of an item: for a versioned row, its hash, `1` if it is read again, and the row. */
export const toLine = (item: DatabaseItem): string => {
  if ('checkpoint' in item) return `${lineKinds.checkpoint}${JSON.stringify(item.checkpoint)}\n`;
  const { row, hash, isKept } = item;
  if (hash === undefined) return `${lineKinds.row}${row}\n`;
  return `${lineKinds.versioned}${hash}${isKept === true ? '1' : '0'}${row}\n`;
};

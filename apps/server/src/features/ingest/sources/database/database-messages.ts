import type { ColumnOption, RequiredColumn } from '@redoubt/file-formats';

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
  /** The options of the request for columns. */
  columns: readonly ColumnOption[];
  requiredColumns: readonly RequiredColumn[];
}

/**
 * Reads the rows of a table or statement in one snapshot.
 * @returns the texts of JSON objects, without line ends; it reads on only when they are taken
 */
export type DatabaseReader = (task: DatabaseTask) => AsyncIterable<string>;

/** What failed, for the person who started the job. The message never contains the password. */
export class DatabaseError extends Error {}

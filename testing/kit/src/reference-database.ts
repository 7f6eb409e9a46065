import { randomUUID } from 'node:crypto';
import { Client, DatabaseError } from 'pg';

/** The result of PostgreSQL: rows as texts and the type id of each column, or an error. */
export type ReferenceResult =
  | { readonly columns: readonly { name: string; type: number }[]; readonly rows: (string | null)[][] }
  | { readonly refused: string; readonly code: string };

/** A PostgreSQL database to compare results with. */
export interface ReferenceDatabase {
  url: string;
  /** Runs one statement. */
  query(statement: string, values?: readonly (string | null)[]): Promise<ReferenceResult>;
  /** Runs a statement in a transaction of its own, which stays open until `commit`. */
  openTransaction(statement: string): Promise<{ commit(): Promise<void>; close(): Promise<void> }>;
  remove(): Promise<void>;
}

/** Whether there is a PostgreSQL server to compare with. */
export const hasReferenceServer = (): boolean => process.env.REDOUBT_TEST_POSTGRES_URL !== undefined;

/** Creates a database on the reference server that sorts by code points and uses UTC; undefined without a server. */
export const createReferenceDatabase = async (): Promise<ReferenceDatabase | undefined> => {
  const server = process.env.REDOUBT_TEST_POSTGRES_URL;
  if (server === undefined) return undefined;
  const name = `reference_${randomUUID().replaceAll('-', '')}`;
  const administer = async (statement: string): Promise<void> => {
    const client = new Client({ connectionString: server });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await administer(
    `create database ${name} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C.UTF-8'`,
  );
  const url = new URL(server);
  url.pathname = `/${name}`;
  const client = new Client({ connectionString: url.href, types: { getTypeParser: () => String } });
  await client.connect();
  await client.query(`set time zone 'UTC'; set statement_timeout = '20s'`);
  return {
    url: url.href,
    query: async (text, values = []) => {
      try {
        const { fields, rows } = await client.query<(string | null)[]>({
          text,
          values: [...values],
          rowMode: 'array',
        });
        return {
          columns: fields.map(({ name: column, dataTypeID }) => ({ name: column, type: dataTypeID })),
          rows,
        };
      } catch (error) {
        if (error instanceof DatabaseError) return { refused: error.message, code: error.code ?? '' };
        throw error;
      }
    },
    openTransaction: async (statement) => {
      const own = new Client({ connectionString: url.href });
      await own.connect();
      await own.query('begin');
      await own.query(statement);
      return {
        commit: async () => {
          await own.query('commit');
        },
        close: () => own.end(),
      };
    },
    remove: async () => {
      await client.end();
      await administer(`drop database ${name} with (force)`);
    },
  };
};

import type { ReferenceDatabase } from './reference-database.ts';

/** A database of PostgreSQL that an ingest reads in tests. */
export interface PostgresSource {
  /** Runs statements. @throws Error if one is refused */
  sql(...statements: string[]): Promise<void>;
  /** The connectionInfo of a request, with what is read. */
  infoOf(more: object): Record<string, unknown>;
}

/** @param password that the request sends; the test server trusts everybody */
export const createPostgresSource = (database: ReferenceDatabase, password: string): PostgresSource => ({
  sql: async (...statements) => {
    for (const statement of statements) {
      const result = await database.query(statement);
      if ('refused' in result) throw new Error(result.refused);
    }
  },
  infoOf: (more) => {
    const { port, pathname, username } = new URL(database.url);
    return {
      databaseType: 'postgresql',
      host: '127.0.0.1',
      port: Number(port),
      database: pathname.slice(1),
      username,
      password,
      tls: false,
      ...more,
    };
  },
});

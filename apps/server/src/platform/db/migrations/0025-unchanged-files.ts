import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Fetched files that are fetched again only when they have changed. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [
    sql`alter table ingest_files add column sealed_version text`,
    sql`alter table ingest_files add column is_unchanged boolean not null default false`,
  ];
  for (const statement of statements) await statement.execute(db);
};

export const unchangedFiles: Migration = { up };

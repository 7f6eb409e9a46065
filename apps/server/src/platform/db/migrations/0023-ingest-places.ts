import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Names of fetched files that other readers may see, and the positions of rejected rows inside archives and workbooks.
 */
const up = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [
    sql`alter table ingest_files add column reader_name text`,
    // The name of a fetched file is a part of its address, which may be a secret of the person who started the job.
    sql`update ingest_files set reader_name = 'file ' || (number + 1)
      where sealed_source is not null or object_name like 'fetched/%'`,
    sql`alter table ingest_files add column containers text`,
    sql`alter table ingest_rejects add column inner_file text`,
  ];
  for (const statement of statements) await statement.execute(db);
};

export const ingestPlaces: Migration = { up };

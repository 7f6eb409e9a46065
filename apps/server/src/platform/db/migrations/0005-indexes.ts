import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The indexes of datasets: created by people, created automatically, or dropped and not to be created automatically
 * again.
 */
const up = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [
    sql`create table dataset_indexes (
    id text primary key,
    dataset_id text not null references datasets on delete cascade,
    fields text not null,
    state text not null check (state in ('made', 'automatic', 'dropped')),
    made_by text not null,
    created_at timestamptz not null
  )`,
    // Unique by hash, because a long list of fields exceeds PostgreSQL's limit for index entries. Two people can each
    // create an index on the same fields when neither can see the other's.
    sql`create unique index dataset_indexes_fields on dataset_indexes (dataset_id, md5(fields), made_by)`,
  ];
  for (const statement of statements) await statement.execute(db);
};

export const indexes: Migration = { up };

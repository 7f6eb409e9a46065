import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The indexes of datasets: made by people, made by themselves, or dropped so that they do not make themselves again. */
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
    // Of its hash: a long list of fields is more than an index of PostgreSQL takes. Two people may each make an index of fields
    // that neither knows the other to know of.
    sql`create unique index dataset_indexes_fields on dataset_indexes (dataset_id, md5(fields), made_by)`,
  ];
  for (const statement of statements) await statement.execute(db);
};

export const indexes: Migration = { up };

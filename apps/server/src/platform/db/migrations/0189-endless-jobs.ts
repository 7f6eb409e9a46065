import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Jobs that run until they are stopped, and the groups in which jobs continue each other. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [
    sql`alter table jobs add column is_endless boolean not null default false`,
    sql`create table ingest_groups (
      id text primary key,
      dataset_id text not null references datasets on delete cascade,
      job_id text not null,
      previous_job_id text
    )`,
    sql`create index ingest_groups_dataset on ingest_groups (dataset_id)`,
  ];
  for (const statement of statements) await statement.execute(db);
};

export const endlessJobs: Migration = { up };

import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Files whose rows replace records. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [
    sql`create table ingest_replacements (
      job_id text primary key references jobs on delete cascade,
      dataset_id text not null references datasets on delete cascade,
      change_id text not null,
      slot integer,
      state text not null,
      replaced double precision not null default 0
    )`,
    sql`create unique index ingest_replacements_slot on ingest_replacements (dataset_id, slot)`,
    sql`alter table ingest_files add column replaced double precision not null default 0`,
    // For a block that only replaces records: the time of its new versions, which shows after a crash whether the block
    // was stored.
    sql`alter table ingest_blocks add column stored_at double precision`,
  ];
  for (const statement of statements) await statement.execute(db);
};

export const writeModes: Migration = { up };

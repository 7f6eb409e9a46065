import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Uploaded files, and the outcome of their rows. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [
    sql`create table uploads (
      id text primary key,
      dataset_id text not null references datasets on delete cascade,
      job_id text not null references jobs on delete cascade,
      options text not null,
      custom_metadata text,
      created_at timestamptz not null
    )`,
    sql`create index uploads_job on uploads (job_id)`,
    sql`create index uploads_dataset on uploads (dataset_id)`,
    sql`create table ingest_files (
      id text primary key,
      upload_id text not null references uploads on delete cascade,
      segment_id text not null references segments on delete cascade,
      number integer not null,
      name text not null,
      sealed_source text,
      object_name text,
      size double precision,
      sha256 text,
      bytes_read double precision not null default 0,
      next_row double precision not null default 0,
      written double precision not null default 0,
      rejected double precision not null default 0,
      dropped double precision not null default 0,
      duplicate double precision not null default 0
    )`,
    sql`create unique index ingest_files_segment on ingest_files (segment_id)`,
    sql`create index ingest_files_upload on ingest_files (upload_id)`,
    sql`create table ingest_blocks (
      file_id text primary key references ingest_files on delete cascade,
      dataset_id text not null references datasets on delete cascade,
      seed text not null,
      first_row double precision not null,
      record_id text not null,
      outcome text not null
    )`,
    sql`create index ingest_blocks_dataset on ingest_blocks (dataset_id)`,
    sql`create table ingest_counts (
      file_id text not null references ingest_files on delete cascade,
      label_hash text not null,
      label text not null,
      written double precision not null,
      primary key (file_id, label_hash)
    )`,
    sql`create table ingest_rejects (
      file_id text not null references ingest_files on delete cascade,
      row_number double precision not null,
      line double precision not null,
      byte_offset double precision not null,
      reason text not null,
      text text not null,
      primary key (file_id, row_number)
    )`,
    // Stored files without a row of their own: they are being received, or will be deleted.
    sql`create table object_drops (
      object_name text primary key,
      is_receiving boolean not null default false,
      created_at timestamptz not null default now()
    )`,
    sql`create function drop_object_of_file() returns trigger language plpgsql as $$
      begin
        if old.object_name is not null then
          insert into object_drops (object_name) values (old.object_name) on conflict (object_name)
            do update set is_receiving = false;
        end if;
        return null;
      end $$`,
    sql`create trigger drop_object_of_file after delete on ingest_files
      for each row execute function drop_object_of_file()`,
  ];
  for (const statement of statements) await statement.execute(db);
};

export const ingest: Migration = { up };

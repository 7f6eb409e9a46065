import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Documents inside files, such as the attachments of mails. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [
    sql`create table inner_documents (
      id text primary key,
      file_id text not null references ingest_files on delete cascade,
      path text not null,
      name text not null,
      format text not null,
      first_row double precision not null,
      pages double precision not null,
      root_row double precision not null,
      root_rows double precision not null
    )`,
    sql`create index inner_documents_file on inner_documents (file_id)`,
  ];
  for (const statement of statements) await statement.execute(db);
};

export const innerDocuments: Migration = { up };

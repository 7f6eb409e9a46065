import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The columns that each person labelled. A limit counts these and not all, because others may be hidden from them. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table labelled_columns (
    dataset_id text not null references datasets (id) on delete cascade,
    account_id text not null references accounts (id) on delete cascade,
    column_labels text not null,
    primary key (dataset_id, account_id)
  )`.execute(db);
};

export const labelledColumns: Migration = { up };

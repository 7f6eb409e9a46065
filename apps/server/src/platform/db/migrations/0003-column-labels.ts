import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Column labels are stored in the row of their dataset. Every request reads that row, so a change applies to the next
 * one.
 */
const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table datasets add column column_labels text not null default '[]',
    add column column_version integer not null default 0`.execute(db);
};

export const columnLabels: Migration = { up };

import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Words and pictures of the pages of documents. Their objects are deleted with the rows. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [
    sql`create table document_parts (
      file_id text not null references ingest_files on delete cascade,
      kind text not null,
      page double precision not null,
      object_name text not null,
      primary key (file_id, kind, page)
    )`,
    sql`create function drop_object_of_part() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' or old.object_name <> new.object_name then
          insert into object_drops (object_name) values (old.object_name) on conflict (object_name)
            do update set is_receiving = false;
        end if;
        return null;
      end $$`,
    sql`create trigger drop_object_of_part after update or delete on document_parts
      for each row execute function drop_object_of_part()`,
  ];
  for (const statement of statements) await statement.execute(db);
};

export const documentParts: Migration = { up };

import type { LabelParser, ListQuery } from '@redoubt/contract';
import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';

export interface LabelParserRepository {
  list(parsers: readonly LabelParser[], list: ListQuery): Promise<Page<LabelParser>>;
}

const columns = {
  id: sql.ref<string>('parsers.id'),
  name: sql.ref<string>('parsers.name'),
  description: sql.ref<string>('parsers.description'),
  deprecated: sql.ref<boolean>('parsers.deprecated'),
};

/** Label parsers are not stored in a table. The database only filters and sorts them, with the code of every other list. */
export const createLabelParserRepository = (db: Db): LabelParserRepository => ({
  list: (parsers, list) => {
    const rows = sql<LabelParser>`(select * from jsonb_to_recordset(${JSON.stringify(parsers)}::jsonb)
      as parser(id text, name text, description text, deprecated boolean))`;
    return readPage(db.selectFrom(rows.as('parsers')).selectAll(), list, columns, sql.ref('parsers.id'));
  },
});

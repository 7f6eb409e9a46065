import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { sealedLocation, type SecretBox } from './secret-box.ts';
import type { SealedColumn } from './sealed-columns.ts';

interface SealedRow {
  key: string;
  sealed: string;
}

const pageSize = 500;

/**
 * Encrypts with the newest key all secrets that are encrypted with an older one. A row that changes meanwhile is
 * skipped: its new value is encrypted with the newest key already.
 * @returns the number of secrets that were encrypted again
 * @throws UnsealError for a secret that cannot be decrypted; those before it stay encrypted with the newest key
 */
export const resealSecrets = async (
  db: Db,
  box: SecretBox,
  columns: readonly SealedColumn[],
): Promise<number> => {
  let count = 0;
  for (const { table, column, key } of columns) {
    const names = { table: sql.table(table), column: sql.ref(column), key: sql.ref(key) };
    let after = '';
    for (;;) {
      const { rows } =
        await sql<SealedRow>`select ${names.key} as key, ${names.column} as sealed from ${names.table}
        where ${names.column} is not null and ${names.key} > ${after}
        order by ${names.key} limit ${pageSize}`.execute(db);
      for (const row of rows) {
        after = row.key;
        if (box.isCurrent(row.sealed)) continue;
        const location = sealedLocation(table, column, row.key);
        const fresh = box.seal(box.open(row.sealed, location), location);
        await sql`update ${names.table} set ${names.column} = ${fresh}
          where ${names.key} = ${row.key} and ${names.column} = ${row.sealed}`.execute(db);
        count += 1;
      }
      if (rows.length < pageSize) break;
    }
  }
  return count;
};

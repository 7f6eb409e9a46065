import { sql, type Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** So many rows are made one. */
const rowsToMerge = 500;

/** After which the next look does not wait any more for one that hangs, as on a connection that has gone silent. */
const patienceMilliseconds = 5000;

/** Until work has ended, or for so long. */
const untilEnded = (work: Promise<unknown>, milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    work.then(end, end);
  });

const merge = async (db: Kysely<Database>): Promise<void> => {
  // What another process is merging stays with it. The sum is the same before and after.
  await sql`with merged as (
      delete from metadata_changes
      where id in (select id from metadata_changes for update skip locked)
      returning changes
    )
    insert into metadata_changes (changes) select sum(changes) from merged having count(*) > 0`.execute(db);
};

/**
 * Looks up how often what is remembered was changed in a database that other processes change as well. Who asks
 * gets a look that begins afterwards; those who ask while one is under way share the next, so that a busy server looks
 * once for many.
 */
export const createChangePoller = (
  db: Kysely<Database>,
  patience = patienceMilliseconds,
): (() => Promise<string>) => {
  const statement = sql<{ changes: string; rows: number }>`
    select coalesce(sum(changes), 0)::text as changes, count(*)::integer as rows from metadata_changes`.compile(
    db,
  );
  let merging: Promise<void> | undefined;
  const look = async (): Promise<string> => {
    const { rows } = await db.executeQuery(statement);
    const [found] = rows;
    if (found === undefined) throw new Error('The metadata database does not say how often it was changed');
    if (found.rows > rowsToMerge) {
      merging ??= merge(db)
        // The next look tries again.
        .catch(() => undefined)
        .finally(() => {
          merging = undefined;
        });
    }
    return found.changes;
  };

  let running = Promise.resolve();
  let next: Promise<string> | undefined;
  return () => {
    next ??= running.then(() => {
      const begun = look();
      running = untilEnded(begun, patience);
      next = undefined;
      return begun;
    });
    return next;
  };
};

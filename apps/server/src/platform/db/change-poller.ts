import { sql, type Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** When `metadata_changes` has more rows than this, they are merged into one. */
const maxRows = 500;

/** After this time, the next poll no longer waits for a poll that hangs, for example on a dead connection. */
const timeoutMilliseconds = 5000;

/** Resolves when `work` has settled, or after the timeout. */
const untilSettled = (work: Promise<unknown>, milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    work.then(end, end);
  });

const merge = async (db: Kysely<Database>): Promise<void> => {
  // Skips rows that another process is merging. The sum stays the same.
  await sql`with merged as (
      delete from metadata_changes
      where id in (select id from metadata_changes for update skip locked)
      returning changes
    )
    insert into metadata_changes (changes) select sum(changes) from merged having count(*) > 0`.execute(db);
};

/**
 * Polls how often cached tables were changed, in a database that other processes change too. Every caller gets a poll
 * that starts after its call. Callers that arrive while a poll is running share the next one, so a busy server polls
 * once for many.
 * @returns a text that differs after every change
 */
export const createChangePoller = (
  db: Kysely<Database>,
  timeout = timeoutMilliseconds,
): (() => Promise<string>) => {
  const statement = sql<{ changes: string; rows: number }>`
    select coalesce(sum(changes), 0)::text as changes, count(*)::integer as rows from metadata_changes`.compile(
    db,
  );
  let merging: Promise<void> | undefined;
  const readChanges = async (): Promise<string> => {
    const { rows } = await db.executeQuery(statement);
    const [found] = rows;
    if (found === undefined) throw new Error('The metadata database returned no count of its changes.');
    if (found.rows > maxRows) {
      merging ??= merge(db)
        // The next poll tries again.
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
      const poll = readChanges();
      running = untilSettled(poll, timeout);
      next = undefined;
      return poll;
    });
    return next;
  };
};

import { createPostgresDatabase, metadataEngine, acquireTestDatabase } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql, type KyselyPlugin } from 'kysely';
import { createChangePoller } from './change-poller.ts';
import { openDatabase, cacheVersionOf, type Db } from './database.ts';
import { createAccessCache } from './access-cache.ts';

/** Tables that are not cached. Changes of all other tables must be recorded. */
const unwatched = [
  'account_links',
  'account_pictures',
  'application_codes',
  'application_refresh_tokens',
  'audit_chains',
  'audit_configs',
  'audit_outbox',
  'billing_accounts',
  'billing_events',
  'dataset_indexes',
  'dataset_labels',
  'dataset_paths',
  'document_parts',
  'email_changes',
  'exports',
  'ingest_blocks',
  'ingest_files',
  'ingest_groups',
  'ingest_read_rows',
  'ingest_rejects',
  'ingest_replacements',
  'inner_documents',
  'invitations',
  'job_turns',
  'jobs',
  'kysely_migration',
  'kysely_migration_lock',
  'labelled_columns',
  'mail_outbox',
  'metadata_changes',
  'object_drops',
  'pending_drops',
  'query_runs',
  'running_queries',
  'saved_queries',
  'schedule_runs',
  'schedules',
  'segments',
  'sign_in_codes',
  'sign_in_failures',
  'transfer_requests',
  'uploads',
  'usage_days',
];

test('every table but the uncached ones has the trigger that records changes', async () => {
  const { db, giveBack } = await acquireTestDatabase();
  try {
    const { rows } = await sql<{ table: string; noted: boolean }>`
      select c.relname as table, exists (
        select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'note_metadata_change' and t.tgtype = 60
      ) as noted
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind = 'r'`.execute(db);
    const silent = rows.filter(({ noted }) => !noted).map(({ table }) => table);
    assert.deepEqual(silent.toSorted(), unwatched);
  } finally {
    await giveBack();
  }
});

const retire = (db: Db, slug: string) => db.insertInto('retired_slugs').values({ slug }).execute();
const slugsIn = async (db: Db): Promise<string[]> => {
  const rows = await db.selectFrom('retired_slugs').select('slug').orderBy('slug').execute();
  return rows.map(({ slug }) => slug);
};
const changeRows = async (db: Db) => (await db.selectFrom('metadata_changes').select('id').execute()).length;

const onlyHere =
  metadataEngine() === 'pglite' ? 'no other process can open the embedded database' : undefined;

describe('a change by another process on the same server', { skip: onlyHere }, () => {
  let here: Db;
  let there: Db;
  before(async () => {
    const url = await createPostgresDatabase();
    here = await openDatabase({ url });
    there = await openDatabase({ url });
  });
  after(async () => {
    await here.destroy();
    await there.destroy();
  });

  const versionHere = async () => cacheVersionOf(here)?.(true);

  test('is seen by the next reader after its transaction has ended, and not before', async () => {
    const cached = createAccessCache(here, 10);
    const known = () => cached('slugs', () => slugsIn(here));
    assert.deepEqual(await known(), []);
    await there.transaction().execute(async (trx) => {
      await retire(trx, 'a');
      // Recorded later but committed earlier: the first change must still be seen.
      await retire(here, 'b');
      assert.deepEqual(await known(), ['b']);
    });
    assert.deepEqual(await known(), ['a', 'b']);
    await there.deleteFrom('retired_slugs').where('slug', '=', 'a').execute();
    assert.deepEqual(await known(), ['b']);
  });

  test('to an uncached table keeps the cache', async () => {
    const known = await versionHere();
    await there
      .insertInto('mail_outbox')
      .values({ id: 'x', kind: 'y', about: '{}', attempts: 0, due_at: new Date(0), created_at: new Date(0) })
      .execute();
    assert.equal(await versionHere(), known);
  });

  test('after the server was reset to an earlier state is not mistaken for a lost change', async () => {
    await retire(there, 'lost');
    const known = await versionHere();
    await there.deleteFrom('retired_slugs').where('slug', '=', 'lost').execute();
    await sql`delete from metadata_changes where id in (select id from metadata_changes order by id desc limit 2)`.execute(
      there,
    );
    await retire(there, 'another');
    assert.notEqual(await versionHere(), known);
  });

  test('a connection that breaks fails only the statements on it', async () => {
    const left = here.transaction().execute(async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      await sql`select pg_terminate_backend(${rows[0]?.pid}, 10000)`.execute(there);
      await retire(trx, 'never');
    });
    await assert.rejects(left);
    const asleep = sql`select pg_sleep(60) as "asleep"`.execute(here);
    const end = async (): Promise<boolean> => {
      const found = await sql<{ ended: boolean }>`select pg_terminate_backend(pid, 10000) as ended
        from pg_stat_activity where datname = current_database() and query like '%"asleep"' and state = 'active'`.execute(
        there,
      );
      return found.rows.length > 0;
    };
    const failed = assert.rejects(asleep);
    while (!(await end()));
    await failed;
    assert.deepEqual(await slugsIn(here), await slugsIn(there));
    assert.equal(await versionHere(), await cacheVersionOf(there)?.(true));
  });

  test('is still counted after the rows of many changes were merged', async () => {
    for (let count = 0; count < 600; count += 1) await retire(there, `many-${count}`);
    const known = await versionHere();
    while ((await changeRows(here)) > 1) await versionHere();
    assert.equal(await versionHere(), known);
    await retire(there, 'one-more');
    assert.notEqual(await versionHere(), known);
  });

  test('is polled once for all readers that arrive while a poll is running', async () => {
    let polls = 0;
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: ({ result }) => {
        polls += 1;
        return Promise.resolve(result);
      },
    };
    const changes = createChangePoller(here.withPlugin(counting));
    const first = changes();
    await first;
    const all = Array.from({ length: 200 }, () => changes());
    assert.deepEqual(new Set(await Promise.all(all)), new Set([await first]));
    assert.equal(polls, 2);
    const during = changes();
    await Promise.resolve();
    await Promise.resolve();
    const later = changes();
    await Promise.all([during, later]);
    assert.equal(polls, 4, 'readers do not use a poll that started before them');
  });

  test('is polled again for later readers, even while a poll hangs', async () => {
    const hangs = Promise.withResolvers<void>();
    let polls = 0;
    const hangingOnce: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: ({ result }) => {
        polls += 1;
        if (polls > 1) return Promise.resolve(result);
        hangs.resolve();
        return new Promise(() => undefined);
      },
    };
    const changes = createChangePoller(here.withPlugin(hangingOnce), 10);
    void changes();
    await hangs.promise;
    assert.equal(await changes(), await versionHere());
  });
});

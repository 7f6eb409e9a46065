/* Shows: A-migrations-lock */
import { acquireTestDatabase } from '@redoubt/server/testing';
import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { migrateToLatest } from './migrate.ts';
import { migrations } from './migrations/index.ts';

test('servers that start at the same time on an empty database apply each migration once', async () => {
  const { db } = await acquireTestDatabase();
  try {
    await sql`drop schema public cascade`.execute(db);
    await sql`create schema public`.execute(db);
    await Promise.all([1, 2, 3].map(() => migrateToLatest(db)));
    await migrateToLatest(db);
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
    deepEqual(
      rows.map(({ name }) => name),
      Object.keys(migrations).toSorted(),
    );
    deepEqual(await db.selectFrom('workspaces').selectAll().execute(), []);
  } finally {
    // Not returned to the pool, since this test replaced its schema.
    await db.destroy();
  }
});

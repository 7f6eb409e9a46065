/* Shows: D-slug, D-uniqueId */
import { acquireTestDatabase, createTestRuntime } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorkspaceRepository } from './workspace.repository.ts';

test('deleting a workspace leaves only its retired slug and the record tables to drop', async () => {
  const { db, giveBack } = await acquireTestDatabase();
  try {
    const now = createTestRuntime().clock.now();
    const workspaces = createWorkspaceRepository(db);
    await db
      .insertInto('accounts')
      .values({
        id: 'ann',
        email: 'ann@example.org',
        first_name: 'Ann',
        last_name: 'Example',
        password_hash: null,
        verified: true,
        created_at: now,
        updated_at: now,
      })
      .execute();
    for (const slug of ['gone', 'kept']) {
      await workspaces.create({ uniqueId: `uid-${slug}`, slug, name: slug, createdBy: 'ann', now });
      for (const number of [1, 2]) {
        await db
          .insertInto('datasets')
          .values({
            id: `${slug}-${number}`,
            workspace_uid: `uid-${slug}`,
            name: 'Data',
            description: '',
            auto_create_indexes: true,
            search_any_field: true,
            created_by: 'ann',
            created_at: now,
            updated_at: now,
          })
          .execute();
      }
      const common = { workspace_uid: `uid-${slug}`, created_at: now };
      await db
        .insertInto('groups')
        .values({ ...common, id: `g-${slug}`, name: 'Group', created_by: 'ann' })
        .execute();
      await db
        .insertInto('group_memberships')
        .values({
          ...common,
          id: `gm-${slug}`,
          group_id: `g-${slug}`,
          account_id: 'ann',
          child_group_id: null,
          role: 'member',
        })
        .execute();
      await db
        .insertInto('attributes')
        .values({ ...common, id: `a-${slug}`, name: 'A', token: 'A', description: '' })
        .execute();
      await db
        .insertInto('attribute_assignments')
        .values({ ...common, id: `aa-${slug}`, attribute_id: `a-${slug}`, account_id: 'ann' })
        .execute();
    }

    await db.transaction().execute((trx) => createWorkspaceRepository(trx).remove('uid-gone', 'gone'));

    const drops = await db.selectFrom('pending_drops').select('dataset_id').orderBy('dataset_id').execute();
    assert.deepEqual(drops, [{ dataset_id: 'gone-1' }, { dataset_id: 'gone-2' }]);
    assert.deepEqual(await db.selectFrom('retired_slugs').selectAll().execute(), [{ slug: 'gone' }]);
    for (const table of [
      'memberships',
      'datasets',
      'groups',
      'group_memberships',
      'attributes',
      'attribute_assignments',
    ] as const) {
      const rows = await db.selectFrom(table).select('workspace_uid').execute();
      assert.deepEqual([...new Set(rows.map((row) => row.workspace_uid))], ['uid-kept'], table);
    }
    const again = { uniqueId: 'uid-again', slug: 'gone', name: 'Gone', createdBy: 'ann', now };
    const create = db.transaction().execute(async (trx) => {
      const created = await createWorkspaceRepository(trx).create(again);
      assert.equal(created, false, 'a retired slug is not given again');
      throw new Error('rolled back');
    });
    await assert.rejects(create, /rolled back/);
  } finally {
    await giveBack();
  }
});

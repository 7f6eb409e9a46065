import { acquireTestDatabase, createTestRuntime, type TestDatabase } from '@redoubt/server/testing';
import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createReplaceVisible, type ReplaceVisibleDeps } from './replace-visible.ts';
import { createReplacementRepository, type ReplacementRepository } from './replacement.repository.ts';

describe('the slots of replacements', () => {
  let database: TestDatabase;
  let replacements: ReplacementRepository;
  const job = { id: 'job', datasetId: 'data' };
  const attempt = (run: number) => ({ ...job, changeId: `job-${run}` });

  before(async () => {
    database = await acquireTestDatabase();
    const { db } = database;
    const now = createTestRuntime().clock.now();
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
    await db
      .insertInto('workspaces')
      .values({
        unique_id: 'uid',
        slug: 'desk',
        name: 'Desk',
        created_by: 'ann',
        create_attributes_on_write: true,
        created_at: now,
        updated_at: now,
      })
      .execute();
    await db
      .insertInto('datasets')
      .values({
        id: job.datasetId,
        workspace_uid: 'uid',
        name: 'Data',
        description: '',
        auto_create_indexes: true,
        search_any_field: true,
        created_by: 'ann',
        created_at: now,
        updated_at: now,
      })
      .execute();
    await db
      .insertInto('jobs')
      .values({
        id: job.id,
        workspace_uid: 'uid',
        dataset_id: job.datasetId,
        account_id: 'ann',
        credential: null,
        type: 'ingest',
        config: '{}',
        status: 'running',
        total_stages: 1,
        created_at: now,
      })
      .execute();
    replacements = createReplacementRepository(db);
  });
  after(() => database.giveBack());

  test('the end of an attempt leaves the rows of a retry, which another process has begun', async () => {
    const removed: number[] = [];
    let meanwhile: (() => Promise<void>) | undefined;
    const { ended } = createReplaceVisible({
      store: {
        settleBlocks: async () => meanwhile?.(),
        removeStaged: async ({ slot }: { slot: number }) => void removed.push(slot),
      },
      replacements,
    } as unknown as ReplaceVisibleDeps);
    const first = await replacements.begin(attempt(0));
    let retry = first;
    meanwhile = async () => {
      retry = await replacements.begin(attempt(1));
    };
    await ended(attempt(0));
    notEqual(retry.slot, first.slot, 'the slot that may still be emptied is not used');
    deepEqual(removed, []);
    equal((await replacements.of(job.id))?.slot, retry.slot);

    meanwhile = undefined;
    await ended(attempt(1));
    deepEqual(removed, [retry.slot]);
    equal((await replacements.of(job.id))?.slot, null);
  });
});

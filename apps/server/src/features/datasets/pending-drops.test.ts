/* Shows: A-several-processes */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { acquireTestDatabase, type TestDatabase } from '@redoubt/server/testing';
import { ownSessionCredential, type Member } from '../../platform/auth/actor.ts';
import { createDatasetAccessRepository } from './dataset-access.repository.ts';
import { createDatasetAccess } from './dataset-access.ts';
import { createDatasetService } from './dataset.service.ts';
import { createDatasetRepository } from './dataset.repository.ts';
import { createPendingDropRepository } from './pending-drops.repository.ts';
import { createPendingDrops, type PendingDrops } from './pending-drops.ts';

const now = new Date('2026-01-01T00:00:00Z');

const row = (id: string) => ({
  id,
  workspace_uid: 'w',
  name: id,
  description: '',
  auto_create_indexes: true,
  search_any_field: true,
  created_by: 'somebody',
  created_at: now,
  updated_at: now,
});

describe('record tables of deleted datasets', () => {
  let database: TestDatabase;
  let drops: PendingDrops;
  let dropped: string[] = [];
  let broken = new Set<string>();
  const logged: object[] = [];

  const pending = async (): Promise<string[]> => {
    const rows = await database.db
      .selectFrom('pending_drops')
      .select('dataset_id')
      .orderBy('dataset_id')
      .execute();
    return rows.map(({ dataset_id: id }) => id);
  };

  before(async () => {
    database = await acquireTestDatabase();
    await database.db
      .insertInto('workspaces')
      .values({
        unique_id: 'w',
        slug: 'w',
        name: 'w',
        created_by: 'somebody',
        create_attributes_on_write: true,
        created_at: now,
        updated_at: now,
      })
      .execute();
    drops = createPendingDrops({
      repository: createPendingDropRepository(database.db),
      store: {
        dropDataset: (id) => {
          if (broken.has(id)) return Promise.reject(new Error('the engine is away'));
          dropped.push(id);
          return Promise.resolve();
        },
      },
      logger: { error: (entry: object) => void logged.push(entry) },
    });
  });
  after(() => database.giveBack());

  test('a failed drop is retried later, and does not delay others', async () => {
    const datasets = createDatasetRepository(database.db);
    for (const id of ['d1', 'd2']) {
      await drops.announce(id);
      await datasets.create(row(id));
    }
    assert.deepEqual(await pending(), []);
    broken = new Set(['d1']);
    for (const id of ['d1', 'd2']) await datasets.remove('w', id);
    await drops.drainPendingDrops();
    assert.deepEqual(dropped, ['d2']);
    assert.deepEqual(await pending(), ['d1']);
    assert.equal(logged.length, 1);
    broken = new Set();
    await drops.drainPendingDrops();
    assert.deepEqual(dropped, ['d2', 'd1']);
    assert.deepEqual(await pending(), []);
  });

  test('a dataset in creation keeps its table until the server restarts', async () => {
    dropped = [];
    await drops.announce('half-made');
    await drops.drainPendingDrops();
    assert.deepEqual(dropped, []);
    await drops.recoverPendingDrops();
    assert.deepEqual(dropped, ['half-made']);
    assert.deepEqual(await pending(), []);
  });

  test('a dataset that was discarded during its creation is not stored without its table', async () => {
    const datasets = createDatasetRepository(database.db);
    await drops.announce('given-up');
    await drops.recoverPendingDrops();
    assert.equal(await datasets.create(row('given-up')), false);
    const found = await database.db.selectFrom('datasets').where('id', '=', 'given-up').selectAll().execute();
    assert.deepEqual(found, []);
  });

  test('the table of a dataset that another process discarded is dropped, even if it was created after that drop', async () => {
    dropped = [];
    await drops.announce('late-table');
    await drops.recoverPendingDrops();
    await drops.discard('late-table');
    assert.deepEqual(dropped, ['late-table', 'late-table']);
    assert.deepEqual(await pending(), []);
  });

  test('a dataset is created even while another process starts', async () => {
    let starts = 1;
    const made: string[] = [];
    const actor: Member = {
      accountId: 'somebody',
      email: 'somebody@example.org',
      sessionId: 's',
      workspace: { uniqueId: 'w', slug: 'w', role: 'admin', codes: new Set() },
      ...ownSessionCredential,
    };
    const datasets = createDatasetRepository(database.db);
    const service = createDatasetService({
      datasets,
      audited: (_author, _event, change) => change(datasets),
      access: createDatasetAccess(createDatasetAccessRepository(database.db)),
      records: { countVisible: () => Promise.resolve(0), schema: () => Promise.resolve({}) },
      store: {
        createDataset: async (id) => {
          made.push(id);
          if (starts-- > 0) await drops.recoverPendingDrops();
        },
      },
      pendingDrops: drops,
      heldTokens: () => Promise.resolve([]),
      afterRemoval: () => Promise.resolve(),
      ids: { uuid: () => `attempt-${made.length}` },
      clock: { now: () => now },
    });
    dropped = [];
    const dataset = await service.create(actor, { name: 'x', workspaceId: 'w' });
    assert.equal(dataset.id, 'attempt-1');
    assert.deepEqual(made, ['attempt-0', 'attempt-1']);
    assert.deepEqual(new Set(dropped), new Set(['attempt-0']));
    assert.deepEqual(await pending(), []);
  });

  test('a dataset that is deleted twice has one pending drop', async () => {
    const datasets = createDatasetRepository(database.db);
    await drops.announce('twice');
    await datasets.create(row('twice'));
    await Promise.all([datasets.remove('w', 'twice'), datasets.remove('w', 'twice')]);
    assert.deepEqual(await pending(), ['twice']);
    await drops.drainPendingDrops();
  });
});

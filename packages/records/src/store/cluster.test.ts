/* Shows: A-clickhouse-cluster */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startTestClickhouse } from '../../testing/index.ts';
import type { TestClickhouse } from '@redoubt/testkit';
import { openClickhouseEngine } from '../engine/clickhouse-engine.ts';
import type { Engine } from '../engine/engine.ts';
import { engineUnavailable, EngineOpenError } from '../engine/engine-errors.ts';
import { createTableLayout } from './table-layout.ts';
import { ensureLayout } from './ensure-layout.ts';
import { engineFolder, openClusterTestStore, openTestStore } from '../../testing/test-store.ts';

const labelInfo = {
  fields: ['label'],
  parserClassName: 'identity-parser',
  labelHandlingPolicy: 'ignore',
} as const;

const withLabel = (label: string, from: number, count: number): unknown[] =>
  Array.from({ length: count }, (_, n) => ({ label, n: from + n, text: `word${n} of ${label}` }));

const isRefused = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof EngineOpenError);
  assert.match(error.message, message);
  return true;
};

for (const place of ['the embedded engine', 'a ClickHouse server that knows the cluster'] as const)
  describe(`the tables of a cluster on ${place}`, () => {
    let t: Awaited<ReturnType<typeof openClusterTestStore>>;
    let server: TestClickhouse | undefined;
    /**
     * Opens the server without its cluster. Returns undefined for the embedded engine, which needs no second engine.
     */
    const openAlone = async (): Promise<Engine | undefined> =>
      server === undefined ? undefined : openClickhouseEngine({ ...server, random: { bytes: randomBytes } });
    before(async () => {
      if (place === 'the embedded engine') {
        t = await openClusterTestStore();
        return;
      }
      server = await startTestClickhouse({ cluster: 'x' });
      const database = 'test_cluster';
      const options = { ...server, database, cluster: 'x', random: { bytes: randomBytes } };
      t = await openClusterTestStore(await openClickhouseEngine(options));
    });
    after(async () => {
      await t.close();
      await server?.stop();
    });

    /** The names of all tables except those of the audit log, which exist from the start. */
    const tables = async (): Promise<string[]> =>
      (
        await t.engine.text(`SELECT name FROM system.tables WHERE database = '${t.database}'`, {
          lane: 'short',
        })
      )
        .split('\n')
        .filter((name) => name !== '' && !name.startsWith('audit_'));

    test('on the tables of a cluster records are written, found, counted, replaced, copied and dropped', async () => {
      const id = await t.dataset();
      await t.write(id, withLabel('A', 0, 50), { labelInfo });
      await t.write(id, withLabel('B', 50, 30), { labelInfo });
      const count = async (...held: string[]): Promise<number> =>
        t.store.countVisible(id, await t.visible(id, ...held));
      assert.deepEqual([await count('A'), await count('A', 'B'), await count()], [50, 80, 0]);
      assert.equal((await t.search(id, 'text:word7', 'A', 'B')).total, 2);
      assert.equal((await t.search(id, 'n:[40 TO 59]', 'A')).total, 10);
      const moved = (await t.records(id, 'A')).slice(0, 5).map((record) => ({ ...record, label: 'B' }));
      await t.write(id, [...moved, { label: 'B', n: -1 }], { labelInfo, as: ['A'], mayRelabel: true });
      assert.deepEqual([await count('A'), await count('B')], [45, 36]);
      assert.equal((await t.records(id, 'B')).length, 36);
      assert.deepEqual(Object.keys(await t.store.schema(id, await t.visible(id, 'A'), {})), [
        'label',
        'n',
        'text',
      ]);

      const file = join(engineFolder(), '..', `${t.database}.native`);
      const pieces: Uint8Array[] = [];
      for await (const piece of t.store.dump(id)) pieces.push(piece);
      writeFileSync(file, Buffer.concat(pieces));
      const copy = await t.dataset();
      await t.store.load(copy, file);
      assert.equal(
        await t.engine.text(
          `SELECT count() FROM ${t.database}.ds_${copy.replaceAll('-', '_')}__local WHERE label_id IN (0, 1, 2)`,
          { lane: 'short' },
        ),
        '81\n',
      );
      for (const each of [id, copy]) await t.store.dropDataset(each);
      assert.deepEqual(await tables(), []);
    });

    test('a replacement on a cluster is not acknowledged before each copy has it, and the next one ends it', async () => {
      const id = await t.dataset();
      await t.write(id, withLabel('A', 0, 3), { labelInfo });
      const [first, second] = await t.records(id, 'A');
      t.cluster.before = (sql) => {
        if (sql.startsWith('SYSTEM SYNC REPLICA ON CLUSTER x')) throw engineUnavailable();
      };
      const change = async (record: unknown, text: string): Promise<void> =>
        t.write(id, [{ ...(record as object), label: 'B', text }], {
          labelInfo,
          as: ['A', 'B'],
          mayRelabel: true,
        });
      await assert.rejects(change(first, 'first'), { name: 'AccumuloError', code: 503 });
      assert.equal((await tables()).filter((name) => name.endsWith('__staged')).length, 1);
      t.cluster.before = () => undefined;
      await change(second, 'second');
      assert.equal((await tables()).filter((name) => name.endsWith('__staged')).length, 0);
      const texts = (await t.records(id, 'B')).map(({ text }) => String(text));
      assert.deepEqual(texts.toSorted(), ['first', 'second']);
      assert.equal(await t.store.countVisible(id, await t.visible(id, 'A')), 1);
      await t.store.dropDataset(id);
    });

    test('a start on a cluster waits for data of the other servers, and ends interrupted writes of theirs', async () => {
      const id = await t.dataset();
      await t.write(id, withLabel('A', 0, 1), { labelInfo });
      const [record] = await t.records(id, 'A');
      t.cluster.before = (sql) => {
        if (sql.includes('UPDATE')) throw engineUnavailable();
      };
      await assert.rejects(t.write(id, [{ ...record, text: 'changed' }], { labelInfo, as: ['A'] }));
      t.cluster.before = () => undefined;
      t.cluster.sent.length = 0;
      const again = await t.reopen();
      const caughtUp = t.cluster.sent.filter((sql) => sql.startsWith('SYSTEM SYNC REPLICA `'));
      const table = `ds_${id.replaceAll('-', '_')}`;
      assert.deepEqual(caughtUp.toSorted(), [
        ...['events', 'paths', 'removed'].map(
          (part) => `SYSTEM SYNC REPLICA \`${t.database}\`.\`audit_${part}__local\``,
        ),
        `SYSTEM SYNC REPLICA \`${t.database}\`.\`${table}__local\``,
        `SYSTEM SYNC REPLICA \`${t.database}\`.\`${table}__staged\``,
      ]);
      assert.deepEqual((await again.records(id, 'A'))[0]?.['text'], 'changed');
      await t.store.dropDataset(id);
    });

    test('the start fails on a cluster that cannot hold the tables, and says what to do', async () => {
      const { clusters, macros } = t.cluster;
      const shards = "SELECT 'x' AS cluster, arrayJoin([1, 2, 3]) AS shard_num, 1 AS is_local";
      try {
        for (const [rows, message] of [
          ["SELECT 'y' AS cluster, 1 AS shard_num, 1 AS is_local", /knows no cluster "x"/],
          [shards, /"x" has 3 shards, .*name a cluster of one shard/],
          ["SELECT 'x' AS cluster, 1 AS shard_num, 0 AS is_local", /is none of "x"/],
        ] as const) {
          t.cluster.clusters = rows;
          await assert.rejects(t.reopen(), isRefused(message));
        }
        t.cluster.clusters = clusters;
        t.cluster.macros = "SELECT 'shard' AS macro";
        await assert.rejects(t.reopen(), isRefused(/lacks the macro "shard" or "replica"/));
      } finally {
        Object.assign(t.cluster, { clusters, macros });
      }
    });

    test('tables of a single server are not used as those of a cluster', async () => {
      const single = await openTestStore({}, await openAlone());
      try {
        await single.dataset();
        const requiring = ensureLayout(
          t.cluster.engine,
          single.database,
          createTableLayout(single.database, 'x'),
        );
        await assert.rejects(requiring, isRefused(/was made without CLICKHOUSE_CLUSTER/));
      } finally {
        await single.close();
      }
    });
  });

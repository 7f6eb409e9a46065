/* Shows: A-clickhouse-cluster */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { openChdbEngine } from '../engine/chdb-engine.ts';
import type { Engine } from '../engine/engine.ts';
import { createTable } from '../store/record-table.ts';
import { engineFolder } from '../../testing/test-store.ts';
import { clusterGoldenFile, clusterGoldenText, clusterStatements } from './cluster-statements.ts';

let engine: Engine;
before(async () => {
  engine = await openChdbEngine({ path: engineFolder() });
});
after(async () => engine.close());

const withoutPlace = (sql: string): string =>
  sql
    .replace(/`redoubt`\.`\w+`( ON CLUSTER \w+)?/, '')
    .replace(/ReplicatedMergeTree\([^)]*\)/, 'MergeTree')
    .replace(', replicated_deduplication_window = 0', '');

const statements = Object.entries(clusterStatements);

for (const [name, statement] of statements) {
  test(`the statement "${name}" of a cluster is what was reviewed, and the engine's parser reads it`, async () => {
    assert.equal(clusterGoldenText(statement), readFileSync(clusterGoldenFile(name), 'utf8'));
    assert.match(await engine.text(`EXPLAIN AST ${statement}`, { lane: 'short' }), /\S/);
  });
}

test('every golden file of a cluster belongs to a statement', () => {
  const files = readdirSync(new URL('./cluster/', import.meta.url));
  assert.deepEqual(files.toSorted(), statements.map(([name]) => `${name}.golden.sql`).toSorted());
});

test('the records of a cluster have the columns, the index and the settings that they have on one server', () => {
  assert.equal(
    withoutPlace(clusterStatements['create-records'] ?? ''),
    withoutPlace(createTable('redoubt', 'ds_1')),
  );
});

test('each statement that makes, changes or ends a table of a cluster says so to all of its servers', () => {
  for (const [name, statement] of statements) {
    assert.equal(/ ON CLUSTER shared_nothing\b/.test(statement), name !== 'catch-up', name);
  }
});

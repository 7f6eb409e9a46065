import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { compileSearch, parseLucene } from '@redoubt/query';
import { matchesLucene } from '@redoubt/query/testing';
import type { Engine } from '../engine/engine.ts';
import { openTestStore, type TestStore } from '../../testing/test-store.ts';
import { tableName } from './record-table.ts';
import { createTableLayout } from './table-layout.ts';
import { createWordsByPathIndexes } from './words-by-path.ts';

let t: TestStore;
before(async () => {
  t = await openTestStore();
});
after(async () => t.close());

const columnLabels = { secret: 'X', 'nested.inner': 'X', 'list.secret': 'X' };

/** Some words occur only in hidden columns. Some numbers also occur as words of texts, and equal the ids of paths. */
const recordOf = (n: number): Record<string, unknown> => ({
  word: `w${String(n % 5)} common`,
  secret: n % 3 === 0 ? `w${String((n + 1) % 5)} hush` : n % 7,
  number: n % 11 === 0 ? n + 0.5 : n,
  nested: { inner: `deep w${String(n % 4)}`, outer: [n % 2 === 0, null, `o${String(n % 3)} tail`] },
  list: [{ secret: 'only', open: `l${String(n % 3)}` }, { open: n }],
  ...(n % 6 === 0 ? { mixed: 'Straße 5e3 東京都' } : { mixed: n % 6 }),
});

const expressions = [
  'w1',
  'hush',
  'only',
  'deep',
  'nowhere',
  '5',
  '"w1 common"',
  '"common w1"',
  '"tail l1"',
  'w* AND NOT w2',
  'comm* 3',
  'NOT hush',
  'true',
  '5e3',
  '東京',
  'straße',
  '/w[12]/',
  'word:w1',
  'word:"w1 common"',
  'word:comm*',
  'secret:hush',
  'nested.outer:tail',
  'nested.outer:o1 AND list.open:l1',
  'nested.inner:deep',
  'list.open:7',
  'mixed:5e3 OR mixed:5',
  'number:5 OR number:5.5',
];

/** Asserts that searches of a reader match exactly the visible texts of records. */
async function check(id: string, place: string, ...attributes: string[]): Promise<void> {
  const texts = await t.texts(id, ...attributes);
  for (const expression of expressions) {
    const tree = parseLucene(expression);
    const expected = texts.filter((text) => matchesLucene(tree, text));
    const found = await t.search(id, expression, ...attributes);
    assert.deepEqual(found.texts, expected, `${expression} ${place}`);
    assert.equal(found.total, expected.length, `${expression} ${place}`);
  }
}

const indexes = () =>
  createWordsByPathIndexes({
    engine: t.engine,
    database: t.database,
    layout: createTableLayout(t.database, undefined),
  });

async function untilFilled(id: string): Promise<void> {
  while (!(await indexes().isFilled(id))) await delay(20);
}

const from = (first: number, count: number): Record<string, unknown>[] =>
  Array.from({ length: count }, (_, index) => recordOf(first + index));

const labelled = async (): Promise<string> => {
  const id = await t.dataset();
  t.labelColumns(id, columnLabels);
  return id;
};

describe('the index of words by path', () => {
  test('readers with hidden columns find the same with and without the word index by path, after any changes', async () => {
    const id = await labelled();
    await t.write(id, from(0, 60));
    await check(id, 'without the index');
    await t.store.indexWordsByPath(id);
    await untilFilled(id);
    await check(id, 'with the index filled');
    await t.write(id, from(60, 60));
    await check(id, 'after a write');
    const replaced = (await t.records(id)).filter((_, index) => index % 3 === 0);
    await t.write(
      id,
      replaced.map(({ _koverse_record_id }, index) => ({ ...recordOf(index + 40), _koverse_record_id })),
      { as: [] },
    );
    await check(id, 'after records were replaced');
    const change = (expression: string) => ({
      datasetId: id,
      changeId: randomUUID(),
      which: { tree: parseLucene(expression) },
      visible: async () => t.visible(id),
    });
    await t.store.relabelRecords({ ...change('w2'), label: 'Y' });
    await check(id, 'after records were relabelled');
    await check(id, 'for who sees the relabelled ones', 'Y');
    await t.store.deleteRecords(change('w3 OR 7'));
    await check(id, 'after records were deleted');
    await t.engine.command(`OPTIMIZE TABLE ${t.database}.${tableName(id)} FINAL`, { lane: 'long' });
    await check(id, 'after all was merged');
    await t.store.clearDataset({
      datasetId: id,
      changeId: randomUUID(),
      mayStill: async () => Promise.resolve(),
    });
    await t.write(id, from(0, 30));
    await check(id, 'after a clear');
    assert.equal(await indexes().isFilled(id), true);
  });

  test('an index of words by path that is not filled is not used', async () => {
    const id = await labelled();
    const table = `${t.database}.${tableName(id)}`;
    await t.write(id, from(0, 40));
    await t.engine.command(`OPTIMIZE TABLE ${table} FINAL`, { lane: 'long' });
    assert.equal(await indexes().isFilled(id), false);
    await t.engine.command(`SYSTEM STOP MERGES ${table}`, { lane: 'short' });
    await t.store.indexWordsByPath(id);
    assert.equal(await indexes().isFilled(id), false);
    await check(id, 'while the index is being filled');
    await t.engine.command(`SYSTEM START MERGES ${table}`, { lane: 'short' });
    // A second request waits for the running fill instead of starting another one.
    await indexes().indexWordsByPath(id);
    await untilFilled(id);
    await check(id, 'with the index filled later');
  });

  test('an index of words by path is dropped though another process begins to fill it, and made again where one remembers it', async () => {
    const id = await t.dataset();
    const table = `${t.database}.${tableName(id)}`;
    await t.write(id, from(0, 10));
    const none = { fields: [], automatic: false, except: [], hidesColumns: false };
    const hides = { ...none, hidesColumns: true };
    const has = async (): Promise<boolean> =>
      (
        await t.engine.text(
          `SELECT count() FROM system.data_skipping_indices WHERE database = '${t.database}' AND table = '${tableName(id)}' AND name = 'words_by_path'`,
          { lane: 'short' },
        )
      ).trim() === '1';
    let filledBefore = 0;
    const meeting: Engine = {
      ...t.engine,
      command: async (sql, options) => {
        if (!sql.includes('DROP INDEX') || filledBefore === 2) return t.engine.command(sql, options);
        filledBefore++;
        // Another fill is running when the index is to be dropped.
        await t.engine.command(`SYSTEM STOP MERGES ${table}`, { lane: 'short' });
        try {
          await t.engine.command(`ALTER TABLE ${table} MATERIALIZE INDEX words_by_path`, {
            lane: 'short',
            settings: { mutations_sync: 0 },
          });
          await t.engine.command(sql, options);
        } finally {
          await t.engine.command(`SYSTEM START MERGES ${table}`, { lane: 'short' });
        }
      },
    };
    const another = await t.reopen(meeting);
    await t.store.arrangeIndexes(id, hides);
    await another.store.arrangeIndexes(id, none);
    assert.equal(filledBefore, 2);
    assert.equal(await has(), false);
    await t.store.arrangeIndexes(id, hides);
    assert.equal(await has(), true);
    await another.store.close();
  });

  test('a search for a word that only hidden columns contain reads no more than one for an absent word', async () => {
    const id = await labelled();
    await t.store.indexWordsByPath(id);
    await t.write(id, from(0, 50));
    await t.engine.command(`OPTIMIZE TABLE ${t.database}.${tableName(id)} FINAL`, { lane: 'long' });
    const visible = await t.visible(id);
    const paths = new Map(
      (await t.catalog.paths(id, 0)).map(({ path, id: pathId, kinds }) => [path, { pathId, kinds }]),
    );
    const planOf = async (expression: string): Promise<string> => {
      const { count } = compileSearch({
        table: { database: t.database, datasetId: tableName(id) },
        tree: parseLucene(expression),
        paths,
        visible,
        byPath: true,
        limit: 10,
        offset: 0,
        columns: 'plain',
      });
      const plan = await t.engine.text(`EXPLAIN indexes = 1 ${count}`, { lane: 'short' });
      return plan.replaceAll(expression, 'word').replaceAll(/_[0-9a-f]{32}\b/g, '_condition');
    };
    const nowhere = await planOf('nowhere');
    assert.match(nowhere, /words_by_path/);
    assert.match(nowhere, /Granules: 0\//);
    for (const word of ['hush', 'only', 'deep']) assert.equal(await planOf(word), nowhere, word);
    assert.doesNotMatch(await planOf('common'), /Granules: 0\//);
  });
});

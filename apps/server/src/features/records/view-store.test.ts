/* Shows: L21 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { maxViewRecords } from '@redoubt/contract';
import { findHiddenColumns, hideColumns, noVisibleLabels, type VisibleLabels } from '@redoubt/labels';
import { createViewStore, type View } from './view-store.ts';

const hiding = (...columns: string[]): VisibleLabels =>
  hideColumns(
    noVisibleLabels,
    findHiddenColumns(new Map(columns.map((column) => [column, ['A']])), new Set()),
  );

const createStore = (t: TestContext) => {
  /** The fields of the visible records now. */
  const present = new Set<string>();
  const names: string[] = [];
  const codeOf = (path: string): number =>
    names.includes(path) ? names.indexOf(path) : names.push(path) - 1;
  const folder = mkdtempSync(join(tmpdir(), 'views-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  let made = 0;
  let now = 1_700_000_000_000;
  const open = () =>
    createViewStore({
      clock: { now: () => new Date(now) },
      random: { bytes: (size) => Buffer.alloc(size, ++made) },
      folder,
      store: {
        fieldCodes: async () => new Set([...present].map(codeOf)),
        pathsOfCodes: async (_, codes, hidden) =>
          [...codes]
            .map((code) => names[code] ?? '')
            .filter((path) => !hidden.includes(path))
            .toSorted(),
      },
    });
  const files = () =>
    (existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [])
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
  const pass = (minutes: number): void => void (now += minutes * 60_000);
  return { ...open(), files, open, pass, present, codeOf };
};

const memory = (): number => process.memoryUsage().arrayBuffers;
const firstPage = { offset: 0, limit: 10 };

const viewOf = (person: string, records: number, session = 'session'): View => ({
  person,
  owner: `${person} ${session}`,
  datasetId: 'dataset',
  query: 'query',
  visible: noVisibleLabels,
  seen: { datasetId: 'dataset', ids: noVisibleLabels.ids, hidden: [], codes: new Set() },
  state: 'state',
  ids: Buffer.alloc(16 * records),
});

test('views of other people never drop a view, however many and large they are', async (t) => {
  const store = createStore(t);
  const mine = viewOf('me', maxViewRecords);
  const id = await store.keep(mine);
  assert.ok(id !== null);
  for (let n = 0; n < 20; n++)
    assert.ok((await store.keep(viewOf(`other ${String(n)}`, maxViewRecords))) !== null);
  assert.ok((await store.find(id, mine, firstPage)) !== undefined);
});

test('the views of a person in all sessions share their limit, and the one used last stays', async (t) => {
  const store = createStore(t);
  const half = maxViewRecords / 2 - 1000;
  const views = ['a', 'b', 'c'].map((session) => viewOf('me', half, session));
  const [first, second, third] = views;
  assert.ok(first !== undefined && second !== undefined && third !== undefined);
  const a = (await store.keep(first)) ?? '';
  const b = (await store.keep(second)) ?? '';
  assert.ok((await store.find(a, first, firstPage)) !== undefined);
  const c = (await store.keep(third)) ?? '';
  assert.deepEqual(
    [
      await store.find(a, first, firstPage),
      await store.find(b, second, firstPage),
      await store.find(c, third, firstPage),
    ].map((found) => found !== undefined),
    [true, false, true],
  );
});

test('a view that is larger than the limit of a person is not kept and drops none', async (t) => {
  const store = createStore(t);
  const small = viewOf('me', 10);
  const id = (await store.keep(small)) ?? '';
  assert.equal(await store.keep(viewOf('me', maxViewRecords + 1)), null);
  assert.ok((await store.find(id, small, firstPage)) !== undefined);
});

test('a session keeps its four latest views', async (t) => {
  const store = createStore(t);
  const view = viewOf('me', 1);
  const kept: boolean[] = [];
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.push((await store.keep(view)) ?? '');
  for (const id of ids) kept.push((await store.find(id, view, firstPage)) !== undefined);
  assert.deepEqual(kept, [false, true, true, true, true]);
});

test('any page of a view has the ids that were kept', async (t) => {
  const store = createStore(t);
  const records = 9000;
  const ids = Buffer.alloc(16 * records);
  for (let n = 0; n < records; n++) ids.writeUInt32BE(n, 16 * n);
  const view = { ...viewOf('me', records), ids };
  const id = (await store.keep(view)) ?? '';
  for (const [offset, limit] of [
    [0, 10],
    [4090, 10],
    [4096, 500],
    [8190, 500],
    [8990, 500],
    [8999, 1],
    [9000, 10],
    [9_999_999, 10],
    [0, 9000],
  ] as const) {
    const found = await store.find(id, view, { offset, limit });
    assert.equal(found?.total, records);
    assert.deepEqual(found.ids, ids.subarray(16 * offset, 16 * (offset + limit)));
  }
});

test('a view of another person, session, dataset or query counts as absent', async (t) => {
  const store = createStore(t);
  const view = viewOf('me', 10);
  const id = (await store.keep(view)) ?? '';
  for (const other of [{ person: 'you' }, { owner: 'other' }, { datasetId: 'other' }, { query: 'other' }])
    assert.equal(await store.find(id, { ...view, ...other }, firstPage), undefined);
  assert.equal(await store.find('../../etc/passwd', view, firstPage), undefined);
  assert.ok((await store.find(id, view, firstPage)) !== undefined);
});

test('the files of views disclose no id, person or query, and a later process deletes them', async (t) => {
  const store = createStore(t);
  const view = { ...viewOf('a person', 100), query: 'a query', ids: Buffer.alloc(1600, 'record id') };
  const id = (await store.keep(view)) ?? '';
  const [file = '', ...others] = store.files();
  assert.deepEqual(others, []);
  const bytes = `${file} ${readFileSync(file, 'latin1')}`;
  for (const text of ['record id', 'a person', 'a query', id]) assert.ok(!bytes.includes(text), text);
  const later = store.open();
  assert.deepEqual(store.files(), []);
  assert.equal(await later.find(id, view, firstPage), undefined);
});

test('a view that was not used for five minutes is gone, and so is its file', async (t) => {
  const store = createStore(t);
  const view = viewOf('me', 10);
  const id = (await store.keep(view)) ?? '';
  store.pass(4);
  assert.ok((await store.find(id, view, firstPage)) !== undefined);
  store.pass(4);
  assert.ok((await store.find(id, view, firstPage)) !== undefined);
  store.pass(6);
  assert.equal(await store.find(id, viewOf('you', 1), firstPage), undefined);
  assert.deepEqual(store.files(), []);
  assert.equal(await store.find(id, view, firstPage), undefined);
});

test('views take no memory, however many people keep large ones', async (t) => {
  const store = createStore(t);
  const ids = Buffer.alloc(16 * 200_000);
  const before = memory();
  for (let n = 0; n < 50; n++) await store.keep({ ...viewOf(`person ${String(n)}`, 0), ids });
  // 50 views have 160 MB; one chunk at a time is sealed, and the collector may be late.
  assert.ok(memory() - before < 60e6, String(memory() - before));
  assert.equal(store.files().length, 50);
});

test('a view is dropped by a label on a column that its reader sees or saw, and by no other label', async (t) => {
  const store = createStore(t);
  const view = viewOf('me', 1);
  const seen = { ...view.seen, codes: new Set(['a', 'b', 'b.c'].map(store.codeOf)) };
  const id = (await store.keep({ ...view, seen })) ?? '';
  const isFound = async (...hidden: string[]): Promise<boolean> =>
    (await store.find(id, { ...view, visible: hiding(...hidden) }, firstPage)) !== undefined;
  for (const column of ['a', 'a.x', 'b', 'b.c', 'b.d']) assert.equal(await isFound(column), false, column);
  assert.equal(await isFound('x', 'ab', 'A'), true);
  store.present.add('x.y');
  for (const column of ['x', 'x.y', 'x.y.z']) assert.equal(await isFound(column), false, column);
  assert.equal(await isFound('x.z'), true);
  assert.equal(await isFound('ab'), true);
});

test('a column that was hidden from the reader already drops no view', async (t) => {
  const store = createStore(t);
  store.present.add('a');
  const view = viewOf('me', 1);
  const visible = hiding('a');
  const seen = { ...view.seen, hidden: visible.hidden, codes: new Set([store.codeOf('a')]) };
  const id = (await store.keep({ ...view, visible, seen })) ?? '';
  for (const columns of [['a'], ['a', 'b'], []])
    assert.ok((await store.find(id, { ...view, visible: hiding(...columns) }, firstPage)) !== undefined);
});

test('hidden columns and labels take nothing of the share of a person', async (t) => {
  const store = createStore(t);
  const view = viewOf('me', 10);
  const hidden = Array.from({ length: 5000 }, (_, n) => `${'x'.repeat(900)}${String(n).padStart(4, '0')}`);
  const seen = { ...view.seen, hidden, ids: Uint32Array.from({ length: 100_000 }, (_, n) => n) };
  const first = (await store.keep(view)) ?? '';
  // Their notes have more bytes than the share.
  for (let n = 0; n < 5; n++) await store.keep({ ...view, owner: `session ${String(n)}`, seen });
  assert.ok((await store.find(first, view, firstPage)) !== undefined);
});

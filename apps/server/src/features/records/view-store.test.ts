import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxViewRecords } from '@redoubt/contract';
import { noVisibleLabels } from '@redoubt/labels';
import { createViewStore, type View } from './view-store.ts';

const createStore = () => {
  let made = 0;
  return createViewStore({
    clock: { now: () => new Date(0) },
    random: { bytes: (size) => Buffer.alloc(size, ++made) },
  });
};

const viewOf = (person: string, records: number, session = 'session'): View => ({
  person,
  owner: `${person} ${session}`,
  datasetId: 'dataset',
  query: 'query',
  visible: noVisibleLabels,
  state: 'state',
  ids: Buffer.alloc(16 * records),
});

test('views of other people never drop a view, however many and large they are', () => {
  const store = createStore();
  const mine = viewOf('me', maxViewRecords);
  const id = store.keep(mine);
  assert.ok(id !== null);
  for (let n = 0; n < 20; n++) assert.ok(store.keep(viewOf(`other ${String(n)}`, maxViewRecords)) !== null);
  assert.ok(store.find(id, mine) !== undefined);
});

test('the views of a person in all sessions share their limit, and the one used last stays', () => {
  const store = createStore();
  const half = maxViewRecords / 2 - 1000;
  const views = ['a', 'b', 'c'].map((session) => viewOf('me', half, session));
  const [first, second, third] = views;
  assert.ok(first !== undefined && second !== undefined && third !== undefined);
  const a = store.keep(first) ?? '';
  const b = store.keep(second) ?? '';
  assert.ok(store.find(a, first) !== undefined);
  const c = store.keep(third) ?? '';
  assert.deepEqual(
    [store.find(a, first), store.find(b, second), store.find(c, third)].map((found) => found !== undefined),
    [true, false, true],
  );
});

test('a view that is larger than the limit of a person is not kept and drops none', () => {
  const store = createStore();
  const small = viewOf('me', 10);
  const id = store.keep(small) ?? '';
  assert.equal(store.keep(viewOf('me', maxViewRecords + 1)), null);
  assert.ok(store.find(id, small) !== undefined);
});

test('a session keeps its four latest views', () => {
  const store = createStore();
  const view = viewOf('me', 1);
  const ids = Array.from({ length: 5 }, () => store.keep(view) ?? '');
  assert.deepEqual(
    ids.map((id) => store.find(id, view) !== undefined),
    [false, true, true, true, true],
  );
});

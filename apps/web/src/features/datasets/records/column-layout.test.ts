import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrangeColumns, layoutOf, parseLayout, printLayout, type ArrangedField } from './column-layout.ts';

const columns = ['a', 'b', 'c', 'd'].map((name) => ({ name, type: 'text' }));
const limits = { min: 64, max: 800 };
const atFirst = arrangeColumns(columns, { columns: [] });
const pick = (name: string, change: Partial<ArrangedField> = {}): ArrangedField => {
  const found = atFirst.find((column) => column.name === name);
  assert.ok(found !== undefined);
  return { ...found, ...change };
};

test('a layout comes back as it was stored, and names only the columns that are changed', () => {
  assert.deepEqual(layoutOf(atFirst, columns), { columns: [] });
  const changed = [
    pick('d', { isPinned: true }),
    pick('b', { width: 300 }),
    pick('c'),
    pick('a', { isHidden: true }),
  ];
  const layout = layoutOf(changed, columns);
  assert.deepEqual(layout.columns, [
    { name: 'd', isPinned: true },
    { name: 'b', width: 300 },
    { name: 'a', isHidden: true, before: null },
  ]);
  assert.deepEqual(arrangeColumns(columns, parseLayout(printLayout(layout), limits)), changed);
});

test('any order comes back', () => {
  const permute = (rest: readonly ArrangedField[]): ArrangedField[][] =>
    rest.length === 0
      ? [[]]
      : rest.flatMap((one) => permute(rest.filter((other) => other !== one)).map((tail) => [one, ...tail]));
  for (const order of permute(atFirst)) {
    const layout = layoutOf(order, columns);
    assert.deepEqual(arrangeColumns(columns, layout), order);
    const withNew = arrangeColumns([...columns, { name: 'new', type: 'text' }], layout);
    assert.equal(withNew.length, 5);
  }
  const moved = layoutOf([pick('a'), pick('c'), pick('b'), pick('d')], columns);
  assert.equal(moved.columns.length, 1);
});

test('a stored layout of another version, or a damaged one, counts as none', () => {
  for (const text of [null, '', '{', '7', '{"version":1,"columns":[]}', '{"version":2,"columns":[7,{}]}']) {
    assert.deepEqual(parseLayout(text, limits), { columns: [] });
  }
  assert.deepEqual(
    parseLayout('{"version":2,"columns":[{"name":"x","width":1e9,"isPinned":"yes"}]}', limits),
    {
      columns: [{ name: 'x' }],
    },
  );
});

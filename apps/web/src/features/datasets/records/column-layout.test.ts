import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrangeColumns, layoutOf, parseLayout, printLayout } from './column-layout.ts';

const columns = ['a', 'b', 'c'].map((name) => ({ name, type: 'text' }));
const salt = 'a person and a dataset';

test('a layout comes back as it was stored, without the names of fields', () => {
  const arranged = arrangeColumns(columns, { columns: [] }, salt);
  const [a, b, c] = arranged;
  assert.ok(a !== undefined && b !== undefined && c !== undefined);
  const changed = [
    { ...c, isPinned: true },
    { ...b, width: 300 },
    { ...a, isHidden: true },
  ];
  const text = printLayout(layoutOf(changed, salt));
  assert.ok(!/"[abc]"/.test(text), text);
  assert.deepEqual(arrangeColumns(columns, parseLayout(text), salt), changed);
  const withNew = arrangeColumns([{ name: 'new', type: 'text' }, ...columns], parseLayout(text), salt);
  assert.deepEqual(
    withNew.map(({ name }) => name),
    ['c', 'b', 'a', 'new'],
  );
  assert.deepEqual(
    arrangeColumns(columns, parseLayout(text), 'another person').map(({ name }) => name),
    ['a', 'b', 'c'],
  );
});

test('a stored layout of another version, or a damaged one, counts as none', () => {
  for (const text of [null, '', '{', '7', '{"version":2,"columns":[]}', '{"version":1,"columns":[7,{}]}']) {
    assert.deepEqual(parseLayout(text), { columns: [] });
  }
  assert.deepEqual(parseLayout('{"version":1,"columns":[{"mark":"x","width":1e9,"isPinned":"yes"}]}'), {
    columns: [{ mark: 'x' }],
  });
});

/* Shows: D-column-labels-tighten, D-column-labels-loosen */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import {
  noVisibleLabels,
  extendVisibleLabels,
  findNewlyHidden,
  includesLabels,
  limitToKnownLabels,
  hideColumns,
} from '../visible/visible-labels.ts';
import { parseColumnLabelInfo } from './parse-column-label-info.ts';
import {
  replaceColumnLabels,
  serializeColumnLabels,
  findHiddenColumns,
  parseColumnLabels,
  addColumnLabels,
  joinColumnLabels,
  type ColumnLabels,
} from './column-labels.ts';
import {
  containsHiddenPath,
  hiddenPathsInside,
  isHiddenPath,
  removeNestedPaths,
  touchesPath,
} from './hidden-columns.ts';

const labels = (entries: Record<string, string[]>): ColumnLabels => new Map(Object.entries(entries));
const requested = (entries: Record<string, string>): Map<string, string> => new Map(Object.entries(entries));
const held = (...tokens: string[]): Set<string> => new Set(tokens);
const isInside = (path: string, outer: string): boolean => path.startsWith(`${outer}.`);

describe('column labels', () => {
  test('a column and everything inside it is hidden from readers who do not satisfy all of its labels', () => {
    const all = labels({ 'a.b': ['X'], a: ['Y', 'Z|W'], c: ['X'], 'c.d': ['Q'] });
    assert.deepEqual(findHiddenColumns(all, held()), ['a', 'c']);
    assert.deepEqual(findHiddenColumns(all, held('X', 'Y')), ['a', 'c.d']);
    assert.deepEqual(findHiddenColumns(all, held('Y', 'W', 'Q')), ['a.b', 'c']);
    assert.deepEqual(findHiddenColumns(all, held('X', 'Y', 'Z', 'Q')), []);
    assert.deepEqual(findHiddenColumns(labels({}), held()), []);
  });

  test('a column label that cannot be parsed hides the column from everybody', () => {
    for (const label of ['(', '', 'A&', 'a|b&c']) {
      assert.deepEqual(findHiddenColumns(labels({ a: [label] }), held('A', 'B', 'C')), ['a'], label);
    }
  });

  test('a label on a path covers that path and everything inside it, and nothing else', () => {
    assert.equal(isHiddenPath(['a.b'], 'a.b'), true);
    assert.equal(isHiddenPath(['a.b'], 'a.b.c'), true);
    assert.equal(isHiddenPath(['a.b'], 'a'), false);
    assert.equal(isHiddenPath(['a.b'], 'a.bc'), false);
    assert.equal(isHiddenPath(['A'], 'a'), false);
    assert.equal(containsHiddenPath(['a.b'], 'a'), true);
    assert.equal(containsHiddenPath(['a.b'], 'a.b'), false);
    assert.deepEqual(removeNestedPaths(['a.b.c', 'b', 'a.b', 'b', 'a.bc']), ['a.b', 'a.bc', 'b']);
    assert.deepEqual(hiddenPathsInside(['a', 'a-b.c', 'a.c.d', 'a.e', 'b'], 'a'), ['c.d', 'e']);
    assert.equal(touchesPath(['a.b'], 'a.b.c'), true);
    assert.equal(touchesPath(['a.b'], 'a'), true);
    assert.equal(touchesPath(['a.b', 'a.d'], 'a.c'), false);
  });

  test('lookups in sorted paths find what a comparison with each path finds', () => {
    const key = fc.constantFrom('a', 'b', 'a-', 'ab', '', ' ', '\u0000', 'é', '\ud83d\ude00');
    const paths = fc.array(
      fc.array(key, { minLength: 1, maxLength: 4 }).map((keys) => keys.join('.')),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(paths, paths, (all, looked) => {
        const hidden = removeNestedPaths(all);
        assert.deepEqual(
          hidden,
          [...new Set(all)].filter((path) => !all.some((other) => isInside(path, other))).toSorted(),
        );
        const some = [...new Set(all)].toSorted();
        for (const path of [...all, ...looked]) {
          for (const list of [hidden, some]) {
            const isHidden = list.some((column) => path === column || isInside(path, column));
            const inside = list.filter((column) => isInside(column, path));
            assert.equal(isHiddenPath(list, path), isHidden);
            assert.equal(containsHiddenPath(list, path), inside.length > 0);
            assert.equal(touchesPath(list, path), isHidden || inside.length > 0);
            assert.deepEqual(
              hiddenPathsInside(list, path),
              inside.map((column) => column.slice(path.length + 1)),
            );
          }
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('adding column labels never makes a hidden column visible', () => {
    const before = labels({ a: ['X'] });
    assert.deepEqual(
      addColumnLabels(before, requested({ a: 'Y', b: 'Z', c: '' })),
      labels({ a: ['X', 'Y'], b: ['Z'] }),
    );
    assert.deepEqual(addColumnLabels(before, requested({ a: 'X' })), before);
  });

  const label = fc.constantFrom('X', 'Y', 'X&Y', 'X|Y', '(X&Y)|Z');
  const path = fc.constantFrom('a', 'b', 'a.b', 'a.b.c');
  const some = fc.dictionary(path, fc.uniqueArray(label, { minLength: 1, maxLength: 2 }));
  const tokens = fc.uniqueArray(fc.constantFrom('X', 'Y', 'Z'));

  test('an actor cannot remove a column label that they do not satisfy', () => {
    fc.assert(
      fc.property(
        some,
        fc.dictionary(path, fc.oneof(label, fc.constant(''))),
        tokens,
        tokens,
        (entries, wanted, by, of) => {
          const before = labels(entries);
          const hiddenFromAuthor = findHiddenColumns(before, held(...by));
          const changed = replaceColumnLabels(before, requested(wanted), held(...by));
          for (const [column, present] of before) {
            if (!isHiddenPath(hiddenFromAuthor, column)) continue;
            for (const each of present) assert.ok(changed.get(column)?.includes(each));
          }
          const tightened = addColumnLabels(before, requested(wanted));
          for (const hidden of findHiddenColumns(before, held(...of))) {
            assert.ok(isHiddenPath(findHiddenColumns(tightened, held(...of)), hidden));
          }
          for (const hidden of hiddenFromAuthor)
            assert.ok(isHiddenPath(findHiddenColumns(changed, held(...by)), hidden));
        },
      ),
    );
  });

  test('an actor who satisfies a column label can replace or remove it', () => {
    const before = labels({ a: ['X', 'Y'], b: ['X'] });
    const wanted = requested({ a: 'Z', b: '' });
    assert.deepEqual(replaceColumnLabels(before, wanted, held('X', 'Y')), labels({ a: ['Z'] }));
    assert.deepEqual(replaceColumnLabels(before, requested({ c: '', b: '' }), held()), before);
  });

  test('a column label stays when the column is hidden from the actor by another label or by one around it', () => {
    const before = labels({ a: ['X', 'Y'], 'b.c': ['X'], b: ['Y'] });
    assert.deepEqual(
      replaceColumnLabels(before, requested({ a: 'Z', 'b.c': '' }), held('X')),
      labels({ a: ['X', 'Y', 'Z'], 'b.c': ['X'], b: ['Y'] }),
    );
  });

  test('serialized column labels are parsed back, and any other text is rejected', () => {
    const all = labels({ 'b.\u0000': ['X'], a: ['Y', 'Z'] });
    const text = serializeColumnLabels(all);
    assert.deepEqual(parseColumnLabels(text), all);
    assert.equal(text, serializeColumnLabels(labels({ a: ['Y', 'Z'], 'b.\u0000': ['X'] })));
    for (const other of [
      '{}',
      '[1]',
      '[["a"]]',
      '[[1,["X"]]]',
      '[["a","X"]]',
      '[["a",[""]]]',
      '[["a",[1]]]',
      '',
      'x',
    ]) {
      assert.throws(() => parseColumnLabels(other), Error, other);
    }
  });
});

describe('column labels in requests', () => {
  test('column labels are parsed to their canonical form, under either key', () => {
    assert.deepEqual(
      parseColumnLabelInfo({ a: { securityLabel: 'y&x' }, 'b.c': { label: 'X' } }, 'columns', false),
      requested({ a: 'X&Y', 'b.c': 'X' }),
    );
    assert.deepEqual(
      parseColumnLabelInfo({ a: { securityLabel: '' }, b: { label: null } }, 'columns', true),
      requested({ a: '', b: '' }),
    );
  });

  test('column labels that are not fully understood are rejected', () => {
    const refused: unknown[] = [
      'X',
      5,
      null,
      undefined,
      [],
      { a: 'X' },
      { a: null },
      { a: {} },
      { a: [] },
      { a: { securityLabel: 'X', label: 'X' } },
      { a: { securityLabel: 'X', other: 1 } },
      { a: { parserClassName: 'x' } },
      { a: { securityLabel: 5 } },
      { a: { securityLabel: 'X&' } },
      { a: { securityLabel: '' } },
      { a: { label: null } },
      { _koverse_record_id: { securityLabel: 'X' } },
      { ['x'.repeat(1001)]: { securityLabel: 'X' } },
      { '\ud800': { securityLabel: 'X' } },
      { ['.'.repeat(20)]: { securityLabel: 'X' } },
      { a: 'x'.repeat(200) },
      Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`f${String(i)}`, { securityLabel: 'X' }])),
    ];
    for (const sent of refused) {
      assert.throws(
        () => parseColumnLabelInfo(sent, 'columns', false),
        { name: 'SecurityError', code: 400, message: /^columns/ },
        JSON.stringify(sent)?.slice(0, 80),
      );
    }
  });
});

describe('visible labels with hidden columns', () => {
  const two = extendVisibleLabels(noVisibleLabels, 3, (id) => id !== 1);
  const newly = (now: string[], before: string[]) =>
    findNewlyHidden(hideColumns(two, now), hideColumns(two, before));

  test('hidden columns are part of the visibility, and equal ones share one object', () => {
    assert.equal(hideColumns(two, []), two);
    const restricted = hideColumns(two, ['a']);
    assert.deepEqual(restricted.hidden, ['a']);
    assert.deepEqual(restricted.ids, two.ids);
    assert.equal(restricted.has(2), true);
    assert.equal(hideColumns(two, ['a']), restricted);
    assert.equal(hideColumns(two, restricted.hidden), restricted);
    for (let i = 0; i < 40; i++)
      assert.deepEqual(hideColumns(two, [`a${String(i)}`]).hidden, [`a${String(i)}`]);
  });

  test('a snapshot restricted to known labels does not see later ones', () => {
    assert.equal(limitToKnownLabels(two, 3), two);
    assert.deepEqual([...limitToKnownLabels(two, 2).ids], [0]);
    assert.equal(limitToKnownLabels(two, 2).has(2), false);
  });

  test('a snapshot is included if all its labels are visible', () => {
    assert.equal(includesLabels(two, two), true);
    assert.equal(includesLabels(limitToKnownLabels(two, 2), two), false);
    assert.equal(includesLabels(two, limitToKnownLabels(two, 2)), true);
  });

  test('columns are newly hidden unless they, or columns around them, were hidden before', () => {
    assert.deepEqual(newly(['a', 'b'], []), ['a', 'b']);
    assert.deepEqual(newly([], ['a']), []);
    assert.deepEqual(newly(['a.b', 'c'], ['a']), ['c']);
    assert.deepEqual(newly(['a'], ['a.b']), ['a']);
    assert.deepEqual(newly(['a', 'b'], ['a', 'b']), []);
  });

  test('hidden columns that are not sorted are rejected, because lookups would miss some', () => {
    for (const columns of [
      ['b', 'a'],
      ['a', 'a'],
    ])
      assert.throws(() => hideColumns(two, columns), /must be sorted/);
  });
});

test('the labels of a column are joined to one label that demands all of them', () => {
  assert.equal(joinColumnLabels([]), '');
  assert.equal(joinColumnLabels(['A|B']), 'A|B');
  assert.equal(joinColumnLabels(['C', 'A|B', 'C&D']), '(A|B)&C&D');
});

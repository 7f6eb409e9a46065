/* Shows: L15, A-label-empty, A-label-cache-attributes, A-label-cache-labels */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { evaluateLabel } from '../expression/evaluate-label.ts';
import { parseLabel } from '../expression/parse-label.ts';
import { attributeSetKey } from './attribute-set-key.ts';
import { createVisibleLabelSets, type InternedLabel } from './visible-label-sets.ts';
import type { VisibleLabels } from './visible-labels.ts';

const intern = (...expressions: string[]): InternedLabel[] =>
  expressions.map((expression, id) => ({ id, expression }));
const held = (...attributes: string[]): ReadonlySet<string> => new Set(attributes);
const idsOf = (visible: VisibleLabels): number[] => [...visible.ids];

/** Returns the visible ids, after checking that all properties agree. */
function checkedIds(visible: VisibleLabels): number[] {
  const ids = idsOf(visible);
  const all = Array.from({ length: visible.version }, (_, id) => id);
  const fromBits = all.filter((id) => ((visible.bits[id >> 3] ?? 0) >> (id & 7)) & 1);
  assert.deepEqual(fromBits, ids);
  assert.deepEqual(
    all.filter((id) => visible.has(id)),
    ids,
  );
  assert.equal(visible.size, ids.length);
  assert.equal(visible.bits.length, Math.ceil(visible.version / 8));
  return ids;
}

describe('visible labels', () => {
  test('the visible labels are those that the attributes satisfy, as ids and as bits', () => {
    const labels = intern('', 'A', 'B', 'A&B', 'A|B', 'C', 'A|C', 'B', '(A|B)&(A|C)', 'C&A');
    const visible = createVisibleLabelSets().visible('d', labels, held('A'));
    assert.deepEqual(checkedIds(visible), [0, 1, 4, 6, 8]);
    assert.deepEqual([...visible.bits], [0b0101_0011, 0b0000_0001]);
    assert.equal(visible.version, 10);
  });

  test('a reader without attributes sees the empty label and no other', () => {
    const visible = createVisibleLabelSets().visible('d', intern('A', '', 'A|B'), held());
    assert.deepEqual(checkedIds(visible), [1]);
  });

  test('a dataset without labels has no visible labels', () => {
    const sets = createVisibleLabelSets();
    const visible = sets.visible('d', [], held('A'));
    assert.deepEqual(checkedIds(visible), []);
    assert.equal(visible.version, 0);
    assert.deepEqual(checkedIds(sets.visible('d', intern('A'), held('A'))), [0]);
  });

  test('an id that the snapshot does not cover is not visible', () => {
    const visible = createVisibleLabelSets().visible('d', intern('', ''), held());
    for (const id of [2, 7, 8, -1, 0.5, 2 ** 32, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.equal(visible.has(id), false, String(id));
    }
  });

  test('a stored label that cannot be parsed is visible to nobody', () => {
    const labels = intern('A', 'A|', 'A&B|C', ' ', '"', '()');
    const visible = createVisibleLabelSets().visible('d', labels, held('A', 'B', 'C', ' ', '"'));
    assert.deepEqual(checkedIds(visible), [0]);
  });

  test('the next call sees a label added to a dataset, and earlier snapshots stay the same', () => {
    const sets = createVisibleLabelSets();
    const labels = intern('A', 'B');
    const before = sets.visible('d', labels, held('A'));
    labels.push({ id: 2, expression: 'A|B' }, { id: 3, expression: 'B' });
    const after = sets.visible('d', labels, held('A'));
    assert.deepEqual(checkedIds(before), [0]);
    assert.deepEqual(checkedIds(after), [0, 2]);
    assert.deepEqual([before.version, after.version], [2, 4]);
    assert.deepEqual(
      checkedIds(sets.visible('d', [...labels, { id: 4, expression: 'A' }], held('A'))),
      [0, 2, 4],
    );
  });

  test('the next call sees a change of the attributes', () => {
    const sets = createVisibleLabelSets();
    const labels = intern('A', 'B', 'A&B');
    const attributes = new Set(['A']);
    assert.deepEqual(idsOf(sets.visible('d', labels, attributes)), [0]);
    attributes.add('B');
    assert.deepEqual(idsOf(sets.visible('d', labels, attributes)), [0, 1, 2]);
    attributes.delete('A');
    assert.deepEqual(idsOf(sets.visible('d', labels, attributes)), [1]);
  });

  test('the same labels and attributes are served from the cache, in any order of the attributes', () => {
    const sets = createVisibleLabelSets();
    const labels = intern('A', 'B');
    const first = sets.visible('d', labels, held('A', 'B'));
    assert.equal(sets.visible('d', [...labels], held('B', 'A')), first);
  });

  test('the labels of datasets are independent', () => {
    const sets = createVisibleLabelSets();
    assert.deepEqual(idsOf(sets.visible('d', intern('A', 'B'), held('A'))), [0]);
    assert.deepEqual(idsOf(sets.visible('e', intern('B', 'A'), held('A'))), [1]);
    assert.deepEqual(idsOf(sets.visible('d', intern('A', 'B'), held('A'))), [0]);
  });

  test('replacing the labels of a dataset invalidates its cached results', () => {
    const sets = createVisibleLabelSets();
    const labels = intern('A', 'A', 'B');
    assert.deepEqual(idsOf(sets.visible('d', labels, held('A'))), [0, 1]);
    assert.deepEqual(idsOf(sets.visible('d', intern('B', 'A', 'B'), held('A'))), [1]);
    assert.deepEqual(idsOf(sets.visible('d', intern('B'), held('A'))), []);
    const emptied = intern('A', 'B');
    assert.deepEqual(idsOf(sets.visible('d', emptied, held('A'))), [0]);
    emptied.length = 0;
    assert.deepEqual(idsOf(sets.visible('d', emptied, held('A'))), []);
    emptied.push({ id: 0, expression: 'B' });
    assert.deepEqual(idsOf(sets.visible('d', emptied, held('A'))), []);
  });

  test('forgetting a dataset invalidates its cached results', () => {
    const sets = createVisibleLabelSets();
    const labels = intern('A', 'B');
    const before = sets.visible('d', labels, held('A'));
    sets.forget('d');
    const after = sets.visible('d', labels, held('A'));
    assert.notEqual(after, before);
    assert.deepEqual(idsOf(after), [0]);
  });

  test('labels whose ids have gaps are rejected, since an id would mean another label', () => {
    const sets = createVisibleLabelSets();
    const gap = [
      { id: 0, expression: 'A' },
      { id: 2, expression: 'B' },
    ];
    assert.throws(() => sets.visible('d', gap, held('A')), /Expected label 1, got label 2/);
    assert.throws(() => sets.visible('d', gap, held('A')), /Expected label 1, got label 2/);
    assert.deepEqual(idsOf(sets.visible('d', intern('A', 'B'), held('B'))), [1]);
  });

  test('a very small cache gives the same results', () => {
    const operation = fc.record({
      dataset: fc.constantFrom('d', 'e', 'f'),
      added: fc.array(fc.constantFrom('', 'A', 'B', 'A&B', 'A|(B&C)', 'C', 'A&|'), { maxLength: 5 }),
      attributes: fc.subarray(['A', 'B', 'C']),
    });
    fc.assert(
      fc.property(
        fc.array(operation, { maxLength: 30 }),
        fc.integer({ min: 1, max: 20 }),
        (operations, limit) => {
          const sets = createVisibleLabelSets({ maxBytes: limit * 10, maxLabels: limit });
          const datasets = new Map<string, InternedLabel[]>();
          for (const { dataset, added, attributes } of operations) {
            const labels = datasets.get(dataset) ?? [];
            datasets.set(dataset, labels);
            for (const expression of added) labels.push({ id: labels.length, expression });
            const expected = labels
              .filter(({ expression }) => expression !== 'A&|')
              .filter(({ expression }) => evaluateLabel(parseLabel(expression), new Set(attributes)))
              .map(({ id }) => id);
            assert.deepEqual(checkedIds(sets.visible(dataset, labels, new Set(attributes))), expected);
          }
        },
      ),
    );
  });

  test('a hundred thousand labels are evaluated and extended', () => {
    const sets = createVisibleLabelSets();
    const labels = intern(...Array.from({ length: 100_000 }, (_, id) => `G${id % 10}&R${id}`));
    const attributes = held('G1', 'R1', 'R99991', 'R100001', 'R2');
    assert.deepEqual(idsOf(sets.visible('d', labels, attributes)), [1, 99_991]);
    labels.push({ id: 100_000, expression: 'G1&R100000' }, { id: 100_001, expression: 'G1&R100001' });
    assert.deepEqual(idsOf(sets.visible('d', labels, attributes)), [1, 99_991, 100_001]);
  });
});

describe('the key of a set of attributes', () => {
  test('attribute sets have equal keys when they are equal, and only then', () => {
    const attributes = fc.array(
      fc.string({ unit: fc.constantFrom('A', '"', ',', '\\', '[', '\uD800', 'u') }),
    );
    fc.assert(
      fc.property(attributes, attributes, (some, others) => {
        const same = some.every((one) => others.includes(one)) && others.every((one) => some.includes(one));
        assert.equal(attributeSetKey(some) === attributeSetKey(others), same);
      }),
    );
    assert.equal(attributeSetKey(['B', 'A', 'B']), attributeSetKey(new Set(['A', 'B'])));
    assert.notEqual(attributeSetKey(['A,B']), attributeSetKey(['A', 'B']));
    assert.notEqual(attributeSetKey(['']), attributeSetKey([]));
  });
});

/* Shows: A-jobs-whole */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { evaluateLabel, parseLabel } from '@redoubt/labels';
import { matchesLucene } from '@redoubt/query/testing';
import { parseLucene } from '@redoubt/query';
import * as fc from 'fast-check';
import { openTestStore, type TestStore } from '../../testing/test-store.ts';
import type { RecordSelector } from './record-selections.ts';

let t: TestStore;
before(async () => {
  t = await openTestStore();
});
after(async () => t.close());

const labels = ['', 'A', 'B', 'A&B', 'A|C', 'C'] as const;
const people = [[], ['A'], ['B'], ['A', 'B'], ['C'], ['A', 'B', 'C']] as const;
const queries = [
  'n:[0 TO 9]',
  'n:[5 TO 14] AND NOT word:w1',
  'w2',
  '_exists_:extra',
  'word:w0 OR n:3',
  '*:*',
];
const labelInfo = {
  fields: ['label'],
  parserClassName: 'identity-parser',
  labelHandlingPolicy: 'ignore',
} as const;

interface Kept {
  label: string;
  text: Record<string, unknown>;
}

type Step =
  | { kind: 'write'; count: number; label: (typeof labels)[number] }
  | { kind: 'replace'; by: readonly string[]; nth: number }
  | { kind: 'delete'; by: readonly string[]; query: string }
  | { kind: 'delete ids'; by: readonly string[]; nth: number }
  | { kind: 'delete all'; by: readonly string[] }
  | { kind: 'relabel'; by: readonly string[]; query: string; label: Exclude<(typeof labels)[number], ''> }
  | { kind: 'clear' };

const person = fc.constantFrom(...people);
const query = fc.constantFrom(...queries);
const nth = fc.nat({ max: 30 });
const steps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('write' as const),
        count: fc.integer({ min: 1, max: 8 }),
        label: fc.constantFrom(...labels),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('replace' as const), by: person, nth }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), by: person, query }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete ids' as const), by: person, nth }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete all' as const), by: person }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('relabel' as const),
        by: person,
        query,
        label: fc.constantFrom('A', 'B', 'A&B', 'A|C', 'C'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const) }) },
  ),
  { minLength: 4, maxLength: 14 },
);

const sees = (held: readonly string[], { label }: Kept): boolean =>
  evaluateLabel(parseLabel(label), new Set(held));

const numberOf = (record: Record<string, unknown>): number => Number(record['n']);

/** The expected records by their ids. */
type Model = Map<string, Kept>;

const seenBy = (model: Model, held: readonly string[]): [string, Kept][] =>
  [...model].filter(([, kept]) => sees(held, kept));

/** Applies a step to the store and to the model. */
async function take(id: string, model: Model, step: Step, next: () => number): Promise<void> {
  const matching = (held: readonly string[], expression: string): [string, Kept][] => {
    const tree = parseLucene(expression);
    return seenBy(model, held).filter(([, { text }]) => matchesLucene(tree, JSON.stringify(text)));
  };
  const change = (held: readonly string[], which: RecordSelector) => ({
    datasetId: id,
    changeId: randomUUID(),
    which,
    visible: async () => t.visible(id, ...held),
  });
  switch (step.kind) {
    case 'write': {
      const rows = Array.from({ length: step.count }, () => {
        const n = next();
        return { n, word: `w${n % 3}`, label: step.label, ...(n % 4 === 0 ? { extra: n } : {}) };
      });
      await t.write(id, rows, { labelInfo });
      const written = new Map(rows.map((row) => [row.n, row]));
      for (const record of await t.records(id, 'A', 'B', 'C')) {
        const row = written.get(numberOf(record));
        if (row !== undefined)
          model.set(String(record['_koverse_record_id']), { label: row.label, text: row });
      }
      return;
    }
    case 'replace': {
      const seen = seenBy(model, step.by);
      const [chosen] = seen.slice(step.nth % Math.max(seen.length, 1));
      if (chosen === undefined) return;
      const [recordId, kept] = chosen;
      const text = { n: numberOf(kept.text), word: 'w9', again: next() };
      await t.write(id, [{ ...text, _koverse_record_id: recordId }], { as: step.by });
      model.set(recordId, { label: kept.label, text });
      return;
    }
    case 'delete':
      await t.store.deleteRecords(change(step.by, { tree: parseLucene(step.query) }));
      for (const [recordId] of matching(step.by, step.query)) model.delete(recordId);
      return;
    case 'delete ids': {
      const all = [...model.keys()];
      const ids = all.filter((_, index) => (index + step.nth) % 5 === 0);
      await t.store.deleteRecords(change(step.by, { recordIds: [...ids, 'none'] }));
      const seen = new Set(seenBy(model, step.by).map(([recordId]) => recordId));
      for (const recordId of ids) if (seen.has(recordId)) model.delete(recordId);
      return;
    }
    case 'delete all':
      await t.store.deleteRecords(change(step.by, { all: true }));
      for (const [recordId] of seenBy(model, step.by)) model.delete(recordId);
      return;
    case 'relabel':
      await t.store.relabelRecords({
        ...change(step.by, { tree: parseLucene(step.query) }),
        label: step.label,
      });
      for (const [recordId, { text }] of matching(step.by, step.query)) {
        model.set(recordId, { label: step.label, text });
      }
      return;
    case 'clear':
      await t.store.clearDataset({
        datasetId: id,
        changeId: randomUUID(),
        mayStill: () => Promise.resolve(),
      });
      model.clear();
  }
}

/**
 * Asserts that a reader gets from the store what the model predicts: records with labels, counts, fields and matches.
 */
async function check(id: string, model: Model, held: readonly string[], after: string): Promise<void> {
  const expected = seenBy(model, held);
  const place = `${held.join('+') || 'nobody'} after ${after}`;
  const rows = await t.records(id, ...held);
  const shown = rows.map((row) =>
    [row['_koverse_record_id'], row['_koverse_security_label'], row['n']].join(' '),
  );
  assert.deepEqual(
    shown.toSorted(),
    expected.map(([recordId, { label, text }]) => [recordId, label, text['n']].join(' ')).toSorted(),
    place,
  );
  const visible = await t.visible(id, ...held);
  assert.equal(await t.store.countVisible(id, visible), expected.length, place);
  const fields = new Set(expected.flatMap(([, { text }]) => Object.keys(text)));
  assert.deepEqual(
    Object.keys(await t.store.schema(id, visible, {})).toSorted(),
    [...fields].toSorted(),
    place,
  );
  for (const expression of ['w2', 'n:[5 TO 14]']) {
    const tree = parseLucene(expression);
    const found = expected.filter(([, { text }]) => matchesLucene(tree, JSON.stringify(text)));
    assert.equal((await t.search(id, expression, ...held)).total, found.length, `${expression} for ${place}`);
  }
}

test('after any sequence of writes, replacements, deletes, relabellings and clears, every reader sees what a simple model predicts', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const id = await t.dataset();
      const model: Model = new Map();
      let n = 0;
      for (const [index, step] of taken.entries()) {
        await take(id, model, step, () => n++);
        const held = people[index % people.length] ?? [];
        await check(id, model, held, JSON.stringify(taken.slice(0, index + 1)));
      }
      for (const held of people) await check(id, model, held, JSON.stringify(taken));
      await t.store.dropDataset(id);
    }),
    { numRuns: 8 },
  );
});

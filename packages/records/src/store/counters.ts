import type { VisibleLabels } from '@redoubt/labels';
import { recordColumns } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import type { RowsSummary } from '../intake/prepared-rows.ts';
import { firstArrivingLabel } from './arriving-records.ts';
import { createLru } from './lru.ts';

/** Records of one label with the same fields, that came (or, below zero, went). */
export interface CounterDelta {
  labelId: number;
  codes: readonly number[];
  count: number;
}

/** How many records each label has, and how many of them each code of `fields`. */
interface Counts {
  records: Map<number, number>;
  codes: Map<number, Map<number, number>>;
  /** The codes that readers of these labels see, until a label gets its first record with a code or loses its last. */
  seen: WeakMap<VisibleLabels, Set<number>>;
  /** The state of the table that was counted, where others write to it as well. */
  state: string;
}

export interface Counters {
  countVisible(datasetId: string, visible: VisibleLabels): Promise<number>;
  /** The codes of `fields` that visible records have. */
  visibleCodes(datasetId: string, visible: VisibleLabels): Promise<ReadonlySet<number>>;
  /** The ids of labels that records with codes of such a kind have. */
  labelsWith(datasetId: string, holds: (codes: Iterable<number>) => boolean): Promise<number[]>;
  /** Notes what was stored. Called before anybody who owns the dataset comes in. */
  apply(datasetId: string, changes: () => CounterDelta[]): void;
  forget(datasetId: string): void;
  /** Notes that a dataset has just been made, so that nobody counts what is not there. */
  begin(datasetId: string): void;
}

const maxDatasets = 1000;
const { labelId, fields } = recordColumns;

/**
 * Counts by label, so that a reader's totals cost no scan. They are read from the engine once, while nothing is stored,
 * and kept by the changes of each write. Where other processes write as well, they are read anew whenever the table is not in
 * the state that was counted.
 * @param alone runs work while nothing is being stored in a dataset
 * @param tableOf the quoted table of a dataset
 */
export function createCounters({
  engine,
  alone,
  tableOf,
  stateOf,
}: {
  engine: Engine;
  alone: <Result>(datasetId: string, work: () => Promise<Result>) => Promise<Result>;
  tableOf: (datasetId: string) => string;
  /** Names the state of a table; undefined where nobody else writes. */
  stateOf?: ((datasetId: string) => Promise<string>) | undefined;
}): Counters {
  const known = createLru<Counts>(maxDatasets);

  const loading = new Map<string, Promise<Counts>>();

  /** The state comes first: counts that are newer than their state are read again, older ones never used. */
  async function countsOfState(datasetId: string, state: string): Promise<Counts> {
    const counts = known.get(datasetId);
    if (counts?.state === state) return counts;
    const key = `${datasetId} ${state}`;
    const already = loading.get(key);
    if (already !== undefined) return already;
    const fresh = load(datasetId, state).finally(() => loading.delete(key));
    loading.set(key, fresh);
    return fresh;
  }

  async function countsOf(datasetId: string): Promise<Counts> {
    if (stateOf !== undefined) return countsOfState(datasetId, await stateOf(datasetId));
    return (
      known.get(datasetId) ??
      (await alone(datasetId, async () => known.get(datasetId) ?? (await load(datasetId))))
    );
  }

  async function load(datasetId: string, state = ''): Promise<Counts> {
    const from = `FROM ${tableOf(datasetId)}`;
    const isThere = `WHERE ${labelId} < ${String(firstArrivingLabel)}`;
    const records = await engine.text(`SELECT ${labelId}, count() ${from} ${isThere} GROUP BY ${labelId}`, {
      lane: 'short',
    });
    const codes = await engine.text(
      `SELECT ${labelId}, code, count() ${from} ARRAY JOIN ${fields} AS code ${isThere} GROUP BY ${labelId}, code`,
      { lane: 'short' },
    );
    const counts = emptyCounts(state);
    for (const [label, count] of numberRows(records)) add(counts.records, label, count);
    for (const [label, code, count] of numberRows(codes)) add(codesOf(counts, label), code, count);
    keep(datasetId, counts);
    return counts;
  }

  function keep(datasetId: string, counts: Counts): void {
    known.delete(datasetId);
    known.getOrMake(datasetId, () => counts);
  }

  return {
    async countVisible(datasetId, visible) {
      const { records } = await countsOf(datasetId);
      let total = 0;
      for (const [label, count] of records) if (visible.has(label)) total += count;
      return total;
    },
    async visibleCodes(datasetId, visible) {
      const counts = await countsOf(datasetId);
      const known = counts.seen.get(visible);
      if (known !== undefined) return known;
      const found = new Set<number>();
      for (const [label, codes] of counts.codes) {
        if (visible.has(label)) for (const code of codes.keys()) found.add(code);
      }
      counts.seen.set(visible, found);
      return found;
    },
    async labelsWith(datasetId, holds) {
      const { codes } = await countsOf(datasetId);
      return [...codes].flatMap(([label, ofLabel]) => (holds(ofLabel.keys()) ? [label] : []));
    },
    apply(datasetId, changes) {
      if (stateOf !== undefined) return;
      const counts = known.get(datasetId);
      if (counts === undefined) return;
      for (const { labelId: label, codes, count } of changes()) {
        add(counts.records, label, count);
        const ofLabel = codesOf(counts, label);
        const before = ofLabel.size;
        for (const code of codes) add(ofLabel, code, count);
        if (ofLabel.size !== before) counts.seen = new WeakMap();
      }
    },
    forget: (datasetId) => {
      known.delete(datasetId);
    },
    begin: (datasetId) => {
      // Where others write as well, they may have done so by now.
      if (stateOf === undefined) keep(datasetId, emptyCounts(''));
    },
  };
}

const emptyCounts = (state: string): Counts => ({
  records: new Map(),
  codes: new Map(),
  seen: new WeakMap(),
  state,
});

function codesOf(counts: Counts, label: number): Map<number, number> {
  let codes = counts.codes.get(label);
  if (codes === undefined) counts.codes.set(label, (codes = new Map()));
  return codes;
}

function add(counts: Map<number, number>, key: number, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

/** Rows of whole numbers in the format TSVRaw. */
function* numberRows(text: string): Generator<[number, number, number]> {
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [first = 0, second = 0, third = 0] = line.split('\t').map(Number);
    yield [first, second, third];
  }
}

/** What new records add. */
export const toCounterDeltas = ({ shapes }: RowsSummary, labelIds: readonly number[]): CounterDelta[] =>
  shapes.map(({ label, codes, count }) => ({ labelId: labelIds[label] ?? -1, codes, count }));

import { LRUCache } from 'lru-cache';
import type { VisibleLabels } from '@redoubt/labels';
import { recordColumns } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import type { RowsSummary } from '../intake/prepared-rows.ts';
import { firstArrivingLabel } from './arriving-records.ts';

/** How many records with one label and the same fields were added, or removed if negative. */
export interface CounterDelta {
  labelId: number;
  codes: readonly number[];
  count: number;
}

/** The number of records for each label, and for each code of `fields` within a label. */
interface Counts {
  records: Map<number, number>;
  codes: Map<number, Map<number, number>>;
  /** Cached codes for readers of these labels, until a label gets its first record with a code or loses its last. */
  seen: WeakMap<VisibleLabels, Set<number>>;
  /** The state of the counted table, if other processes write to it as well. */
  state: string;
}

export interface Counters {
  countVisible(datasetId: string, visible: VisibleLabels): Promise<number>;
  /** The codes of `fields` in visible records. */
  visibleCodes(datasetId: string, visible: VisibleLabels): Promise<ReadonlySet<number>>;
  /** The ids of labels whose records have codes that satisfy `holds`. */
  labelsWith(datasetId: string, holds: (codes: Iterable<number>) => boolean): Promise<number[]>;
  /** Applies the changes of a write. Call it before work under `alone` starts. */
  apply(datasetId: string, changes: () => CounterDelta[]): void;
  forget(datasetId: string): void;
  /** Sets the counts of a new dataset to zero, so that it need not be counted. */
  begin(datasetId: string): void;
}

const maxDatasets = 1000;
const { labelId, fields } = recordColumns;

/**
 * Keeps counts by label, so that totals need no scan. They are read from the engine once, while no insert runs, and
 * then updated with each write. If other processes write as well, they are read again when the state of the table has
 * changed.
 * @param alone runs work while no insert into a dataset runs
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
  /** Identifies the state of a table; undefined if no other process writes. */
  stateOf?: ((datasetId: string) => Promise<string>) | undefined;
}): Counters {
  const known = new LRUCache<string, Counts>({ max: maxDatasets });

  const loading = new Map<string, Promise<Counts>>();

  /**
   * The state must be read before the counts: counts that are newer than their state are read again, older ones are
   * never used.
   */
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
    known.set(datasetId, counts);
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
      // If other processes write as well, the dataset may not be empty any more.
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

/** Parses rows of whole numbers in the format TSVRaw. */
function* numberRows(text: string): Generator<[number, number, number]> {
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [first = 0, second = 0, third = 0] = line.split('\t').map(Number);
    yield [first, second, third];
  }
}

/** The changes of counts by new records. */
export const toCounterDeltas = ({ shapes }: RowsSummary, labelIds: readonly number[]): CounterDelta[] =>
  shapes.map(({ label, codes, count }) => ({ labelId: labelIds[label] ?? -1, codes, count }));

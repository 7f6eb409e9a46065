import type { ColumnLabels } from '@redoubt/labels';
import { parseLucene } from '@redoubt/query';
import type { Random } from '@redoubt/testkit';
import { testTables, type TestTable } from '@redoubt/sql-fuzzer';
import { targetedSearch } from './targeted-statements.ts';
import { columnLabels } from './hidden-columns.ts';
import { hiddenColumns, recordOf, wideRecord } from './hostile-records.ts';
import { hiddenLabel, randomReader, visibleLabel, type Held } from './random-labels.ts';

/** Selects stored records: the matches of a search, or every nth record in the order of the ids. */
export type Which = { readonly expression: string } | { readonly every: number };

/**
 * A change to stored records. `hide` gives them a label that the reader does not satisfy; the first world, which has no
 * hidden records, deletes them instead.
 */
export type Change =
  | { readonly kind: 'delete'; readonly which: Which }
  | { readonly kind: 'relabel' | 'hide'; readonly which: Which; readonly label: string }
  | { readonly kind: 'clear' };

/** One write or change. Hidden steps run in the second world only. */
export interface Step {
  readonly table: string;
  readonly hidden: boolean;
  /** The label of the records. Without it, replacements keep their label. */
  readonly label?: string;
  /** JSON texts of objects. */
  readonly records: readonly string[];
  /**
   * Set if the records replace stored ones: whether they replace records that are visible to the reader or hidden from
   * the reader.
   */
  readonly replaces?: 'visible' | 'hidden';
  /** Right after the write, the same records are written again with this label, which hides them from the reader. */
  readonly hides?: string;
  /** The label with which the second world first writes the records, before it relabels them for the reader. */
  readonly shownFrom?: string;
  /** Replaces the write. The reader makes it, unless the step is hidden. */
  readonly change?: Change;
  /** Milliseconds since the start. Visible and hidden ids are interleaved. */
  readonly time: number;
}

/** The steps of both worlds, and the reader. */
export interface Plan {
  readonly held: Held;
  /** The labels of columns in the second world, of each table. */
  readonly columns: ColumnLabels;
  readonly steps: readonly Step[];
}

const rowsOf = (
  table: TestTable,
  random: Random,
  count: number,
  hostility: number,
  isHidden: boolean,
): string[] =>
  Array.from({ length: count }, (_, row) =>
    recordOf(table, random, row, hostility, isHidden ? hiddenColumns : []),
  );

/**
 * Fractions of hostile values. The other values also occur in visible records, so ties, groups and joins contain both.
 */
const hostilities = [0, 0.15, 0.5, 1];

const hiddenStep = (random: Random, table: TestTable, held: Held, time: number): Step => {
  const hostility = random.pick(hostilities);
  const label = hiddenLabel(random, held).text;
  const common = { table: table.name, hidden: true, label, time };
  const kind = random.int(12);
  if (kind === 0) return { ...common, records: [wideRecord(random, 1100)] };
  if (kind === 1) {
    const records = rowsOf(table, random, 3, hostility, true);
    return { ...common, label: visibleLabel(random, held).text, records, hides: label };
  }
  const every = 1 + random.int(3);
  if (kind === 4) return { ...common, records: [], change: { kind: 'delete', which: { every } } };
  if (kind === 5) return { ...common, records: [], change: { kind: 'relabel', which: { every }, label } };
  const count = kind === 2 && random.chance(0.3) ? 2500 : 1 + random.int(40);
  const records = rowsOf(table, random, count, hostility, true);
  return kind === 3
    ? { ...common, records: records.slice(0, 6), replaces: 'hidden' }
    : { ...common, records };
};

/** Some generated searches are invalid, and cannot select records to change. */
const isSearch = (expression: string): boolean => {
  try {
    parseLucene(expression);
    return true;
  } catch {
    return false;
  }
};

/** A change by the reader to visible records. */
const visibleChange = (random: Random, table: TestTable, held: Held): Change => {
  const expression = targetedSearch(random, table);
  const which = random.chance(0.5) && isSearch(expression) ? { expression } : { every: 2 + random.int(6) };
  const kind = random.pick(['delete', 'relabel', 'relabel', 'hide', 'hide'] as const);
  if (kind === 'delete') return { kind, which };
  const label = (kind === 'hide' ? hiddenLabel : visibleLabel)(random, held).text;
  return { kind, which, label };
};

/** The steps of both worlds: a few writes with all records of a table, and later changes. */
const visibleSteps = (random: Random, table: TestTable, held: Held): Step[] => {
  const hostility = random.pick([0, 0, 0, 0.05, 0.4]);
  const count = random.chance(0.1) ? random.int(3) : Math.ceil(table.rows * random.pick([0.3, 1, 1]));
  const records = rowsOf(table, random, count, hostility, false);
  const size = Math.max(1, Math.ceil(count / (1 + random.int(3))));
  const common = { table: table.name, hidden: false, time: 0 };
  const steps: Step[] = [];
  for (let from = 0; from < count; from += size) {
    steps.push({
      ...common,
      label: visibleLabel(random, held).text,
      records: records.slice(from, from + size),
      ...(random.chance(0.15) ? { shownFrom: hiddenLabel(random, held).text } : {}),
    });
  }
  if (count > 2 && random.chance(0.4)) {
    const news = rowsOf(table, random, 2, hostility, false);
    steps.push({ ...common, records: news, replaces: 'visible' });
  }
  if (random.chance(0.5)) steps.push({ ...common, records: [], change: visibleChange(random, table, held) });
  // After a clear, only later writes remain.
  return random.chance(0.06)
    ? [...steps.slice(0, 1), { ...common, records: [], change: { kind: 'clear' } }, ...steps]
    : steps;
};

/** Generates a plan for two worlds over the test tables. */
export const makePlan = (random: Random): Plan => {
  const held = randomReader(random);
  const columns = columnLabels(random, held);
  const steps = testTables.flatMap((table) => {
    const visible = visibleSteps(random, table, held);
    const hidden = Array.from({ length: random.int(5) }, () => hiddenStep(random, table, held, 0));
    // Interleaves the steps at random, and keeps the order within each world.
    const mixed: Step[] = [];
    while (visible.length + hidden.length > 0) {
      const from = hidden.length === 0 || (visible.length > 0 && random.chance(0.5)) ? visible : hidden;
      const step = from.shift();
      if (step !== undefined) mixed.push(step);
    }
    let time = 0;
    // Some steps share a millisecond, so that the ids of their records are interleaved.
    return mixed.map((step) => ({ ...step, time: (time += random.pick([0, 0, 1, 60_000])) }));
  });
  return { held, columns, steps };
};

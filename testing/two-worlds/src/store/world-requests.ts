import { createQueries } from '@redoubt/sql-fuzzer';
import type { Random } from '@redoubt/testkit';
import type { SqlTree } from '@redoubt/sql-fuzzer';
import { testTables } from '@redoubt/sql-fuzzer';
import type { TableFormat } from '@redoubt/records';
import { targetedSearch, targetedStatement } from './targeted-statements.ts';
import { hiddenColumns } from './hostile-records.ts';
import type { Held } from './random-labels.ts';

interface Common {
  /** The part of the reader's attributes that this request uses. */
  readonly held: Held;
  readonly limit: number;
  readonly offset: number;
  readonly internalFields: 'record-id' | 'all' | undefined;
}

type Format = TableFormat | 'json' | 'lines';

/**
 * A request to both worlds, with placeholders for ids: ‹hidden:3› stands for the id of the fourth hidden record of a
 * table.
 */
export type WorldQuestion = Common &
  (
    | { readonly kind: 'sql'; readonly tree: SqlTree }
    | {
        readonly kind: 'search';
        readonly table: string;
        readonly expression: string;
        readonly format: Format;
      }
    | {
        readonly kind: 'sequence';
        readonly table: string;
        readonly start: 'after' | 'from';
        readonly first: string;
        readonly until: string;
        readonly format: Format;
      }
    | { readonly kind: 'splits'; readonly table: string }
    | {
        readonly kind: 'schema';
        readonly table: string;
        readonly nested: boolean;
        readonly securityField: boolean;
      }
    | { readonly kind: 'count'; readonly table: string }
    | { readonly kind: 'replace'; readonly table: string; readonly ids: readonly string[] }
  );

const formats: readonly Format[] = [
  'json',
  'json',
  'json',
  'json',
  'lines',
  'lines',
  'csv',
  'arrow',
  'parquet',
];

/**
 * The kinds, repeated by weight. Most bugs are possible in SQL, but a statement costs ten times as much as other
 * requests.
 */
const kinds = [
  ...(['sql', 'sql', 'aimed', 'aimed', 'aimed'] as const),
  ...(['search', 'search', 'search'] as const),
  ...(['sequence', 'sequence', 'sequence', 'sequence', 'sequence'] as const),
  ...(['splits', 'splits', 'schema', 'schema', 'schema', 'count', 'replace'] as const),
];

/** The tables with hidden fields, for statements of a reader who guesses the names of these fields. */
const withHidden = testTables.map((table) => ({ ...table, columns: [...table.columns, ...hiddenColumns] }));

/** Generates a request of a reader with these attributes. */
export const makeQuestion = (random: Random, holds: Held): WorldQuestion => {
  const common: Common = {
    held: random.chance(0.8) ? holds : holds.filter(() => random.chance(0.5)),
    limit: random.pick([-1, -1, -1, 10, 3, 1, 1001]),
    offset: random.pick([0, 0, 0, 2, 50]),
    internalFields: random.chance(0.5) ? undefined : random.pick(['record-id', 'all'] as const),
  };
  const table = random.pick(testTables);
  const place = (): string =>
    random.chance(0.3) ? '' : `‹${random.pick(['hidden', 'visible', 'absent'])}:${String(random.int(60))}›`;
  // A file with many columns is slow to plan.
  const format = table.columns.length > 10 && random.chance(0.7) ? 'json' : random.pick(formats);
  const kind = random.pick(kinds);
  switch (kind) {
    case 'sql': {
      const tables = random.chance(0.06) ? withHidden : testTables;
      return { ...common, kind, tree: createQueries(random, tables).query().tree };
    }
    case 'aimed':
      return { ...common, kind: 'sql', tree: targetedStatement(random) };
    case 'search':
      return { ...common, kind, table: table.name, expression: targetedSearch(random, table), format };
    case 'sequence': {
      const start = random.pick(['after', 'from'] as const);
      return { ...common, kind, table: table.name, start, first: place(), until: place(), format };
    }
    case 'schema':
      return {
        ...common,
        kind,
        table: table.name,
        nested: random.chance(0.7),
        securityField: random.chance(0.5),
      };
    case 'replace': {
      const ids = Array.from(
        { length: 1 + random.int(2) },
        () => `‹${random.pick(['hidden', 'absent'])}:${String(random.int(60))}›`,
      );
      return { ...common, kind, table: table.name, ids };
    }
    case 'splits':
    case 'count':
      return { ...common, kind, table: table.name };
  }
};

import type { Random } from '@redoubt/testkit';
import type { NamedColumn, Place } from './expressions.ts';
import { optional, part, type SqlPart, type SqlTree } from './sql-tree.ts';
import type { TestTable, TestType } from './tables.ts';

/** An item of FROM, and its columns. */
export interface Source {
  readonly text: SqlTree;
  readonly columns: readonly NamedColumn[];
  /** A column with a distinct value in each row. */
  readonly unique?: string;
  readonly rows: number;
}

const mostRows = 3000;

/** Functions that return rows for a JSON value of some kind. */
const jsonFunctions: readonly { name: string; kind: string; types: readonly TestType[] }[] = [
  { name: 'jsonb_array_elements', kind: 'array', types: ['jsonb'] },
  { name: 'jsonb_array_elements_text', kind: 'array', types: ['text'] },
  { name: 'jsonb_object_keys', kind: 'object', types: ['text'] },
  { name: 'jsonb_each', kind: 'object', types: ['text', 'jsonb'] },
  { name: 'jsonb_each_text', kind: 'object', types: ['text', 'text'] },
];

/** The requirements of a generated SELECT. */
export interface SelectRequest {
  types: readonly TestType[];
  depth: number;
  outer: readonly NamedColumn[];
  /** Whether it may be a set operation, and have an order and a limit. */
  whole: boolean;
  /** Exactly one row. */
  single?: boolean;
}

export interface SourceDeps {
  random: Random;
  tables: readonly TestTable[];
  /** Returns a name that is unique in the statement. */
  alias(): string;
  someTypes(count: number): TestType[];
  condition(depth: number, place: Place): SqlPart;
  select(request: SelectRequest): { tree: SqlPart };
}

/** Generates items of FROM. */
export function createSources({ random, tables, alias, someTypes, condition, select }: SourceDeps) {
  const scan = (table: TestTable): Source => {
    const name = alias();
    return {
      text: `${table.name} ${random.pick(['', 'as '])}${name}`,
      columns: table.columns.map((column) => ({ text: `${name}.${column.name}`, type: column.type })),
      unique: `${name}.id`,
      rows: table.rows,
    };
  };

  const anyTable = (): TestTable => random.pick(tables);

  const derived = (depth: number): Source => {
    const name = alias();
    const types = someTypes(1 + random.int(3));
    const { tree } = select({ types, depth, outer: [], whole: false });
    return {
      text: part('source', '(', tree, `) as ${name}`),
      columns: types.map((type, i) => ({ text: `${name}.c${String(i + 1)}`, type })),
      rows: 200,
    };
  };

  const series = (): Source => {
    const name = alias();
    if (random.chance(0.5)) {
      const text = `generate_series(${String(random.int(3))}, ${String(3 + random.int(4))}) as ${name}(n)`;
      return { text, columns: [{ text: `${name}.n`, type: 'i4' }], unique: `${name}.n`, rows: 6 };
    }
    return {
      text: `unnest(array['abc', null, '12', 'é']) as ${name}(x)`,
      columns: [{ text: `${name}.x`, type: 'text' }],
      rows: 4,
    };
  };

  const source = (depth: number): Source =>
    depth > 0 && random.chance(0.15)
      ? derived(depth - 1)
      : random.chance(0.06)
        ? series()
        : random.chance(0.03)
          ? listed()
          : scan(anyTable());

  /** The condition of a join: mostly that two columns are equal. */
  const joinCondition = (left: Source, right: Source, depth: number, onlyEqual: boolean): SqlTree => {
    const place: Place = { columns: [...left.columns, ...right.columns], outer: [] };
    const pairs = left.columns.flatMap((a) =>
      right.columns.flatMap((b) =>
        a.type === b.type && ['bigint', 'text', 'timestamp', 'boolean'].includes(a.type)
          ? [[a, b] as const]
          : [],
      ),
    );
    const keys = pairs.filter(
      ([a, b]) => /\.(?:id|person|lead|team|«address\.zip»|qty|"Level")$/.test(a.text) && b.type === 'bigint',
    );
    const chosen =
      keys.length > 0 && random.chance(0.85)
        ? random.pick(keys)
        : pairs.length > 0
          ? random.pick(pairs)
          : undefined;
    const further = onlyEqual ? 0.15 : 0.35;
    if (chosen === undefined) return onlyEqual ? 'true' : condition(1, place);
    const [a, b] = chosen;
    const equal = `${a.text} = ${b.text}`;
    return random.chance(further)
      ? part('condition', equal, optional(' and ', condition(Math.min(depth, 1), place)))
      : equal;
  };

  const joined = (left: Source, right: Source, depth: number): Source => {
    const columns = [...left.columns, ...right.columns];
    const kind = random.pick([
      'join',
      'inner join',
      'left join',
      'left join',
      'right join',
      'full join',
      'cross join',
      ',',
    ]);
    const rows = left.rows * right.rows;
    const tie = left.unique !== undefined && right.unique !== undefined;
    const unique = tie ? { unique: `${left.unique ?? ''}, ${right.unique ?? ''}` } : {};
    if (kind === ',' || kind === 'cross join') {
      if (rows > mostRows) return left;
      return {
        text: part('source', left.text, kind === ',' ? ', ' : ' cross join ', right.text),
        columns,
        rows,
        ...unique,
      };
    }
    const on = joinCondition(left, right, depth, kind === 'full join' || rows > mostRows);
    const text = part('source', left.text, ` ${kind} `, right.text, ' on ', on);
    return { text, columns, rows: Math.min(rows, mostRows), ...unique };
  };

  /** A subquery that can name columns of the items before it. */
  const lateral = (left: Source, depth: number): Source => {
    const name = alias();
    const types = someTypes(1 + random.int(2));
    const { tree } = select({ types, depth, outer: left.columns, whole: false, single: random.chance(0.3) });
    const [before, after] = random.pick([
      [', lateral', ''],
      [' left join lateral', ' on true'],
      [' cross join lateral', ''],
    ] as const);
    return {
      text: part('source', left.text, before, ' (', tree, `) as ${name}`, after),
      columns: [...left.columns, ...types.map((type, i) => ({ text: `${name}.c${String(i + 1)}`, type }))],
      rows: mostRows,
    };
  };

  /** A call of a set-returning function on these columns, and its result types. */
  const functionOf = (columns: readonly NamedColumn[]): { call: string; types: readonly TestType[] } => {
    const named = (type: TestType): string[] =>
      columns.flatMap((column) => (column.type === type ? [column.text] : []));
    const numbers = named('bigint');
    const values = named('jsonb');
    if (values.length === 0 || random.chance(0.2)) {
      const list = ['1', ...(numbers.length === 0 ? [] : [random.pick(numbers), random.pick(numbers)])];
      const bound = list.at(-1) ?? '2';
      const call = random.pick([
        `unnest(array[${list.join(', ')}])`,
        `generate_series(3, least(greatest(${bound}, -6), 6)::bigint, ${random.pick(['1', '2', '-1'])})`,
      ]);
      return { call, types: ['bigint'] };
    }
    const value = random.pick(values);
    const { name, kind, types } = random.pick(jsonFunctions);
    return { call: `${name}(case when jsonb_typeof(${value}) = '${kind}' then ${value} end)`, types };
  };

  /** The rows of a function for each row of the items before it. */
  const spread = (left: Source): Source => {
    const name = alias();
    const { call, types } = functionOf(left.columns);
    const numbered = random.chance(0.3);
    const all: readonly TestType[] = numbered ? [...types, 'bigint'] : types;
    const [before, after] = random.pick([
      [', ', ''],
      [' cross join lateral ', ''],
      [' join ', ' on true'],
      [' left join lateral ', ' on true'],
    ] as const);
    const names = all.map((_, i) => `f${String(i + 1)}`);
    const as = `${numbered ? ' with ordinality' : ''} as ${name}(${names.join(', ')})`;
    const own = names.map((column, i) => ({
      text: `${name}.${column}`,
      type: all[i] ?? 'text',
    }));
    return {
      text: part('source', left.text, before, call, as, after),
      columns: [...left.columns, ...own],
      ...(numbered && left.unique !== undefined
        ? { unique: `${left.unique}, ${name}.${names.at(-1) ?? ''}` }
        : {}),
      rows: left.rows * 4,
    };
  };

  /** A subquery with such a function in its select list. */
  const listed = (): Source => {
    const inside = scan(anyTable());
    const name = alias();
    const { call, types } = functionOf(inside.columns);
    const [type = 'bigint'] = types;
    if (types.length > 1) return inside;
    const text = part(
      'source',
      `(select ${inside.unique ?? '1'} as i, ${call} as x from `,
      inside.text,
      `) as ${name}`,
    );
    const columns = [
      { text: `${name}.i`, type: 'bigint' as const },
      { text: `${name}.x`, type },
    ];
    return { text, columns, rows: inside.rows * 4 };
  };

  const from = (depth: number): Source => {
    let whole = source(depth);
    const joins = depth > 0 ? random.pick([0, 0, 0, 1, 1, 2, 3]) : random.pick([0, 0, 0, 1]);
    for (let n = 0; n < joins; n++) whole = joined(whole, source(depth - 1), depth);
    if (whole.rows <= 500 && random.chance(0.08)) whole = spread(whole);
    if (depth > 0 && whole.rows <= 100 && random.chance(0.12)) return lateral(whole, depth - 1);
    return whole;
  };

  return { scan, anyTable, from };
}

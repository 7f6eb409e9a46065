import { createExpressions, type NamedColumn, type Place } from './expressions.ts';
import type { Random } from '@redoubt/testkit';
import { createSources, type SelectRequest } from './sources.ts';
import { optional, part, type SqlPart, type SqlTree } from './sql-tree.ts';
import { testTables, type TestTable, type TestType } from './tables.ts';

/** A generated statement, and whether its order is total. */
export interface TestQuery {
  readonly tree: SqlTree;
  readonly ordered: boolean;
}

const outputTypes: readonly TestType[] = [
  'bigint',
  'bigint',
  'bigint',
  'i4',
  'double',
  'double',
  'numeric',
  'numeric',
  'text',
  'text',
  'text',
  'boolean',
  'boolean',
  'timestamp',
  'timestamptz',
  'date',
  'interval',
  'jsonb',
  'numbers',
  'texts',
];
/**
 * Equal intervals can be written in several ways, so which one PostgreSQL returns for a group depends on the order of
 * rows.
 */
const groupable = (type: TestType): boolean => type !== 'jsonb' && type !== 'interval';
const sortable = (type: TestType): boolean => groupable(type) && type !== 'numbers' && type !== 'texts';
const directions = [
  '',
  ' asc',
  ' desc',
  ' nulls first',
  ' desc nulls last',
  ' desc nulls first',
  ' nulls last',
];

const items = (list: readonly SqlTree[]): SqlTree[] =>
  list.map((item, i) =>
    i === 0 ? part('item', item, ' as c1') : optional(', ', item, ` as c${String(i + 1)}`),
  );

/** Generates statements in the supported core of SQL, over these tables. */
export function createQueries(
  random: Random,
  tables: readonly TestTable[] = testTables,
): { query(): TestQuery } {
  let names = 0;
  const someTypes = (count: number): TestType[] =>
    Array.from({ length: count }, () => random.pick(outputTypes));

  const whereOf = (place: Place, depth: number, probability: number): SqlTree =>
    random.chance(probability) ? optional(' where ', expressions.expression('boolean', depth, place)) : '';

  const plain = ({ types, depth, outer }: SelectRequest): SqlPart => {
    const of = sources.from(depth);
    const place: Place = { columns: of.columns, outer };
    const inList: Place = {
      ...place,
      windows: random.chance(0.2),
      ...(of.unique === undefined ? {} : { unique: of.unique }),
    };
    const distinct = types.every(groupable) && random.chance(0.12) ? optional('distinct ') : '';
    return part(
      'select',
      'select ',
      distinct,
      ...items(types.map((type) => expressions.expression(type, depth, inList))),
      ' from ',
      of.text,
      whereOf(place, depth, 0.6),
    );
  };

  const groupedBy = (keys: readonly string[]): string => {
    const list = keys.join(', ');
    const each = keys.map((key) => `(${key})`).join(', ');
    if (random.chance(0.75)) return list;
    return random.pick([
      `rollup (${list})`,
      `cube (${list})`,
      `grouping sets ((${list}), ${each}, ())`,
      `grouping sets (${each})`,
      `${keys[0] ?? ''}, rollup (${list})`,
    ]);
  };

  /** DISTINCT ON with a total order. */
  const firstOfEach = (): TestQuery => {
    const of = sources.scan(sources.anyTable());
    const candidates = of.columns.filter(({ type }) => groupable(type));
    const on = [random.pick(candidates), random.pick(candidates)]
      .slice(random.int(2))
      .map(({ text }) => text);
    const place: Place = { columns: of.columns, outer: [] };
    const outputs = someTypes(1 + random.int(2)).map((type) => expressions.expression(type, 1, place));
    const order = [...on.map((key) => `${key}${random.pick(directions)}`), of.unique ?? ''].join(', ');
    const tree = part(
      'select',
      `select distinct on (${on.join(', ')}) `,
      ...items(outputs),
      ' from ',
      of.text,
      whereOf(place, 1, 0.4),
      ` order by ${order}`,
    );
    return { tree, ordered: false };
  };

  const grouped = ({ types, depth, outer, single }: SelectRequest): SqlPart => {
    const of = sources.from(depth);
    const place: Place = { columns: of.columns, outer };
    const candidates = of.columns.filter(({ type }) => groupable(type));
    const keys: NamedColumn[] = [];
    const count = single === true ? 0 : random.pick([0, 1, 1, 1, 2, 2, 3]);
    for (let n = 0; n < count && candidates.length > 0; n++) keys.push(random.pick(candidates));
    const inList: Place = { ...place, keys };
    const by = keys.length === 0 ? '' : part('group', ' group by ', groupedBy(keys.map(({ text }) => text)));
    const having =
      single !== true && random.chance(0.25)
        ? optional(' having ', expressions.expression('boolean', Math.min(depth, 1), inList))
        : '';
    return part(
      'select',
      'select ',
      ...items(types.map((type) => expressions.expression(type, Math.min(depth, 1), inList))),
      ' from ',
      of.text,
      whereOf(place, depth, 0.4),
      by,
      having,
    );
  };

  const setOperation = (request: SelectRequest): SqlPart => {
    const inner: SelectRequest = { ...request, depth: request.depth - 1, whole: false };
    const operator = random.pick([
      'union all',
      'union',
      'intersect',
      'except',
      'union all',
      'except all',
      'intersect all',
    ]);
    const sides = [select(inner).tree, select(inner).tree];
    return part('select', sides[0] ?? '', ` ${operator} `, sides[1] ?? '');
  };

  const orderOf = (types: readonly TestType[]): SqlTree => {
    const places = types.map((_, i) => i + 1);
    const list = places.map((place) => `${String(place)}${random.pick(directions)}`);
    return optional(` order by ${list.join(', ')}`);
  };

  const select = (request: SelectRequest): { tree: SqlPart; ordered: boolean } => {
    const { types, depth, whole, single } = request;
    const canSet = whole && depth > 0 && types.every(groupable) && single !== true;
    const body =
      canSet && random.chance(0.15)
        ? setOperation(request)
        : single === true || random.chance(0.3)
          ? grouped(request)
          : plain(request);
    if (!whole || !types.every(sortable) || random.chance(0.5)) return { tree: body, ordered: false };
    const limit = random.chance(0.5) ? optional(` limit ${String(random.int(20))}`) : '';
    const offset = random.chance(0.3) ? optional(` offset ${String(random.int(8))}`) : '';
    return { tree: part('select', body, orderOf(types), limit, offset), ordered: true };
  };

  const sources = createSources({
    random,
    tables,
    alias: () => `t${String(++names)}`,
    someTypes,
    condition: (depth, place) => expressions.expression('boolean', depth, place),
    select: (request) => select(request),
  });

  const expressions = createExpressions(random, {
    scalar: (type, depth, place) => {
      const outer = [...place.columns, ...place.outer];
      const { tree } = select({
        types: [type],
        depth: Math.min(depth, 1),
        outer,
        whole: false,
        single: true,
      });
      return part(type, '(', tree, ')');
    },
    column: (type, depth, place) =>
      select({
        types: [type],
        depth: Math.min(depth, 1),
        outer: [...place.columns, ...place.outer],
        whole: false,
      }).tree,
    any: (depth, place) => {
      const of = sources.scan(sources.anyTable());
      const outer = [...place.columns, ...place.outer];
      const mine = of.columns.find(({ type }) => type === 'bigint');
      const theirs = outer.filter(({ type }) => type === 'bigint');
      const tied =
        mine !== undefined && theirs.length > 0 && random.chance(0.7)
          ? ` where ${mine.text} = ${random.pick(theirs).text}`
          : '';
      const condition = expressions.expression('boolean', Math.min(depth, 1), { columns: of.columns, outer });
      return part(
        'select',
        'select 1 from ',
        of.text,
        tied,
        optional(tied === '' ? ' where ' : ' and ', condition),
      );
    },
  });

  const withQueries = (depth: number): TestQuery => {
    const name = `q${String(++names)}`;
    const types = someTypes(1 + random.int(3));
    const inner = select({ types, depth: depth - 1, outer: [], whole: false });
    const columns = types.map((type, i) => ({ text: `${name}.c${String(i + 1)}`, type }));
    const place: Place = { columns, outer: [] };
    const outputs = someTypes(1 + random.int(2));
    const isEqualable = types[0] !== undefined && groupable(types[0]);
    const again =
      isEqualable && random.chance(0.25)
        ? optional(` where ${name}.c1 in (select other.c1 from ${name} as other)`)
        : '';
    const tree = part(
      'select',
      `with ${name} as (`,
      inner.tree,
      ') select ',
      ...items(outputs.map((type) => expressions.expression(type, 1, place))),
      ` from ${name}`,
      again === '' ? whereOf(place, 1, 0.5) : again,
    );
    return { tree, ordered: false };
  };

  return {
    query() {
      names = 0;
      const depth = random.pick([0, 1, 1, 2, 2, 3]);
      if (depth > 0 && random.chance(0.1)) return withQueries(depth);
      if (random.chance(0.03)) return firstOfEach();
      const types = someTypes(1 + random.int(4));
      return select({ types, depth, outer: [], whole: true });
    },
  };
}

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { RedoubtError } from '@redoubt/errors';
import { parseSql } from '@redoubt/query';
import { readTestEffort } from '@redoubt/testkit';
import {
  oracleRows,
  oracleText,
  type Condition,
  type OracleColumn,
  type OracleQuery,
  type Output,
  type Row,
  type Value,
} from './oracle.ts';
import { createRandom, type Random } from '@redoubt/testkit';
import { openTestStore, textOf, type TestStore } from '@redoubt/records/testing';

const statements = readTestEffort('REDOUBT_SQL_ORACLE', 200);
const firstSeed = readTestEffort('REDOUBT_SQL_SEED', 1);
const statementsOfOneWorld = 40;

/** Labels, and who satisfies them, written by hand. */
const labels: [string, (held: readonly string[]) => boolean][] = [
  ['', () => true],
  ['A', (held) => held.includes('A')],
  ['A&B', (held) => held.includes('A') && held.includes('B')],
  ['A|B', (held) => held.includes('A') || held.includes('B')],
  ['C', (held) => held.includes('C')],
];
const readers: readonly (readonly string[])[] = [[], ['A'], ['B'], ['A', 'B'], ['C'], ['A', 'B', 'C']];
const names = ['one', 'two'] as const;
const texts = ['', 'a', 'b', 'B', 'é', '東', "it's", '\\'];

interface Labelled {
  readonly label: number;
  readonly row: Row;
}

let t: TestStore;
before(async () => {
  t = await openTestStore();
});
after(async () => {
  await t.close();
});

/** Records whose fields depend on their labels: `m` is a text in some, and only records of one label have `rare`. */
function recordsOf(random: Random): Labelled[] {
  const first = { label: 0, row: { k: 0, n: 0, s: 'a', m: 0 } };
  const others = Array.from({ length: 5 + random.int(40) }, () => {
    const label = random.int(labels.length);
    const row: Record<string, Value> = {};
    const give = (name: string, value: Value): void => {
      if (random.chance(0.85)) row[name] = random.chance(0.1) ? null : value;
    };
    give('k', random.int(5));
    give('n', random.int(2001) - 1000);
    give('s', random.pick(texts));
    give('m', label === 2 ? random.pick(texts) : random.int(4));
    if (label === 4) give('rare', random.int(3));
    return { label, row };
  });
  return [first, ...others];
}

type FieldTypes = ReadonlyMap<string, 'number' | 'text'>;

/** The fields of these records: a number if all values are numbers, otherwise a text. */
const fieldsOf = (rows: readonly Row[]): FieldTypes =>
  new Map(
    [...new Set(rows.flatMap((row) => Object.keys(row)))].map((name) => {
      const values = rows.map((row) => row[name] ?? null).filter((value) => value !== null);
      const isNumber = values.length > 0 && values.every((value) => typeof value === 'number');
      return [name, isNumber ? 'number' : 'text'];
    }),
  );

/** The records with values converted to the types of the reader's columns. */
const typed = (rows: readonly Row[], fields: FieldTypes): Row[] =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        value !== null && fields.get(name) === 'text' ? String(value) : value,
      ]),
    ),
  );

/** The required attribute of each labelled column. */
type ColumnTokens = Readonly<Record<string, string>>;

interface World {
  readonly ids: ReadonlyMap<string, string>;
  readonly records: Readonly<Record<string, readonly Labelled[]>>;
  readonly columns: Readonly<Record<string, ColumnTokens>>;
}

/** The visible part of a record for these attributes. */
const seenOf = (row: Row, columns: ColumnTokens, held: readonly string[]): Row =>
  Object.fromEntries(
    Object.entries(row).filter(([name]) => {
      const token = columns[name];
      return token === undefined || held.includes(token);
    }),
  );

async function writeWorld(random: Random): Promise<World> {
  const ids = new Map<string, string>();
  const records: Record<string, Labelled[]> = {};
  const columns: Record<string, ColumnTokens> = {};
  for (const name of names) {
    const id = await t.dataset();
    ids.set(name, id);
    const own = recordsOf(random);
    records[name] = own;
    const labelled = ['n', 's', 'm', 'rare'].filter(() => random.chance(0.3));
    columns[name] = Object.fromEntries(labelled.map((column) => [column, random.pick(['A', 'B', 'C'])]));
    t.labelColumns(id, columns[name]);
    for (const [place, [label]] of labels.entries()) {
      const rows = own.filter((record) => record.label === place).map(({ row }) => row);
      const labelInfo = { label, parserClassName: 'apply-label-to-all-records-parser' };
      if (rows.length > 0) await t.write(id, rows, label === '' ? {} : { labelInfo });
    }
  }
  return { ids, records, columns };
}

/** A statement. It may name a field that is absent for the reader. */
function statementOf(random: Random, fields: Readonly<Record<string, FieldTypes>>): OracleQuery {
  const left = random.pick(names);
  const join = random.chance(0.35)
    ? { kind: random.pick(['inner', 'left'] as const), right: left === 'one' ? 'two' : 'one', on: 'k' }
    : undefined;
  const tables = join === undefined ? [left] : [left, join.right];
  const column = (): OracleColumn => ({
    of: random.pick(tables),
    name: random.pick(['k', 'n', 's', 'm', 'k', 'n', 's', 'm', 'rare']),
  });
  const typeOf = ({ of, name }: OracleColumn) => fields[of]?.get(name);
  const condition = (depth: number): Condition => {
    if (depth > 0 && random.chance(0.5)) {
      if (random.chance(0.25)) return { kind: 'not', part: condition(depth - 1) };
      const parts = Array.from({ length: 2 + random.int(2) }, () => condition(depth - 1));
      return { kind: random.pick(['and', 'or'] as const), parts };
    }
    const named = column();
    if (random.chance(0.2)) return { kind: 'null', column: named };
    const value = typeOf(named) === 'text' ? random.pick(texts) : random.int(5) * random.pick([1, 1, 100]);
    return { kind: 'compare', column: named, operator: random.pick(['<', '<>', '=', '>='] as const), value };
  };
  const aggregate = (): Output => {
    const named = column();
    const kinds = ['count', 'distinct', 'max', 'min'] as const;
    const kind =
      typeOf(named) === 'text' ? random.pick(kinds) : random.pick([...kinds, 'sum', 'sum'] as const);
    return random.chance(0.3) ? { kind: 'rows' } : { kind, column: named };
  };
  const groupBy = random.chance(0.5) ? Array.from({ length: random.int(3) }, column) : undefined;
  const outputs: Output[] =
    groupBy === undefined
      ? Array.from({ length: 1 + random.int(3) }, () => ({ kind: 'column', column: column() }))
      : [
          ...groupBy.map((key): Output => ({ kind: 'column', column: key })),
          ...Array.from({ length: 1 + random.int(2) }, aggregate),
        ];
  const ordered = random.chance(0.6);
  return {
    left,
    ...(join === undefined ? {} : { join }),
    ...(random.chance(0.7) ? { where: condition(2) } : {}),
    ...(groupBy === undefined ? {} : { groupBy }),
    ...(groupBy !== undefined && random.chance(0.3) ? { havingMoreThan: random.int(4) } : {}),
    outputs,
    ordered,
    ...(ordered && random.chance(0.4) ? { limit: random.int(8) } : {}),
  };
}

/** The columns that a statement names. */
const namedColumns = (part: unknown): OracleColumn[] => {
  if (typeof part !== 'object' || part === null) return [];
  if ('of' in part && 'name' in part) return [part as OracleColumn];
  return Object.values(part).flatMap(namedColumns);
};

async function resultOf({ ids }: World, text: string, held: readonly string[]): Promise<Value[][]> {
  const sources = await Promise.all(
    [...ids].map(async ([name, id]) => {
      const visible = await t.visible(id, ...held);
      return { id, name, visible, fields: await t.store.fields(id, visible) };
    }),
  );
  const { rows, total } = await t.store.sql({
    parsed: await parseSql(text),
    find: ({ folded }) => sources.find(({ name }) => name === folded),
    limit: -1,
    offset: 0,
    internalFields: undefined,
    now: new Date('2024-01-01T00:00:00Z'),
    signal: new AbortController().signal,
  });
  const counted = await total();
  const results = JSON.parse(`[${await textOf(rows)}]`) as Record<string, Value>[];
  assert.equal(counted, results.length);
  assert.equal(await total(), results.length);
  return results.map((row) => Object.values(row));
}

test('made-up statements of readers with random attributes have the rows that their records and columns alone give', async () => {
  let succeeded = 0;
  let world: World | undefined;
  for (let seed = firstSeed; seed < firstSeed + statements; seed++) {
    if (world === undefined || (seed - firstSeed) % statementsOfOneWorld === 0) {
      world = await writeWorld(createRandom(Math.floor(seed / statementsOfOneWorld)));
    }
    const random = createRandom(seed);
    const held = random.pick(readers);
    const seen = Object.fromEntries(
      names.map((name) => [
        name,
        (world?.records[name] ?? [])
          .filter(({ label }) => labels[label]?.[1](held))
          .map(({ row }) => seenOf(row, world?.columns[name] ?? {}, held)),
      ]),
    );
    const fields = Object.fromEntries(names.map((name) => [name, fieldsOf(seen[name] ?? [])]));
    const visible = Object.fromEntries(
      names.map((name) => [name, typed(seen[name] ?? [], fields[name] ?? new Map())]),
    );
    const query = statementOf(random, fields);
    const text = oracleText(query);
    const shown = `REDOUBT_SQL_SEED=${String(seed)} for [${held.join(', ')}]: ${text}`;
    const isKnown = namedColumns(query).every(({ of, name }) => fields[of]?.has(name) === true);
    if (!isKnown) {
      await assert.rejects(
        resultOf(world, text, held),
        (error) =>
          error instanceof RedoubtError &&
          error.name === 'SqlParseError' &&
          / does not exist /.test(error.message),
        shown,
      );
      continue;
    }
    const result = await resultOf(world, text, held);
    const expected = oracleRows(query, visible);
    const sorted = query.ordered ? result : result.map((row) => JSON.stringify(row)).toSorted();
    assert.deepEqual(
      sorted,
      query.ordered ? expected : expected.map((row) => JSON.stringify(row)).toSorted(),
      shown,
    );
    if (expected.length > 0) succeeded += 1;
  }
  assert.ok(succeeded > statements / 3, `only ${String(succeeded)} statements had rows`);
});

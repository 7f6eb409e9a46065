/* Shows: D-sql-large-objects */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { findNamed, parseSql } from '@redoubt/query';
import { createRandom, type Random } from '@redoubt/testkit';
import { openTestStore, textOf } from '../testing/test-store.ts';

const t = await openTestStore();
after(t.close);

type Json = boolean | null | number | string | Json[] | { [key: string]: Json };

/** Reads a column called `x` of a statement over the dataset `t`. */
async function column(id: string, statement: string): Promise<unknown[]> {
  const visible = await t.visible(id);
  const source = { id, name: 't', visible, fields: await t.store.fields(id, visible) };
  const reading = await t.store.sql({
    parsed: await parseSql(statement),
    find: (name) => findNamed([source], (each) => each.name, name),
    limit: -1,
    offset: 0,
    now: new Date(0),
  });
  const rows = JSON.parse(`[${await textOf(reading.rows)}]`) as { x: unknown }[];
  return rows.map(({ x }) => x);
}

/** Prints a value as PostgreSQL prints a jsonb. */
function printed(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(printed).join(', ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => ({ key: Buffer.from(key), member }));
  members.sort((a, b) => a.key.length - b.key.length || Buffer.compare(a.key, b.key));
  const texts = members.map(({ key, member }) => `${JSON.stringify(key.toString())}: ${printed(member)}`);
  return `{${texts.join(', ')}}`;
}

const size = 500_000;

const largeObjects: Readonly<Record<string, () => { [key: string]: Json }>> = {
  'of many members': () =>
    Object.fromEntries(
      Array.from({ length: 8_000 }, (_, i) => [
        `k${String((i * 7919) % 8009)}`,
        `${String(i)} ${'v'.repeat(45)}`,
      ]),
    ),
  'with a list of many objects': () => ({
    list: Array.from({ length: size / 50 }, (_, id) => ({ name: 'x', id, at: [1, 2.5, null], ok: true })),
  }),
  'with long strings': () => ({ longest: 'é "x"\\ '.repeat(size / 10), a: 1 }),
  'that are nested deeply': () => {
    let o: { [key: string]: Json } = { end: true };
    for (let level = 0; level < 90; level++) o = { down: o, text: 'x'.repeat(size / 90), b: level };
    return o;
  },
};

for (const [name, make] of Object.entries(largeObjects)) {
  test(`objects of 500 KB ${name} are cast to text within the ordinary limits, with and without hidden columns`, async () => {
    const visible = make();
    const hidden = { out: { secret: ['a', { b: 1 }] }, ...visible };
    const expected = printed(visible);
    for (const [object, labels] of [
      [visible, {}],
      [hidden, { 'o.out': 'A' }],
    ] as const) {
      const id = await t.dataset();
      t.labelColumns(id, labels);
      for (let n = 0; n < 4; n++) await t.write(id, JSON.stringify([{ n, o: object }]));
      assert.deepEqual(await column(id, 'SELECT DISTINCT o::text AS x FROM t'), [expected]);
      const lengths = await column(id, 'SELECT max(length(o::varchar)) AS x FROM t');
      assert.deepEqual(lengths, [Array.from(expected).length]);
    }
  });
}

const strings = [
  '',
  'a',
  'b',
  'aa',
  'Z',
  ':',
  ': ',
  '{',
  '}',
  ',',
  '"',
  '\\',
  '\\"',
  'é',
  '𝒳',
  '/',
  '\n',
  'a":',
];

function randomValue(random: Random, depth: number): Json {
  const kind = random.int(depth > 4 ? 4 : 8);
  if (kind === 0) return random.pick([null, true, false]);
  if (kind === 1) return random.pick([0, -1, 2.5, 7_000_000]);
  if (kind === 2) return random.pick(strings);
  if (kind === 3) return random.pick<Json>([[], {}]);
  if (kind < 6) return Array.from({ length: random.int(5) }, () => randomValue(random, depth + 1));
  return randomObject(random, depth);
}

const randomObject = (random: Random, depth: number): { [key: string]: Json } =>
  Object.fromEntries(
    Array.from({ length: random.int(7) }, () => [random.pick(strings), randomValue(random, depth + 1)]),
  );

test('objects and arrays become the text that PostgreSQL gives, whatever their shape and hidden columns', async () => {
  const random = createRandom(1);
  const visible = Array.from({ length: 400 }, () => randomObject(random, 0));
  const hidden = visible.map((object) => ({ out: randomValue(random, 0), ...object }));
  const expected = visible.map(printed);
  for (const [objects, labels] of [
    [visible, {}],
    [hidden, { 'o.out': 'A' }],
  ] as const) {
    const id = await t.dataset();
    t.labelColumns(id, labels);
    await t.write(id, JSON.stringify(objects.map((o, n) => ({ n, o, list: [visible[n] ?? null] }))));
    for (const spelling of ['o::text', 'CAST(o AS text)', "concat(o, '')"]) {
      assert.deepEqual(await column(id, `SELECT ${spelling} AS x FROM t ORDER BY n`), expected, spelling);
    }
    const lists = await column(id, 'SELECT list::text AS x FROM t ORDER BY n');
    assert.deepEqual(
      lists,
      expected.map((text) => `[${text}]`),
    );
  }
});

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import * as fc from 'fast-check';
import type { TestClickhouse } from '@redoubt/testkit';
import { startTestClickhouse } from '../../testing/index.ts';
import { openTestStore, type TestStore } from '../../testing/test-store.ts';
import { openClickhouseEngine } from '../engine/clickhouse-engine.ts';

const hidden = ['h', 'p.h', 'p.q.r', 'a.b'];
/** So large that the engine carries over what is stored for all records of the portion. */
const large = 'Über 12:30 '.repeat(8000);

const key = fc.constantFrom('h', 'p', 'q', 'r', 'a', 'b', 'p.h', 'a.b', 'é');
const leaf = fc.constantFrom<unknown>(
  null,
  true,
  7,
  -0.5,
  1e300,
  '',
  'two words',
  '2026-11-25T10:00:00Z',
  '\ud800',
  'a\u0001b\t"\\',
  '東京都',
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const record = fc.dictionary(key, value, { maxKeys: 5, noNullPrototype: true });
/** JSON with numbers that need their text, and with keys that occur twice. */
const specials = [
  '{"h":1.0,"p":{"h":-0,"q":{"r":12345678901234567890123}}}',
  '{"p":{"h":1},"p":{}}',
  '{"p":{"h":1},"p":{"h":"second"}}',
  '{"h":1,"h":2}',
  '{"p.h":1,"p":{"h":"second"}}',
  '{"p.h":1,"p":{"h":2}}',
  '{"p":[{"h":1}]}',
  '{"p":[{"h":"1 a"},{"h":[2]}],"h":[[1,"x"],{"h":"2026-01-01"}]}',
];
const special = fc.constantFrom(...specials);
/** What may become of the objects and arrays around the hidden values of the special records. */
const around = [
  '{}',
  '{"p":{}}',
  '{"p":{"q":{}}}',
  '{"p":[]}',
  '{"p":[{}]}',
  '{"p":[{},{}]}',
  '{"p":{},"p":{}}',
];
const text = fc.oneof({ weight: 3, arbitrary: record.map((each) => JSON.stringify(each)) }, special);

type Replaced = [old: string, sent: string];

const withId = (json: string, id: string): string =>
  `{"_koverse_record_id":"${id}"${json === '{}' ? '' : ','}${json.slice(1)}`;

/** What is stored for each text besides the text, in an order that does not depend on the order of its members. */
async function stored(t: TestStore, id: string): Promise<Map<string, Set<string>>> {
  const rows = await t.engine.text(
    `SELECT raw, toString(doc), arraySort(fields), arraySort(splitByChar('\\x01', words)),
       arraySort(arrayMap((a, b, c) -> toString((a, b, c)), loose_path, loose_text, loose_num)),
       arraySort(arrayMap((a, b) -> (a, b), time_path, time_us))
     FROM ${t.database}.ds_${id.replaceAll('-', '_')}`,
    { lane: 'short' },
  );
  const found = new Map<string, Set<string>>();
  for (const row of rows.split('\n').filter((line) => line !== '')) {
    const [raw = '', ...rest] = row.split('\t');
    found.set(raw, (found.get(raw) ?? new Set()).add(rest.join('\t')));
  }
  return found;
}

/** Replaces records together with a large one, stores new records with the texts that result, and compares the rows. */
async function requireSameRows(t: TestStore, replacements: readonly Replaced[]): Promise<void> {
  const id = await t.dataset();
  t.labelColumns(id, Object.fromEntries(hidden.map((path) => [path, 'S'])));
  const before = [...replacements.map(([old]) => old), JSON.stringify({ h: large })];
  const sent = [...replacements.map(([, text]) => text), '{"n":1}'];
  await t.write(id, `[${before.join(',')}]`);
  const ids = (await t.records(id)).map((each) => String(each['_koverse_record_id']));
  await t.write(id, `[${sent.map((each, at) => withId(each, ids[at] ?? '')).join(',')}]`);
  await t.write(id, `[${[...(await stored(t, id)).keys()].join(',')}]`);
  for (const [raw, rows] of await stored(t, id)) assert.equal(rows.size, 1, raw.slice(0, 300));
  await t.store.dropDataset(id);
}

for (const engine of ['the embedded engine', 'a ClickHouse server']) {
  describe(`what is stored for a record whose large hidden columns are kept, on ${engine},`, () => {
    let server: TestClickhouse | undefined;
    let t: TestStore;
    before(async () => {
      if (engine === 'a ClickHouse server') server = await startTestClickhouse();
      const client = server && (await openClickhouseEngine({ ...server, random: { bytes: randomBytes } }));
      t = await openTestStore({}, client);
    });
    after(async () => {
      await t.close();
      await server?.stop();
    });

    test('equals what is stored for a new record with the same text', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(text, text), { minLength: 10, maxLength: 20 }),
          async (replacements) => requireSameRows(t, replacements),
        ),
        { numRuns: 6 },
      );
    });

    test('is the same if the engine has too little memory to complete several rows at once', async () => {
      const little = await openTestStore({ queryMemoryBytes: 12_000_000 }, t.engine);
      const long = JSON.stringify({ h: 'Über 12:30 '.repeat(30_000) });
      await requireSameRows(
        little,
        Array.from({ length: 4 }, (): Replaced => [long, '{"n":2}']),
      );
    });

    test('is complete where values move or a key occurs twice', async () => {
      await requireSameRows(
        t,
        specials.flatMap((old) => around.map((sent): Replaced => [old, sent])),
      );
    });
  });
}

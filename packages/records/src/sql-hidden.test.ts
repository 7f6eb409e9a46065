import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findNamed, parseSql } from '@redoubt/query';
import { openTestStore, type TestStore } from '../testing/test-store.ts';

let fixture: TestStore;
before(async () => {
  fixture = await openTestStore();
});
after(async () => {
  await fixture.close();
});

const labelInfo = {
  parserClassName: 'identity-parser',
  fields: ['label'],
  labelHandlingPolicy: 'ignore',
} as const;

/** Runs a statement over a dataset, named `ds` in the statement, as a reader without attributes. */
async function reading(datasetId: string, statement: string, isTable = false) {
  const visible = await fixture.visible(datasetId);
  const source = {
    id: datasetId,
    name: 'ds',
    visible,
    fields: await fixture.store.fields(datasetId, visible),
  };
  return fixture.store.sql({
    parsed: await parseSql(statement),
    find: (name) => findNamed([source], (known) => known.name, name),
    limit: -1,
    offset: 0,
    isTable,
    now: new Date('2024-05-06T07:08:09.123Z'),
  });
}

async function gathered(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all).toString();
}

const rowsOf = async (datasetId: string, statement: string): Promise<string> =>
  gathered((await reading(datasetId, statement)).rows);

test('the compiled statement does not disclose the types of hidden values', async () => {
  const [full, seen] = [await fixture.dataset(), await fixture.dataset()];
  const shown = '{"word":"a","count":1,"exact":0.5,"tree":{"leaf":true}}';
  await fixture.write(full, `[${shown}]`, { labelInfo });
  await fixture.write(seen, `[${shown}]`, { labelInfo });
  const hidden =
    '{"word":5,"count":18446744073709551615,"exact":1e400,"tree":[{"leaf":"x"}],"word.x":1,"label":"A"}';
  await fixture.write(full, `[${hidden}]`, { labelInfo });
  const fieldsOf = async (id: string) => fixture.store.fields(id, await fixture.visible(id));
  assert.deepEqual(await fieldsOf(full), await fieldsOf(seen));
});

test('both zeros come in one order, whichever was stored first', async () => {
  const statements = [
    'SELECT x FROM (SELECT x FROM ds) AS s',
    'SELECT x FROM (SELECT x FROM ds) AS s ORDER BY x DESC LIMIT 1',
    'SELECT x FROM ds UNION ALL SELECT x FROM ds',
    'SELECT array_agg(x), array_agg(x ORDER BY abs(x)) FROM ds',
    'SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY x), mode() WITHIN GROUP (ORDER BY x) FROM ds',
    'SELECT first_value(x) OVER (ORDER BY x) FROM (SELECT x FROM ds) AS s',
    'SELECT v FROM (SELECT ARRAY[x] AS v FROM ds) AS s',
  ];
  const [one, other] = [await fixture.dataset(), await fixture.dataset()];
  for (const zero of ['0.0', '-0.0', '0.0']) await fixture.write(one, `[{"x":${zero}}]`);
  for (const zero of ['-0.0', '0.0', '0.0']) await fixture.write(other, `[{"x":${zero}}]`);
  for (const statement of statements) {
    assert.equal(await rowsOf(one, statement), await rowsOf(other, statement), statement);
  }
});

test('columns of a file hold their own values, whatever their names are', async () => {
  const id = await fixture.dataset();
  await fixture.write(id, '[{"c0":"zero","c1":"one","row_values":"two"}]');
  const statement = 'SELECT c0 AS c1, c1 AS c0, row_values, 5 AS c, 6 AS cc3 FROM ds';
  const csv = await gathered((await reading(id, statement, true)).table('csv'));
  assert.equal(csv, '"c1","c0","row_values","c","cc3"\r\n"zero","one","two",5,6\r\n');
  const visible = await fixture.visible(id);
  const schema = await fixture.store.schema(id, visible, {});
  const records = fixture.store.table({ datasetId: id, visible, schema, format: 'csv', limit: -1 });
  assert.equal(await gathered(records), '"c0","c1","row_values"\r\n"zero","one","two"\r\n');
});

test('a jsonb that is written over several lines is one value of one row', async () => {
  const id = await fixture.dataset();
  await fixture.write(id, '[{"n":1},{"n":2}]');
  const rows = await rowsOf(id, `SELECT E'{"a":\\r\\n\\t[1,\\n2]}'::jsonb AS j FROM ds`);
  assert.deepEqual(JSON.parse(`[${rows}]`), [{ j: { a: [1, 2] } }, { j: { a: [1, 2] } }]);
});

/* Shows: D-replace-hidden-columns, L8, R-abac-columns */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { findNamed, parseLucene, parseSql } from '@redoubt/query';
import { openTestStore, textOf } from '../testing/test-store.ts';

const t = await openTestStore();
after(t.close);

const records = [
  '{"name":"ann","ssn":"123 alpha","pay":{"grade":7,"note":"secret bonus"},"tags":["x"],"n":1.50}',
  '{"name":"bob","pay":{"grade":"high"},"alpha":"beta","n":2}',
  '{"ssn":"beta","name":"cyd","pay":[{"grade":1,"note":"n1"},{"note":"n2"}],"n":3}',
  '{"name":"dan","pay.note":"loose","n":4}',
];
const visibleTexts = [
  '{"name":"ann","pay":{"grade":7},"tags":["x"],"n":1.50}',
  '{"name":"bob","pay":{"grade":"high"},"alpha":"beta","n":2}',
  '{"name":"cyd","pay":[{"grade":1},{}],"n":3}',
  '{"name":"dan","n":4}',
];
const labels = { ssn: 'PII', 'pay.note': 'HR&PII' };

/** Writes each record in a millisecond of its own, because ids of the same millisecond have no order. */
async function writeInOrder(id: string, texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await t.write(id, `[${text}]`);
    for (const now = Date.now(); Date.now() === now;) await new Promise(setImmediate);
  }
}

async function labelled(): Promise<string> {
  const id = await t.dataset();
  await writeInOrder(id, records);
  t.labelColumns(id, labels);
  return id;
}

/** Creates a dataset that has only the visible parts of the same records, and no labelled columns. */
async function without(): Promise<string> {
  const id = await t.dataset();
  await writeInOrder(id, visibleTexts);
  return id;
}

async function sql(id: string, statement: string, ...attributes: string[]) {
  const visible = await t.visible(id, ...attributes);
  const source = { id, name: 'people', visible, fields: await t.store.fields(id, visible) };
  const reading = await t.store.sql({
    parsed: await parseSql(statement),
    find: (name) => findNamed([source], (each) => each.name, name),
    limit: -1,
    offset: 0,
    now: new Date(0),
  });
  return {
    rows: JSON.parse(`[${await textOf(reading.rows)}]`) as unknown[],
    total: await reading.total(),
    schema: reading.schema,
  };
}

const names = async (each: string): Promise<string[]> =>
  (await t.store.fields(each, await t.visible(each))).map(({ path }) => path);

const file = async (
  each: string,
  format: 'csv' | 'parquet' | 'arrow',
  expression?: string,
): Promise<Buffer> => {
  const visible = await t.visible(each);
  const schema = await t.store.schema(each, visible, {});
  const read = { datasetId: each, visible, schema, format, limit: -1 };
  const pieces: Uint8Array[] = [];
  const table =
    expression === undefined
      ? t.store.table(read)
      : t.store.table({ ...read, tree: parseLucene(expression), offset: 0 });
  for await (const piece of table) pieces.push(piece);
  return Buffer.concat(pieces);
};

const outcome = async (work: () => Promise<unknown>): Promise<unknown> =>
  work().catch((error: unknown) => String(error));

test('a record comes without the columns whose labels its reader does not satisfy, as far as they are in it', async () => {
  const id = await labelled();
  assert.deepEqual(await t.texts(id), visibleTexts.toSorted());
  assert.deepEqual(await t.texts(id, 'PII', 'HR'), records.toSorted());
  assert.deepEqual(
    await t.texts(id, 'PII'),
    records
      .map((text) => text.replaceAll(/,"note":"[^"]*"|"note":"[^"]*"|,"pay.note":"loose"/g, ''))
      .toSorted(),
  );
});

test('a search finds no word, total or existence in a hidden column', async () => {
  const [id, twin] = [await labelled(), await without()];
  for (const expression of [
    'alpha',
    '123',
    'beta',
    '"123 alpha"',
    '"secret bonus"',
    'secret',
    'n1',
    'loose',
    'sec*',
    '/lo+se/',
    'bon?s',
    'NOT secret',
    'ssn:*',
    '_exists_:ssn',
    'pay.note:*',
    'ssn:alpha',
    'ssn:[a TO z]',
    'pay.note:secret',
    'pay.grade:7',
    'pay.grade:*',
    'ssn.x:1',
    '-ssn:beta',
    'name:ann AND NOT pay.note:secret',
    'pay:*',
    '7',
    'high',
    '*:*',
  ]) {
    assert.deepEqual(await t.search(id, expression), await t.search(twin, expression), expression);
  }
  assert.equal((await t.search(id, 'secret', 'PII', 'HR')).total, 1);
  assert.equal((await t.search(id, 'secret', 'PII')).total, 0);
});

test('a word in a hidden column is not found either where a dataset has hundreds of fields', async () => {
  const id = await t.dataset();
  const fields = Array.from({ length: 700 }, (_, i) => `"f${String(i)}":"word${String(i)} of many"`);
  await t.write(id, [`[{${fields.join(',')}}`, '{"f3":"seen","f4":"unseen pair"}]'].join(','));
  t.labelColumns(id, { f4: 'PII', f600: 'PII' });
  for (const [expression, total] of [
    ['word3', 1],
    ['word4', 0],
    ['word600', 0],
    ['unseen', 0],
    ['"unseen pair"', 0],
    ['"word5 of"', 1],
    ['word6?', 1],
    ['word600*', 0],
    ['unse*', 0],
    ['/uns..n/', 0],
    ['/s..n/', 1],
    ['NOT unseen', 2],
  ] as const) {
    assert.equal((await t.search(id, expression)).total, total, expression);
  }
  assert.equal((await t.search(id, 'unseen', 'PII')).total, 1);
});

test('the schema and the fields of a statement know no hidden column', async () => {
  const [id, twin] = [await labelled(), await without()];
  for (const nested of [false, true]) {
    assert.deepEqual(
      await t.store.schema(id, await t.visible(id), { nested }),
      await t.store.schema(twin, await t.visible(twin), { nested }),
    );
  }
  assert.deepEqual(await names(id), await names(twin));
});

test('a statement over hidden columns returns what it returns without these columns', async () => {
  const [id, twin] = [await labelled(), await without()];
  for (const statement of [
    'SELECT * FROM people',
    'SELECT name, n FROM people WHERE n > 1 ORDER BY n DESC',
    'SELECT pay FROM people',
    'SELECT pay, count(*) FROM people GROUP BY pay',
    "SELECT pay ->> 'grade', pay -> 'note' FROM people",
    'SELECT ssn FROM people',
    'SELECT name FROM people ORDER BY ssn',
    "SELECT name FROM people WHERE ssn LIKE '1%'",
    'SELECT SSN FROM people',
    'SELECT pay.note FROM people',
    'SELECT a.name FROM people a JOIN people b USING (ssn)',
    'SELECT a.* FROM people a JOIN people b ON a.n = b.n',
    'SELECT count(*) FROM people',
    'SELECT tags, alpha FROM people',
    'SELECT people.ssn FROM people',
    'SELECT max(n), min(pay::text) FROM people',
  ]) {
    assert.deepEqual(
      await outcome(() => sql(id, statement)),
      await outcome(() => sql(twin, statement)),
      statement,
    );
  }
});

test('files contain no hidden column, and no hidden part of a value', async () => {
  const [id, twin] = [await labelled(), await without()];
  for (const format of ['csv', 'arrow', 'parquet'] as const) {
    assert.deepEqual(await file(id, format), await file(twin, format), format);
    assert.deepEqual(await file(id, format, 'NOT secret'), await file(twin, format, 'NOT secret'), format);
  }
});

test('a replaced record keeps the columns hidden from its writer, and ignores what the writer sent for them', async () => {
  const id = await labelled();
  const all = ['PII', 'HR'];
  const byName = async (name: string): Promise<string> =>
    String((await t.records(id, ...all)).find((each) => each['name'] === name)?.['_koverse_record_id']);
  const [ann, cyd, dan] = [await byName('ann'), await byName('cyd'), await byName('dan')];
  await t.write(
    id,
    `[{"_koverse_record_id":"${ann}","name":"ann","ssn":"forged","pay":{"grade":8,"note":"forged"},"n":1.50},
      {"_koverse_record_id":"${cyd}","name":"cyd","pay":5},
      {"_koverse_record_id":"${dan}","name":"dan"},
      {"name":"eve","ssn":"own"}]`,
  );
  assert.deepEqual(
    await t.texts(id, ...all),
    [
      '{"name":"ann","pay":{"grade":8,"note":"secret bonus"},"n":1.50,"ssn":"123 alpha"}',
      `${records[1]}`,
      '{"name":"cyd","pay":5,"ssn":"beta","pay.note":["n1","n2"]}',
      '{"name":"dan","pay.note":"loose"}',
      '{"name":"eve","ssn":"own"}',
    ].toSorted(),
  );
  assert.deepEqual(
    await t.texts(id),
    [
      '{"name":"ann","pay":{"grade":8},"n":1.50}',
      `${visibleTexts[1]}`,
      '{"name":"cyd","pay":5}',
      '{"name":"dan"}',
      '{"name":"eve"}',
    ].toSorted(),
  );
  assert.equal((await t.search(id, 'secret', ...all)).total, 1);
  assert.equal((await t.search(id, 'forged', ...all)).total, 0);
  assert.equal((await t.search(id, 'ssn:beta', ...all)).total, 1);
});

test('a value in a hidden column does not change how another is read', async () => {
  const id = await t.dataset();
  const twin = await t.dataset();
  const visible = String.raw`{"info":{"e":"\ud83d\ude00","n":1.0},"mixed":["a"],"d":{"x":"\ud83d\ude00"}}`;
  await t.write(id, `[${visible.slice(0, -1)},"h":"${String.raw`\ud800`}","d.y":"${String.raw`\udc00`}"}]`);
  await t.write(twin, `[${visible}]`);
  t.labelColumns(id, { h: 'X', 'd.y': 'X' });
  for (const statement of [
    'SELECT info, mixed, d FROM people',
    'SELECT info.e, d.x FROM people',
    'SELECT * FROM people',
  ]) {
    assert.deepEqual(await sql(id, statement), await sql(twin, statement), statement);
  }
});

test('a hidden value whose object is sent twice is kept where searches and statements find it', async () => {
  for (const sent of ['"a":{"c":1},"a":5', '"a":5,"a":{"c":1}']) {
    const id = await t.dataset();
    await t.write(id, '[{"a":{"b":"kept","c":0}}]');
    t.labelColumns(id, { 'a.b': 'PII' });
    const [record] = await t.records(id);
    await t.write(id, `[{"_koverse_record_id":"${String(record?.['_koverse_record_id'])}",${sent}}]`);
    assert.deepEqual(await t.texts(id), [`{${sent}}`]);
    assert.equal((await t.search(id, 'a.b:kept', 'PII')).total, 1);
    assert.equal((await t.search(id, 'kept')).total, 0);
    t.labelColumns(id, {});
    assert.deepEqual((await sql(id, 'SELECT a.b FROM people')).rows, [{ b: 'kept' }]);
  }
});

test('hidden columns at the maximum depth do not change the result of a statement', async () => {
  const deep = Array.from({ length: 19 }, (_, depth) => `d${String(depth)}`);
  const inside = (value: string): string =>
    `{"a":${deep.reduceRight((inner, key) => `{"${key}":${inner}}`, value)}}`;
  const id = await t.dataset();
  await t.write(id, `[${inside('"secret"')}]`);
  t.labelColumns(id, { [`a.${deep.join('.')}`]: 'PII' });
  const expected = inside('0').replace(/"d18":0/, '');
  const { rows } = await sql(id, 'SELECT a FROM people');
  assert.equal(JSON.stringify(rows), `[${expected}]`);
});

const keys = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${String(key)}`, key]));

test('a search with many words succeeds, however many hidden paths there are', async () => {
  const id = await t.dataset();
  await t.write(id, [
    { shown: { ...keys(320), word: 'zebra crossing' } },
    { hush: { ...keys(3000), word: 'zebra' } },
  ]);
  t.labelColumns(id, { hush: 'PII' });
  const words = Array.from({ length: 100 }, (_, at) => `absent${String(at)}`).join(' OR ');
  assert.equal((await t.search(id, `zebra OR ${words}`)).total, 1);
  assert.equal((await t.search(id, 'zebra')).total, 1);
  assert.equal((await t.search(id, '2999')).total, 0);
  assert.equal((await t.search(id, 'zebra', 'PII')).total, 2);
});

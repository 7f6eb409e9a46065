/* Shows: D-batch-atomic, A-group-commit */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { RedoubtError } from '@redoubt/errors';
import { openTestStore, textOf, type TestStore } from '../testing/test-store.ts';
import { tableName } from './store/record-table.ts';

let t: TestStore;
before(async () => {
  t = await openTestStore();
});
after(async () => {
  await t.close();
});

const labelled = {
  fields: ['label'],
  parserClassName: 'identity-parser',
  labelHandlingPolicy: 'ignore',
} as const;

const fails =
  (code: number, pattern: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof RedoubtError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, pattern);
    return true;
  };

const inOrder = (values: unknown[]): unknown[] => values.toSorted((a, b) => Number(a) - Number(b));

const exactTexts = [
  '{}',
  '{"a":null,"b":{},"c":[],"d":[null,{}]}',
  '{"z":1,"a":2,"10":3,"2":4}',
  '{"a.b":1,"a":{"b":2}}',
  '{"a.b":1,"a":{"b":{"c":2}},"a.b.c":3}',
  '{"a":1,"a":2}',
  '{"a":{"x":1},"a":{"y":[{"k":1,"k":2}]}}',
  '{"n":9007199254740993,"m":-9223372036854775808,"u":18446744073709551615,"o":18446744073709551616}',
  '{"n":1e400,"m":-1e400,"t":1e-400,"x":1.50,"y":1E5,"z":-0,"w":-0.0,"v":123456789012345678901234567890.5}',
  '{"when":"2024-01-02","at":"2024-01-02T03:04:05.123456Z","not":"2024-13-02"}',
  '{"t":"東京都 \u{1F600} é e\u0301 \u202E","\u00e9":"ß"}',
  '{"t":"\\ud800","u":"a\\udfffb","k\\ud800":1}',
  '{"t":"a\\u0000b","k\\u0000":"x","v":"\\u0001\\u0002"}',
  '{"t":"back\\\\slash \\"quote\\" \\/ \\b\\f\\n\\r\\t end\\\\"}',
  '{"":1,".":2,"a.":3,".a":4,"a..b":5}',
  '{"`":1,"\\"":2,"\'":3,"\\\\":4,"[]":5,"a[]":6,":Int64":7,"^a":8,"%":9,"a b":10,"\\t":11}',
  '{"arr":[1,2.5,"x",true,null,9007199254740993,1e400,["n",[{"deep":"y"}]]]}',
  '{"__proto__":1,"constructor":{"prototype":2},"toString":"x"}',
  `{"long":"${'x'.repeat(70_000)}"}`,
  `${'{"a":'.repeat(99)}{}${'}'.repeat(99)}`,
];

test('records come back exactly as written, whatever JSON they hold', async () => {
  for (const text of exactTexts) {
    const id = await t.dataset();
    await t.write(id, `[${text}]`);
    assert.deepEqual(await t.texts(id), [text]);
  }
  const together = await t.dataset();
  await t.write(together, `[${exactTexts.join(',')}]`);
  assert.deepEqual(await t.texts(together), exactTexts.toSorted());
});

test('white space between the parts of a record is all that is left out', async () => {
  const id = await t.dataset();
  await t.write(id, ' [ { "a" : [ 1 , "x  y" , { } ] ,\r\n\t"b" : "\\t " } , {"c":1} ] \n');
  assert.deepEqual(await t.texts(id), ['{"a":[1,"x  y",{}],"b":"\\t "}', '{"c":1}']);
});

test('fields of the platform are taken out of records, and nothing else is', async () => {
  const id = await t.dataset();
  await t.write(
    id,
    '[{ "_koverse_timestamp" : "x", "a" : 1.50 , "_koverse_security_label":{"x":[1,"}"]},"b":{"_koverse_x":1}, "_koverse_y":2 }]',
  );
  assert.deepEqual(await t.texts(id), ['{"a":1.50,"b":{"_koverse_x":1}}']);
  await t.write(id, '[{"\\u005fkoverse_x":1}]');
  assert.deepEqual((await t.texts(id)).length, 2);
  assert.ok((await t.texts(id)).includes('{}'));
  assert.deepEqual(Object.keys(await t.store.schema(id, await t.visible(id), { nested: true })), [
    'a',
    'b',
    'b._koverse_x',
  ]);
});

test('a reader gets the records whose labels they satisfy and the records without a label', async () => {
  const id = await t.dataset();
  await t.write(
    id,
    [
      { n: 1, label: 'A' },
      { n: 2, label: 'A&B' },
      { n: 3, label: 'A|B' },
      { n: 4, label: '' },
    ],
    { labelInfo: labelled },
  );
  const numbers = async (...attributes: string[]): Promise<unknown[]> =>
    inOrder((await t.records(id, ...attributes)).map(({ n }) => n));
  assert.deepEqual(await numbers(), [4]);
  assert.deepEqual(await numbers('A'), [1, 3, 4]);
  assert.deepEqual(await numbers('B'), [3, 4]);
  assert.deepEqual(await numbers('A', 'B'), [1, 2, 3, 4]);
  assert.equal(await t.store.countVisible(id, await t.visible(id, 'B')), 2);
  assert.equal((await t.search(id, 'n:[1 TO 3]', 'B')).total, 1);
});

test('a bit string distinguishes thousands of labels', async () => {
  const id = await t.dataset();
  const records = Array.from({ length: 2000 }, (_, n) => ({
    n,
    label: n % 3 === 0 ? `EVEN&L${n}` : `ODD|L${n}`,
  }));
  await t.write(id, records, { labelInfo: labelled });
  assert.equal((await t.records(id, 'ODD')).length, records.filter(({ n }) => n % 3 !== 0).length);
  const held = Array.from({ length: 1500 }, (_, n) => `L${n}`);
  const seen = await t.records(id, 'EVEN', ...held);
  assert.deepEqual(
    seen.map(({ n }) => n as number).toSorted((a, b) => a - b),
    Array.from({ length: 1500 }, (_, n) => n),
  );
});

test('a label that is newer than the snapshot of the reader is hidden', async () => {
  const id = await t.dataset();
  await t.write(id, [{ n: 1, label: 'A' }], { labelInfo: labelled });
  const before = await t.visible(id, 'A', 'B');
  await t.write(id, [{ n: 2, label: 'B' }], { labelInfo: labelled });
  const { rows } = t.store.sequence({ datasetId: id, visible: before, limit: -1 });
  assert.equal(await textOf(rows), '{"n":1,"label":"A"}');
  assert.equal(await t.store.countVisible(id, before), 1);
});

test('internal fields are added to each record if they are requested', async () => {
  const id = await t.dataset();
  await t.write(id, '[{"a":1,"label":"b&a"},{}]', { labelInfo: labelled });
  const records = await t.records(id, 'A', 'B');
  const record = records.find(({ a }) => a === 1);
  assert.ok(record !== undefined);
  assert.match(
    String(record['_koverse_record_id']),
    /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  assert.equal(record['_koverse_dataset_id'], id);
  assert.ok(Math.abs(Date.parse(String(record['_koverse_timestamp'])) - Date.now()) < 600_000);
  assert.equal(record['_koverse_security_label'], 'A&B');
  assert.equal(records.length, 2);
});

test('reading in sequence returns every record once, in the order of ids, with a cursor', async () => {
  const id = await t.dataset();
  for (let batch = 0; batch < 5; batch++) {
    await t.write(
      id,
      Array.from({ length: 50 }, (_, n) => ({ batch, n })),
    );
  }
  const visible = await t.visible(id);
  const all = (await t.records(id)).map((record) => String(record['_koverse_record_id']));
  assert.deepEqual(all, all.toSorted());
  const seen: string[] = [];
  let after = '';
  for (let more = true; more;) {
    const { rows, progress } = t.store.sequence({
      datasetId: id,
      visible,
      limit: 60,
      after,
      internalFields: 'all',
    });
    const page = JSON.parse(`[${await textOf(rows)}]`) as Record<string, unknown>[];
    seen.push(...page.map((record) => String(record['_koverse_record_id'])));
    assert.equal(progress.lastRecordId, seen.at(-1));
    after = progress.lastRecordId ?? '';
    more = progress.more;
  }
  assert.deepEqual(seen, all);
  const last = t.store.sequence({ datasetId: id, visible, limit: 60, after });
  assert.equal(await textOf(last.rows), '');
  assert.deepEqual({ ...last.progress }, { rows: 0, lastRecordId: undefined, more: false, ended: true });
  const exact = t.store.sequence({ datasetId: id, visible, limit: 250 });
  await textOf(exact.rows);
  assert.equal(exact.progress.more, false);
  const between = t.store.sequence({ datasetId: id, visible, limit: -1, from: all[10], until: all[19] });
  assert.equal((JSON.parse(`[${await textOf(between.rows)}]`) as unknown[]).length, 10);
});

test('records come in the order of their ids from parts that overlap, in pages of any size', async () => {
  const id = await t.dataset();
  await t.catalog.internLabels(id, ['', 'HIDDEN']);
  const table = `${t.database}.${tableName(id)}`;
  const expected: string[] = [];
  for (let part = 0; part < 6; part++) {
    // The id ranges of the parts overlap. In every second part, the reader sees only the last 500.
    const rows = Array.from({ length: 9000 }, (_, n) => {
      const recordId = String(part * 30_000 + n * 7 + ((n * n + part) % 5) * 100_000).padStart(9, '0');
      const isHidden = part % 2 === 0 ? n % 3 !== 0 : n < 8500;
      const unique = `${recordId}-${String(part)}-${String(n)}`;
      if (!isHidden) expected.push(unique);
      return `${isHidden ? 1 : 0}\t${unique}\t{"id":"${unique}"}\n`;
    });
    const data = Buffer.from(rows.join(''));
    await t.engine.insert({ table, columns: ['label_id', 'record_id', 'raw'], data });
  }
  expected.sort();
  const visible = await t.visible(id);
  const page = async (limit: number, after: string): Promise<{ ids: string[]; more: boolean }> => {
    const { rows, progress } = t.store.sequence({ datasetId: id, visible, limit, after });
    const records = JSON.parse(`[${await textOf(rows)}]`) as { id: string }[];
    return { ids: records.map((record) => record.id), more: progress.more };
  };
  for (const limit of [1, 100, 101]) assert.deepEqual((await page(limit, '')).ids, expected.slice(0, limit));
  for (const limit of [-1, 4000, 20_000]) {
    const seen: string[] = [];
    for (let more = true; more;) {
      const next = await page(limit, seen.at(-1) ?? '');
      seen.push(...next.ids);
      more = next.more;
    }
    assert.deepEqual(seen, expected);
  }
});

test('a batch is one part, so it is stored whole or not at all', async () => {
  const id = await t.dataset();
  const note = 'x'.repeat(400);
  await t.write(
    id,
    Array.from({ length: 60_000 }, (_, n) => ({ n, note, tags: ['a', 'b'] })),
  );
  const parts = await t.engine.text(
    `SELECT count(), sum(rows) FROM system.parts WHERE active AND database = '${t.database}' AND table = '${tableName(id)}'`,
    { lane: 'short' },
  );
  assert.equal(parts.trim(), '1\t60000');
});

test('concurrent writers are stored whole, each once', async () => {
  const id = await t.dataset();
  await Promise.all(
    Array.from({ length: 64 }, async (_, writer) => {
      for (let batch = 0; batch < 5; batch++) {
        await t.write(
          id,
          [0, 1, 2].map((n) => ({ writer, batch, n, [`field${writer % 8}`]: n })),
        );
      }
    }),
  );
  const seen = await t.texts(id);
  assert.equal(seen.length, 64 * 5 * 3);
  assert.equal(new Set(seen).size, 64 * 5 * 3);
  assert.equal(await t.store.countVisible(id, await t.visible(id)), 64 * 5 * 3);
});

test('the schema tells each reader of the fields of the records that they see', async () => {
  const id = await t.dataset();
  await t.write(
    id,
    `[{"whole":1,"mixed":1,"real":1,"yes":true,"text":"x","at":"2024-01-01","obj":{"in":1},"arr":[{"deep":1}],"none":null,"big":1e400,"huge":18446744073709551616},
      {"real":1.5,"mixed":"a","at":"2024-01-01T00:00:00Z","huge":1},
      {"secret":1,"whole":"text","label":"S"}]`,
    { labelInfo: labelled },
  );
  const open = {
    arr: 'jsonb',
    at: 'timestamp',
    // 1e400 has more digits than a numeric supports.
    big: 'text',
    huge: 'numeric',
    mixed: 'text',
    none: 'text',
    obj: 'jsonb',
    real: 'double precision',
    text: 'text',
    whole: 'bigint',
    yes: 'boolean',
  };
  const types = async (options: object, ...attributes: string[]): Promise<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(await t.store.schema(id, await t.visible(id, ...attributes), options)).map(([k, v]) => [
        k,
        v.type,
      ]),
    );
  assert.deepEqual(await types({}), open);
  assert.deepEqual(Object.keys(await types({})), Object.keys(open));
  assert.deepEqual(await types({}, 'S'), { ...open, label: 'text', secret: 'bigint', whole: 'text' });
  assert.deepEqual(await types({ nested: true }), { ...open, 'obj.in': 'bigint' });
  assert.deepEqual(Object.keys(await types({ internalFields: true, securityField: true })).slice(0, 4), [
    '_koverse_dataset_id',
    '_koverse_record_id',
    '_koverse_security_label',
    '_koverse_timestamp',
  ]);
  await t.write(id, [{ later: true }]);
  assert.equal((await types({})).later, 'boolean');
  assert.deepEqual(
    await t.store.schema(id, await t.visible(id), {}),
    await (await t.reopen()).store.schema(id, await t.visible(id), {}),
  );
});

test('a cached schema follows later writes, for each reader', async () => {
  const id = await t.dataset();
  const names = async (...attributes: string[]): Promise<string[]> =>
    Object.keys(await t.store.schema(id, await t.visible(id, ...attributes), {}));
  await t.write(id, [{ a: 1 }, { b: 1, label: 'S' }], { labelInfo: labelled });
  assert.deepEqual([await names(), await names('S')], [['a'], ['a', 'b', 'label']]);
  await t.write(id, [{ a: 2 }], { labelInfo: labelled });
  assert.deepEqual([await names(), await names('S')], [['a'], ['a', 'b', 'label']]);
  await t.write(id, [{ c: 1, label: 'S' }], { labelInfo: labelled });
  assert.deepEqual([await names(), await names('S')], [['a'], ['a', 'b', 'c', 'label']]);
  const hidden = (await t.records(id, 'S')).find((record) => 'b' in record);
  await t.write(id, [{ _koverse_record_id: hidden?.['_koverse_record_id'], c: 2 }], { as: ['S'] });
  assert.deepEqual([await names(), await names('S')], [['a'], ['a', 'c', 'label']]);
});

test('a new dataset counts zero records, and then what is written', async () => {
  const requested: string[] = [];
  const watched = await t.reopen({
    ...t.engine,
    text: (sql, options) => {
      requested.push(sql);
      return t.engine.text(sql, options);
    },
  });
  const id = await watched.dataset();
  const seen = async ({ store, visible }: TestStore, ...attributes: string[]) => {
    const labels = await visible(id, ...attributes);
    return [await store.countVisible(id, labels), Object.keys(await store.schema(id, labels, {}))];
  };
  assert.deepEqual(await seen(watched), [0, []]);
  await watched.write(id, [{ a: 1 }, { b: 1, label: 'S' }], { labelInfo: labelled });
  assert.deepEqual(await seen(watched), [1, ['a']]);
  assert.deepEqual(await seen(watched, 'S'), [2, ['a', 'b', 'label']]);
  assert.deepEqual(
    requested.filter((sql) => sql.includes(tableName(id))),
    [],
  );
  const reopened = await t.reopen();
  assert.deepEqual(await seen(reopened, 'S'), await seen(watched, 'S'));
  await reopened.store.close();
  await watched.store.close();
});

test('a record is replaced by its id and keeps its label', async () => {
  const id = await t.dataset();
  await t.write(
    id,
    [
      { n: 1, label: 'A', old: 'word' },
      { n: 2, label: 'B' },
    ],
    { labelInfo: labelled },
  );
  await t.store.countVisible(id, await t.visible(id, 'A', 'B'));
  const first = (await t.records(id, 'A', 'B')).find(({ n }) => n === 1);
  const recordId = String(first?.['_koverse_record_id']);
  await t.write(
    id,
    `[{"_koverse_record_id":"${recordId.toUpperCase()}","n":1.0,"new":["a\\\\b",9007199254740993,1e400],"at":"2024-05-05","t":"it's \\u0000"}]`,
    { as: ['A'] },
  );
  assert.deepEqual(await t.texts(id, 'A'), [
    '{"n":1.0,"new":["a\\\\b",9007199254740993,1e400],"at":"2024-05-05","t":"it\'s \\u0000"}',
  ]);
  assert.deepEqual(await t.texts(id), []);
  const [now] = await t.records(id, 'A');
  assert.equal(now?.['_koverse_record_id'], recordId);
  assert.equal(now?.['_koverse_security_label'], 'A');
  assert.equal((await t.search(id, 'old:word', 'A')).total, 0);
  assert.equal(
    (await t.search(id, 'n:1 AND at:[2024-05 TO 2024-05] AND new:9007199254740993', 'A')).total,
    1,
  );
  assert.deepEqual(Object.keys(await t.store.schema(id, await t.visible(id, 'A'), {})), [
    'at',
    'n',
    'new',
    't',
  ]);
  assert.equal(await t.store.countVisible(id, await t.visible(id, 'A', 'B')), 2);
});

test('replacing a hidden record fails like replacing an absent one, and stores nothing', async () => {
  const id = await t.dataset();
  await t.write(
    id,
    [
      { n: 1, label: 'A' },
      { n: 2, label: 'B' },
    ],
    { labelInfo: labelled },
  );
  const all = await t.records(id, 'A', 'B');
  const idOf = (n: number): unknown => all.find((record) => record.n === n)?.['_koverse_record_id'];
  const absent = '0196aaaa-0000-7000-8000-000000000000';
  const errors: unknown[] = [];
  for (const target of [idOf(2), absent]) {
    await t
      .write(id, [{ _koverse_record_id: idOf(1), n: 10 }, { n: 3 }, { _koverse_record_id: target, n: 11 }], {
        as: ['A'],
      })
      .then(
        () => assert.fail('it was stored'),
        (error: unknown) => errors.push(error),
      );
  }
  for (const error of errors) fails(404, /does not exist/)(error);
  assert.equal((errors[0] as Error).message, (errors[1] as Error).message);
  assert.deepEqual(inOrder((await t.records(id, 'A', 'B')).map(({ n }) => n)), [1, 2]);
});

test('a new label needs the authority to give it, and the same label does not', async () => {
  const id = await t.dataset();
  await t.write(id, [{ n: 1, label: 'A&B' }], { labelInfo: labelled });
  const [record] = await t.records(id, 'A', 'B');
  const change = { ...record, label: 'A' };
  const options = { labelInfo: labelled, as: ['A', 'B'] };
  await assert.rejects(t.write(id, [change], options), fails(403, /another label/));
  await t.write(id, [{ ...record, n: 5, label: 'b&a' }], options);
  assert.deepEqual(
    (await t.records(id, 'A', 'B')).map(({ n }) => n),
    [5],
  );
  await t.write(id, [{ ...record, n: 6, label: 'C' }], { ...options, mayRelabel: true });
  assert.deepEqual(
    (await t.records(id, 'C')).map(({ n }) => n),
    [6],
  );
  assert.deepEqual(await t.records(id, 'A', 'B'), []);
  assert.equal(await t.store.countVisible(id, await t.visible(id, 'C')), 1);
});

test('a record cannot be replaced twice by one write', async () => {
  const id = await t.dataset();
  await t.write(id, [{ n: 1 }]);
  const [record] = await t.records(id);
  await assert.rejects(
    t.write(id, [record, { x: 1 }, { ...record, n: 2 }]),
    fails(400, /^records\.2 must .* twice/),
  );
  await assert.rejects(
    t.write(id, [{ _koverse_record_id: 7 }]),
    fails(400, /^records\.0 must have the id of a record in _koverse_record_id, got "?7/),
  );
});

test('writers of the same record come one after another, and no replacement is lost', async () => {
  const id = await t.dataset();
  await t.write(id, [{ n: 0 }, { n: 'other' }]);
  const record = (await t.records(id)).find(({ n }) => n === 0);
  await Promise.all([1, 2, 3, 4].map(async (n) => t.write(id, [{ ...record, n }, { added: n }])));
  const records = await t.records(id);
  assert.equal(records.length, 6);
  assert.equal(records.filter(({ n }) => typeof n === 'number' && n > 0).length, 1);
  assert.deepEqual(
    inOrder(records.flatMap(({ added }) => (added === undefined ? [] : [added]))),
    [1, 2, 3, 4],
  );
  assert.equal(await t.store.countVisible(id, await t.visible(id)), 6);
});

test('searches find records of every shape by their exact values', async () => {
  const id = await t.dataset();
  await t.write(id, `[${exactTexts.join(',')}]`);
  for (const [expression, total] of [
    ['n:9007199254740993', 1],
    ['n:9007199254740992', 0],
    ['o:18446744073709551616', 1],
    ['a.b:2', 1],
    ['a.b:1', 2],
    ['when:[2024-01-02 TO 2024-01-02]', 1],
    ['東京', 1],
    ['arr:2.5', 1],
    ['arr:y OR arr.deep:y', 1],
    ['*:*', exactTexts.length],
  ] as const) {
    assert.equal((await t.search(id, expression)).total, total, expression);
  }
});

test('a wildcard between a character of a script without spaces and other text matches', async () => {
  const id = await t.dataset();
  await t.write(id, [{ t: '漢abc' }, { t: '漢xabc' }, { t: 'abcx漢字' }, { t: '漢 字 abc' }]);
  for (const [expression, total] of [
    ['漢*abc', 2],
    ['漢*?abc', 1],
    ['abc*漢', 1],
    ['漢*字', 2],
    ['漢?abc', 1],
    ['t:漢*abc', 3],
  ] as const) {
    assert.equal((await t.search(id, expression)).total, total, expression);
  }
});

test('the limit on fields counts the fields visible to the writer, and rejects only writes that add one', async () => {
  const small = await openTestStore({ maxPaths: 2 });
  try {
    const id = await small.dataset();
    const hidden = { labelInfo: labelled };
    await small.write(id, [{ label: 'HIDDEN', secret: 1 }], hidden);
    await small.write(id, [{ a: 1, b: 2 }]);
    await assert.rejects(small.write(id, [{ c: 1 }]), fails(400, /more than 2 different fields/));
    await small.write(id, [{ b: 3 }]);
    // Four fields are visible to this writer, more than the limit, but a write without a new field succeeds.
    await small.write(id, [{ a: 4 }], { as: ['HIDDEN'] });
    assert.equal((await small.texts(id)).length, 3);
  } finally {
    await small.close();
  }
});

test('a search for a number finds no numbers of paths, whether or not records were replaced', async () => {
  const id = await t.dataset();
  await t.write(id, [{ a: 'x', b: 'y', c: 'z', d: 3 }, { a: '1' }, { a: 'other' }]);
  const numbers = ['0', '1', '2', '3', '"1 x"', 'a:1', 'd:3'];
  const found = async (): Promise<number[]> =>
    Promise.all(numbers.map(async (number) => (await t.search(id, number)).total));
  const before = await found();
  assert.deepEqual(before, [0, 1, 0, 1, 0, 1, 1]);
  const last = (await t.records(id)).find(({ a }) => a === 'other');
  await t.write(id, [{ _koverse_record_id: last?.['_koverse_record_id'], a: 'others' }]);
  assert.deepEqual(await found(), before);
});

test('the words of a small write are found at once, even if other parts have a word index', async () => {
  const id = await t.dataset();
  const many = Array.from({ length: 6000 }, (_, n) => ({ text: `${'padding '.repeat(20)}w${String(n)}` }));
  await t.write(id, many);
  await t.write(id, [{ text: 'seen at once' }, { text: 'w17 again' }]);
  assert.equal((await t.search(id, 'w17')).total, 2);
  assert.equal((await t.search(id, 'text:once')).total, 1);
  assert.equal((await t.search(id, 'NOT padding')).total, 2);
  assert.equal((await t.search(id, 'absent')).total, 0);
});

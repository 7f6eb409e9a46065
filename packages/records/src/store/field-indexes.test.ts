/* Shows: A-index-same, A-index-used, A-index-automatic, A-index-fill */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { compileSearch, compileSql, parseLucene, parseSql, querySettings } from '@redoubt/query';
import { openTestStore, textOf, type TestStore } from '../../testing/test-store.ts';
import { tableName } from './record-table.ts';

const size = 10_000;
const none = { fields: [], automatic: false, except: [], hidesColumns: false };
const single = ['n', 'half', 'city', 'at', 'sparse', 'mixed', 'big', 'nested.deep', 'list', 'nowhere'];
const everything = {
  ...none,
  fields: [...single.map((path) => [path]), ['n', 'city'], ['at', 'half', 'mixed'], ['flag']],
};
const labelInfo = {
  parserClassName: 'identity-parser',
  fields: ['label'],
  labelHandlingPolicy: 'ignore',
} as const;

const mixedAt = (i: number): string => [`${i}`, `"m${i}"`, `[${i}]`, `${i}.5`, 'null'][i % 5] ?? '';
const record = (i: number): string =>
  `{"n":${i},"half":${i / 2},"city":"city${(i * 7919) % size}","at":"${new Date(1.6e12 + i * 60_000).toISOString()}",` +
  `${i % 1000 === 1 ? `"sparse":${i},` : ''}"mixed":${mixedAt(i)},"big":${i % 2 === 0 ? '18446744073709551615' : `9007199254740${i % 1000}`},` +
  `"nested":{"deep":${-i}},"list":[${i},"l${i}"],"flag":${i % 2 === 0},"label":"${i % 4 === 0 ? 'B' : ''}"}`;

const searches = [
  'n:500',
  'n:500.0',
  'n:[100 TO 200]',
  'n:{9990 TO *]',
  'NOT n:[10 TO *]',
  'half:7',
  'half:7.5',
  'half:[3 TO 4]',
  'city:city7',
  'city:"city7"',
  'city:city1*',
  'city:CITY7 AND NOT n:3',
  'city:(city7 city8) n:5',
  'at:[2020-09-13 TO 2020-09-14]',
  'sparse:5001',
  'sparse:[1 TO 9000]',
  'mixed:30',
  'mixed:m31',
  'mixed:32',
  'mixed:33.5',
  'mixed:[20 TO 60]',
  'big:18446744073709551615',
  'big:[18446744073709551615 TO *]',
  'nested.deep:\\-77',
  'nested.deep:[\\-5 TO 0]',
  'list:55',
  'list:l55',
  'nowhere:1',
  'NOT nowhere:1',
  'flag:true AND n:[0 TO 9]',
  'n:5 OR city:city9',
  '_exists_:sparse AND NOT sparse:5001',
  'n:4 AND NOT city:city1676',
];
const conditions = [
  'n = 500',
  'n <> 500 AND n < 5',
  'n BETWEEN 100 AND 200',
  'n IN (5, 6, 9999)',
  'n NOT IN (1) AND n < 4',
  'n > 9990',
  'n IS NULL',
  'n = 4',
  'half = 7.5',
  'half = 7',
  'half > 4990',
  'half < 3',
  'half * 2 = 15',
  "city = 'city7'",
  "city IN ('city7', 'city8')",
  "city > 'city9997'",
  "city LIKE 'city999%'",
  "at < '2020-09-13T13:00:00Z'",
  "at = '2020-09-13T12:26:40Z'",
  'sparse = 5001',
  'sparse > 7000',
  'sparse IS NULL AND n < 3',
  "mixed = '30'",
  "mixed = 'm31'",
  "mixed > 'm1999'",
  'big = 18446744073709551615',
  'big < 9007199254740010',
  '"nested.deep" > -5',
  '"nested.deep" = -77',
  "n = 5 AND city = 'city9595'",
  'n = 5 OR half = 9',
  'NOT (n > 5)',
  'coalesce(sparse, n) = 7',
];

describe('indexes of fields', () => {
  let t: TestStore;
  let id: string;
  before(async () => {
    t = await openTestStore();
    id = await t.dataset();
    await write(0, size);
  });
  after(() => t.close());

  const write = async (from: number, to: number): Promise<void> => {
    const step = 10_000;
    for (let at = from; at < to; at += step) {
      const rows = Array.from({ length: Math.min(step, to - at) }, (_, i) => record(at + i)).join(',');
      await t.write(id, `{"records":[${rows}]}`, { labelInfo, shape: 'envelope' });
    }
  };
  const search = async (expression: string): Promise<string> => {
    const visible = await t.visible(id);
    const found = await t.store.search({
      datasetId: id,
      visible,
      tree: parseLucene(expression),
      limit: 50,
      offset: 0,
    });
    return `${await textOf(found.rows)} ${await found.total()}`;
  };
  const compiled = async (condition: string) => ({
    parsed: await parseSql(`SELECT * FROM d WHERE ${condition}`),
    source: {
      id,
      name: 'd',
      visible: await t.visible(id),
      fields: await t.store.fields(id, await t.visible(id)),
    },
  });
  const sql = async (condition: string): Promise<string> => {
    const { parsed, source } = await compiled(condition);
    const reading = await t.store.sql({ parsed, find: () => source, limit: 50, offset: 0, now: new Date(0) });
    return `${await textOf(reading.rows)} ${await reading.total()}`;
  };
  /** The results of all searches and statements. */
  const readResults = async (): Promise<Map<string, string>> => {
    const all = new Map<string, string>();
    for (const expression of searches) all.set(expression, await search(expression));
    for (const condition of conditions) all.set(`WHERE ${condition}`, await sql(condition));
    return all;
  };
  const expectSame = async (before: ReadonlyMap<string, string>): Promise<void> => {
    for (const [expression, result] of await readResults())
      assert.equal(result, before.get(expression), expression);
  };
  const used = async (statement: string): Promise<string[]> => {
    const plan = await t.engine.text(`EXPLAIN indexes = 1 ${statement}`, {
      lane: 'short',
      settings: querySettings,
    });
    return [...plan.matchAll(/Name: (field_\w+)[\s\S]*?Granules: (\d+)\/(\d+)/g)].map(
      ([, , left, all]) => `${left}/${all}`,
    );
  };
  const usedBySearch = async (expression: string): Promise<string[]> => {
    const paths = new Map(
      (await t.catalog.paths(id, 0)).map((entry) => [entry.path, { pathId: entry.id, kinds: entry.kinds }]),
    );
    const table = { database: t.database, datasetId: tableName(id) };
    const visible = await t.visible(id);
    const request = {
      table,
      tree: parseLucene(expression),
      paths,
      visible,
      limit: 10,
      offset: 0,
      columns: 'plain',
    } as const;
    return used(compileSearch(request).count);
  };
  const usedBySql = async (condition: string): Promise<string[]> => {
    const { parsed, source } = await compiled(condition);
    const table = { database: t.database, datasetId: tableName(id) };
    const catalog = { find: () => ({ ...source, table }) };
    return used(
      compileSql({ parsed, catalog, now: new Date(0), limit: 10, offset: 0, columns: 'plain' }).count,
    );
  };

  test('every search and statement returns the same with and without each index, before and after it is filled', async () => {
    const plain = await readResults();
    assert.ok([...plain.values()].filter((result) => result !== ' 0').length > 45);
    for (const fields of [['n'], ['half'], ['city'], ['mixed'], ['at', 'half', 'mixed']]) {
      await t.store.arrangeIndexes(id, { ...none, fields: [fields] });
      await t.store.buildIndexes(id, {});
      const names = fields.map((path) => path.split('.')[0] ?? '');
      for (const expression of [...searches, ...conditions].filter((one) =>
        names.some((name) => one.includes(name)),
      )) {
        const isSql = conditions.includes(expression);
        assert.equal(
          isSql ? await sql(expression) : await search(expression),
          plain.get(isSql ? `WHERE ${expression}` : expression),
          `${expression} by ${fields.join()}`,
        );
      }
    }
    await t.store.arrangeIndexes(id, everything);
    await expectSame(plain);
    await t.store.buildIndexes(id, {});
    await expectSame(plain);
  });

  test('EXPLAIN shows that searches and statements use the indexes, and read few granules', async () => {
    await t.store.arrangeIndexes(id, everything);
    await t.store.buildIndexes(id, {});
    for (const expression of ['n:500', 'n:[100 TO 200]', 'half:7.5', 'sparse:5001', 'nested.deep:\\-77']) {
      const granules = await usedBySearch(expression);
      assert.ok(granules.length > 0, expression);
    }
    for (const condition of [
      'n = 500',
      'n BETWEEN 100 AND 200',
      "city = 'city7'",
      "city IN ('city7', 'city8')",
      "at < '2020-09-13T13:00:00Z'",
      'n IN (5, 6)',
      'half = 7.5',
      '"nested.deep" = -77',
    ]) {
      const granules = await usedBySql(condition);
      assert.ok(granules.length > 0, condition);
    }
    assert.ok((await usedBySql("n = 5 AND city = 'city9595'")).length >= 3, 'the index over both fields');
    await t.store.arrangeIndexes(id, none);
    assert.deepEqual(await usedBySearch('n:500'), []);
    assert.deepEqual(await usedBySql('n = 500'), []);
  });

  test('an index of a text brings the index of words by path, which finds the words of the field without reading it', async () => {
    const other = await t.dataset();
    const rows = Array.from({ length: 9_000 }, (_, n) => ({
      n,
      a: `word${n} common`,
      b: `other${n} word7`,
    }));
    await t.write(other, JSON.stringify(rows));
    const has = async (): Promise<boolean> =>
      (
        await t.engine.text(
          `SELECT count() FROM system.data_skipping_indices WHERE database = '${t.database}' AND table = '${tableName(other)}' AND name = 'words_by_path'`,
          { lane: 'short' },
        )
      ).trim() === '1';
    const planOf = async (expression: string): Promise<string> => {
      const entries = await t.catalog.paths(other, 0);
      const { count } = compileSearch({
        table: { database: t.database, datasetId: tableName(other) },
        tree: parseLucene(expression),
        paths: new Map(entries.map((entry) => [entry.path, { pathId: entry.id, kinds: entry.kinds }])),
        visible: await t.visible(other),
        byPath: true,
        limit: 10,
        offset: 0,
        columns: 'plain',
      });
      return t.engine.text(`EXPLAIN indexes = 1, actions = 1 ${count}`, {
        lane: 'short',
        settings: querySettings,
      });
    };

    await t.store.arrangeIndexes(other, { ...none, fields: [['n']] });
    assert.equal(await has(), false, 'numbers have no words');
    await t.store.arrangeIndexes(other, { ...none, automatic: true });
    assert.equal(await has(), false, 'automatic indexes bring none');
    await t.store.arrangeIndexes(other, { ...none, fields: [['a', 'n']] });
    await t.store.buildIndexes(other, {});
    assert.equal(await has(), true);
    const plan = await planOf('a:word7');
    assert.match(plan, /Name: words_by_path[\s\S]*?Granules: 1\//);
    assert.doesNotMatch(plan, /doc\.a/);
    assert.equal((await t.search(other, 'a:word7')).total, 1);
    assert.equal((await t.search(other, 'b:word7')).total, 9_000);
    assert.equal((await t.search(other, 'a:common AND NOT b:other5')).total, 8_999);

    const stopped = new AbortController();
    stopped.abort(new Error('stop'));
    await assert.rejects(t.store.buildIndexes(other, { signal: stopped.signal }), /stop/);
    await t.store.arrangeIndexes(other, { ...none, hidesColumns: true });
    assert.equal(await has(), true, 'readers who do not see all columns need it');
    await t.store.arrangeIndexes(other, none);
    assert.equal(await has(), false);
    assert.equal((await t.search(other, 'a:word7')).total, 1);
  });

  test('records written, replaced and deleted while indexes exist are found as without indexes', async () => {
    await t.store.arrangeIndexes(id, everything);
    await t.store.buildIndexes(id, {});
    await write(size, size + 4000);
    const some = await t.records(id);
    const replaced = some
      .filter((_, index) => index % 500 === 0)
      .map((one) => ({
        n: 500,
        city: 'city7',
        half: 7.5,
        mixed: 30,
        at: '2020-09-13T12:26:40Z',
        _koverse_record_id: one['_koverse_record_id'],
      }));
    await t.write(id, replaced);
    // A hidden record with other types. It must not change the types that the reader sees.
    const odd = { n: 'a text now', city: 9, at: false, half: [1], sparse: { is: 'an object' }, label: 'B' };
    await t.write(id, JSON.stringify({ records: [odd] }), { labelInfo, shape: 'envelope' });
    const withIndexes = await readResults();
    await t.store.arrangeIndexes(id, none);
    await expectSame(withIndexes);
  });

  test('fields get automatic indexes in the order in which they appear, except those excluded from it', async () => {
    const other = await t.dataset();
    assert.equal(t.store.indexesDue(other), true);
    await t.store.arrangeIndexes(other, { ...none, automatic: true });
    assert.equal(t.store.indexesDue(other), false);
    await t.write(other, [{ a: 1, b: 'x', c: [1], d: { e: 1.5 }, f: true }]);
    assert.equal(t.store.indexesDue(other), true);
    const count = async (): Promise<number> =>
      Number(
        await t.engine.text(
          `SELECT count() FROM system.data_skipping_indices WHERE database = '${t.database}' AND table = '${tableName(other)}' AND name LIKE 'field\\_%'`,
          { lane: 'short' },
        ),
      );
    await t.store.arrangeIndexes(other, { ...none, automatic: true });
    // `a` has two indexes, one for ranges and one for equality; `b` and `d.e` have one each.
    assert.equal(await count(), 4);
    await t.store.arrangeIndexes(other, { ...none, automatic: true, except: ['a'] });
    assert.equal(await count(), 2);
    await t.write(other, [{ a: 2, b: 'y' }]);
    assert.equal(t.store.indexesDue(other), false);
    await t.store.arrangeIndexes(other, none);
    assert.equal(await count(), 0);
  });

  test('an index is dropped while it is being filled, and the others are filled without it', async () => {
    const id = await t.dataset();
    for (let writes = 0; writes < 4; writes++)
      await t.write(id, `[${Array.from({ length: size }, (_, i) => record(i)).join(',')}]`);
    const all = { ...none, fields: [['n'], ['half'], ['city'], ['at']] };
    await t.store.arrangeIndexes(id, all);
    const filling = t.store.buildIndexes(id, {});
    for (const fields of [[['n'], ['half'], ['city']], [['n'], ['half']], [['half']]]) {
      await t.store.arrangeIndexes(id, { ...all, fields });
    }
    await filling;
    const names = await t.engine.text(
      `SELECT name, data_compressed_bytes > 0 FROM system.data_skipping_indices WHERE table = '${tableName(id)}' AND startsWith(name, 'field_')`,
      { lane: 'short' },
    );
    const lines = names.trim().split('\n');
    assert.ok(lines.length > 0 && lines.every((line) => line.endsWith('\t1')), names);
  });

  test('filling indexes reports its progress, can be canceled, and can be repeated', async () => {
    await t.store.arrangeIndexes(id, everything);
    const controller = new AbortController();
    const percents: number[] = [];
    const progress = async (percent: number): Promise<void> => {
      percents.push(percent);
      if (percents.length === 2) controller.abort(new Error('stop'));
    };
    await assert.rejects(t.store.buildIndexes(id, { signal: controller.signal, progress }));
    assert.equal(percents.length, 2);
    assert.equal(percents[0], 0);
    await t.store.buildIndexes(id, {});
    assert.match(await search('n:501'), / 1$/);
  });
});

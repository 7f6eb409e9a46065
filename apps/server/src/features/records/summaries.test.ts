/* Shows: D-summaries, D-summaries-sql */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRecordFixture, labelField, type RecordResponse, type RecordFixture } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';

interface Summary {
  datasetId: string;
  name: string;
  total: number;
  records: Record<string, unknown>[];
}

const lucene = '/query/lucene/datasets/summary';
const sql = '/query/datasets/summary';

describe('summaries over many datasets', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  let token: string;
  const ids: Record<string, string> = {};

  before(async () => {
    server = await startServer({ storeLimits: { querySeconds: 600 } });
    fixture = await createRecordFixture(server);
    token = await fixture.reader('A');
    const make = async (name: string, records: readonly unknown[], options: object = {}) => {
      ids[name] = await fixture.dataset(['read'], { name, ...options });
      if (records.length > 0) {
        const { status, text } = await fixture.write(ids[name], records, { labelInfo: labelField });
        assert.equal(status, 200, text);
      }
    };
    const birds = Array.from({ length: 25 }, (_, n) => ({ n, kind: n % 2 ? 'owl' : 'wren', label: '' }));
    await make('Birds', [...birds, { n: 100, kind: 'owl', label: 'B' }]);
    await make('Words', [
      { kind: 'owl', text: 'An owl in the night', label: 'A' },
      { text: 'wren', label: 'B' },
    ]);
    await make('Numbers', [{ kind: 5, n: 'seven', label: '' }]);
    await make('Nothing', []);
    await make('Closed', [{ note: 'an owl', kind: 'owl', label: '' }], { searchAnyField: false });
    ids['Secret'] = await fixture.dataset([], { name: 'Secret' });
    await fixture.write(ids['Secret'], [{ kind: 'owl' }]);
    ids['Drop box'] = await fixture.dataset(['write'], { name: 'Drop box' });
  });
  after(() => server.close());

  const query = async <T = Summary[]>(status: number, path: string, body: object, as = token): Promise<T> => {
    const { status: given, text } = await fixture.post(path, JSON.stringify(body), { token: as });
    assert.equal(given, status, text);
    return JSON.parse(text) as T;
  };
  const totals = async (path: string, body: object, as = token): Promise<[string, number][]> =>
    (await query(200, path, body, as)).map(({ name, total }) => [name, total]);

  const countAt = async (limit: number | undefined) =>
    (await query(200, lucene, { expression: '*:*', limit, datasetIds: [ids['Birds']] }))[0]?.records.length;
  const running = async (): Promise<boolean> =>
    Number(
      await server.engine.text(
        "SELECT count() FROM system.processes WHERE position(query, concat('summary', '!')) > 0",
        { lane: 'short' },
      ),
    ) > 0;

  test('a summary counts the matches of each readable dataset that has some, and returns the first records as written', async () => {
    const summaries = await query(200, lucene, { expression: 'kind:owl' });
    assert.deepEqual(
      summaries.map(({ datasetId, name, total, records }) => [datasetId, name, total, records.length]),
      [
        [ids['Birds'], 'Birds', 12, 10],
        [ids['Closed'], 'Closed', 1, 1],
        [ids['Words'], 'Words', 1, 1],
      ],
    );
    assert.deepEqual(Object.keys(summaries[0] ?? {}), ['datasetId', 'name', 'total', 'records']);
    assert.deepEqual(summaries[2]?.records, [{ kind: 'owl', text: 'An owl in the night', label: 'A' }]);
    const search = { datasetId: ids['Birds'], expression: 'kind:owl', limit: 10 };
    const { records } = await query<RecordResponse>(200, '/query/lucene', search);
    assert.deepEqual(summaries[0]?.records, records);
  });

  test('includeInternalRecordId adds to each record of a summary its id', async () => {
    const body = { expression: 'kind:owl', limit: 10, includeInternalRecordId: true };
    const { records } = await query<RecordResponse>(200, '/query/lucene', {
      ...body,
      datasetId: ids['Birds'],
    });
    assert.equal(typeof records[0]?.['_koverse_record_id'], 'string');
    for (const highlight of [false, true]) {
      const [birds] = await query(200, lucene, { ...body, highlight });
      assert.deepEqual(birds?.records, records);
    }
  });

  test('a summary contains only records whose labels the reader satisfies, and credentialsSubset limits them further', async () => {
    const expression = 'kind:owl OR text:wren';
    assert.deepEqual(await totals(lucene, { expression, datasetIds: [ids['Words'], ids['Birds']] }), [
      ['Birds', 12],
      ['Words', 1],
    ]);
    const both = await fixture.reader('A', 'B');
    assert.deepEqual(await totals(lucene, { expression, datasetIds: [ids['Words'], ids['Birds']] }, both), [
      ['Birds', 13],
      ['Words', 2],
    ]);
    assert.deepEqual(await totals(lucene, { expression: 'text:*', credentialsSubset: ['B'] }, both), [
      ['Words', 1],
    ]);
    assert.deepEqual(await totals(lucene, { expression: 'text:*', credentialsSubset: [] }, both), []);
    assert.deepEqual(await totals(sql, { expression: 'SELECT kind FROM dataset WHERE n = 100' }), []);
  });

  test('a summary returns the requested number of records of each dataset, ten by default and a hundred at most', async () => {
    assert.deepEqual(
      await Promise.all([undefined, 0, 1, 24, 25, 26, 100].map(countAt)),
      [10, 10, 1, 24, 25, 25, 25],
    );
    for (const limit of [-1, 101, 'all']) await query(400, lucene, { expression: '*:*', limit });
  });

  test('datasetIds of a summary selects datasets, and one that may not be read gets the same error as an absent one', async () => {
    assert.deepEqual(await totals(lucene, { expression: '*:*', datasetIds: [] }), []);
    assert.deepEqual(await totals(lucene, { expression: '*:*', datasetIds: [ids['Words'], ids['Words']] }), [
      ['Words', 1],
    ]);
    for (const path of [lucene, sql]) {
      const expression = path === sql ? 'SELECT * FROM dataset' : '*:*';
      const absent = '00000000-0000-4000-8000-000000000000';
      const results = await Promise.all(
        [ids['Secret'] ?? '', absent].map(async (id) => {
          const { name, message } = await query<RecordResponse>(404, path, {
            expression,
            datasetIds: [ids['Words'], id],
          });
          return [name, message.replace(id, 'it')];
        }),
      );
      assert.deepEqual(results[0], results[1]);
      await query(403, path, { expression, datasetIds: [ids['Drop box']] });
    }
  });

  test('a summary by SQL runs the statement for each dataset in turn, in the order of the statement', async () => {
    const expression =
      'SELECT kind, count(*) AS many FROM dataset GROUP BY kind ORDER BY many DESC, kind LIMIT 5';
    assert.deepEqual(
      (await query(200, sql, { expression })).map(({ name, total, records }) => [name, total, records]),
      [
        [
          'Birds',
          2,
          [
            { kind: 'wren', many: 13 },
            { kind: 'owl', many: 12 },
          ],
        ],
        ['Closed', 1, [{ kind: 'owl', many: 1 }]],
        ['Numbers', 1, [{ kind: 5, many: 1 }]],
        ['Words', 1, [{ kind: 'owl', many: 1 }]],
      ],
    );
    const [birds] = await query(200, sql, {
      expression: 'SELECT * FROM "dataset" WHERE n > 20 ORDER BY n DESC',
      limit: 2,
    });
    assert.deepEqual(birds, {
      datasetId: ids['Birds'],
      name: 'Birds',
      total: 4,
      records: [
        { n: 24, kind: 'wren', label: '' },
        { n: 23, kind: 'owl', label: '' },
      ],
    });
    const encoded = encodeURIComponent('SELECT n FROM Dataset WHERE n = 3').replaceAll("'", '%27');
    assert.deepEqual(await totals(sql, { expression: encoded }), [['Birds', 1]]);
    assert.deepEqual(
      await totals(sql, { expression: 'SELECT count(*) FROM dataset', datasetIds: [ids['Nothing']] }),
      [['Nothing', 1]],
    );
  });

  test('a statement that fits no dataset, or names another table or none, is rejected', async () => {
    const refused = async (status: number, expression: string): Promise<RecordResponse> =>
      query<RecordResponse>(status, sql, { expression });
    assert.match((await refused(400, 'SELECT nowhere FROM dataset')).message, /nowhere/);
    assert.equal((await refused(404, `SELECT * FROM dataset, "${ids['Birds']}"`)).name, 'TableNotFoundError');
    assert.match((await refused(400, 'SELECT 1')).message, /does not name the table dataset/);
    assert.equal((await refused(400, 'SELECT FROM WHERE')).name, 'SqlParseError');
    assert.equal((await query<RecordResponse>(400, lucene, { expression: 'a:(' })).name, 'LuceneParseError');
  });

  test('a summary of a search without a field leaves out datasets that do not allow it, and rejects them by id', async () => {
    assert.deepEqual(await totals(lucene, { expression: 'owl' }), [
      ['Birds', 12],
      ['Words', 1],
    ]);
    const { name, message } = await query<RecordResponse>(400, lucene, {
      expression: 'owl',
      datasetIds: [ids['Closed']],
    });
    assert.equal(name, 'MissingIndexError');
    assert.ok(message.includes(ids['Closed'] ?? ''));
    assert.deepEqual(await totals(lucene, { expression: 'note:owl', datasetIds: [ids['Closed']] }), [
      ['Closed', 1],
    ]);
  });

  test('a summary over more datasets than one engine statement can cover finds each of them once', async () => {
    const names = Array.from({ length: 60 }, (_, n) => `Many ${String(n).padStart(2, '0')}`);
    let last = '';
    for (const [n, name] of names.entries()) {
      const id = await fixture.dataset(['read'], { name });
      last = id;
      if (n % 3 > 0)
        await fixture.write(id, [{ marker: 'zebra', n }, { marker: 'zebra', n }, { other: true }]);
    }
    const expected = names.filter((_, n) => n % 3 > 0).map((name) => [name, 2]);
    // Datasets that are summarised again may be read from copies.
    for (let time = 0; time < 4; time++)
      assert.deepEqual(await totals(lucene, { expression: 'zebra', limit: 1 }), expected);
    const withIds = { expression: 'zebra', limit: 1, includeInternalRecordId: true };
    const fromCopies = (await query(200, lucene, withIds)).find(({ datasetId }) => datasetId === last);
    assert.deepEqual(await query(200, lucene, { ...withIds, datasetIds: [last] }), [fromCopies]);
    assert.deepEqual(
      await totals(sql, { expression: "SELECT * FROM dataset WHERE marker = 'zebra'", limit: 1 }),
      expected,
    );
    await fixture.write(last, [{ marker: 'zebra' }]);
    const after = [...expected.slice(0, -1), [names.at(-1), 3]];
    assert.deepEqual(await totals(lucene, { expression: 'zebra', limit: 1 }), after);
  });

  test('a summary is cancelled by its searchId, and the engine stops', async () => {
    const tables = Array.from({ length: 12 }, (_, i) => `dataset AS j${i}`).join(', ');
    const expression = `SELECT count(*) FROM ${tables} WHERE j0.kind <> 'summary!' AND j1.n + j2.n + j3.n + j11.n <> 7`;
    const response = query<RecordResponse>(400, sql, {
      expression,
      searchId: 'all of them',
      datasetIds: [ids['Birds']],
    });
    while (!(await running())) await sleep(20);
    await fixture.call(404, 'DELETE', '/query/all%20of%20them');
    await fixture.call(200, 'DELETE', '/query/all%20of%20them', { token });
    assert.equal((await response).message, 'The query "all of them" was cancelled.');
    while (await running()) await sleep(20);
  });
});

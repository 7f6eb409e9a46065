/* Shows: F-POST-/query-includeInternalFields, D-sql-dataset-name, D-sql-other-workspaces, D-sql-columns,
   D-sql-datasetId, D-sql-wrap, D-select-star, X-SqlParseError, X-TableNotFoundError, W-percent-sql,
   W-internal-id-sql, W-query-table */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  bodyOf,
  createRecordFixture,
  labelField,
  type RecordResponse,
  type RecordFixture,
} from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';

const aids = [
  { ident: 'SEA', type: 'VOR', elevation: 433, country: 'US', place: { region: 'WA' }, label: 'REGION:US' },
  { ident: 'PDX', type: 'VOR', elevation: 30, country: 'US', place: { region: 'OR' }, label: 'REGION:US' },
  { ident: 'LON', type: 'NDB', elevation: null, country: 'GB', place: { region: 'ENG' }, label: 'REGION:EU' },
  { ident: 'BER', type: 'NDB', elevation: 34.5, country: 'DE', label: '' },
];
const countries = [
  { code: 'US', Name: 'United States' },
  { code: 'DE', Name: 'Germany' },
  { code: 'FR', Name: 'France' },
];

describe('querying with SQL', () => {
  let server: SharedServer;
  let fixture: RecordFixture;
  let id: string;
  let countryId: string;
  let american: string;

  before(async () => {
    server = await sharedServer();
    fixture = await createRecordFixture(server);
    id = await fixture.dataset(['read'], { name: 'Navigation aids' });
    countryId = await fixture.dataset(['read'], { name: 'countries' });
    bodyOf(200, await fixture.write(id, aids, { labelInfo: labelField }));
    bodyOf(200, await fixture.write(countryId, countries));
    american = await fixture.reader('REGION:US');
  });

  const send = (expression: string, rest: Record<string, unknown> = {}, token = american, query = '') =>
    fixture.post(`/query${query}`, JSON.stringify({ expression, ...rest }), { token });
  const rows = async (expression: string, rest: Record<string, unknown> = {}, token = american) =>
    bodyOf(200, await send(expression, rest, token)).records;
  const refused = async (
    status: number,
    expression: string,
    rest: Record<string, unknown> = {},
  ): Promise<RecordResponse> => bodyOf(status, await send(expression, rest));

  test('SELECT * returns the visible records as they were written', async () => {
    const response = bodyOf(200, await send(`SELECT * FROM "${id}"`));
    assert.deepEqual(new Set(response.records.map(({ ident }) => ident)), new Set(['BER', 'PDX', 'SEA']));
    assert.deepEqual(
      response.records.find(({ ident }) => ident === 'SEA'),
      aids[0],
    );
    assert.deepEqual([response.total, response.more], [3, false]);
    assert.equal(response.schema.elevation?.type, 'double precision');
    assert.ok(response.lastRecordId);
  });

  test('a select list returns typed values under the names of its columns', async () => {
    const response = bodyOf(
      200,
      await send(
        `SELECT type, count(*) AS aids, max(elevation) AS highest FROM "${id}" GROUP BY type ORDER BY type DESC`,
      ),
    );
    assert.deepEqual(response.records, [
      { type: 'VOR', aids: 2, highest: 433 },
      { type: 'NDB', aids: 1, highest: 34.5 },
    ]);
    assert.deepEqual(response.schema, {
      type: { type: 'text' },
      aids: { type: 'bigint' },
      highest: { type: 'double precision' },
    });
    assert.deepEqual([response.total, response.more, response.lastRecordId], [2, false, null]);
  });

  test('a table name is the id of a dataset, or the name of one that the reader may read', async () => {
    const count = [{ count: 3 }];
    for (const name of [`"${id}"`, '"Navigation aids"']) {
      assert.deepEqual(await rows(`SELECT count(*) FROM ${name}`), count, name);
    }
    assert.deepEqual(await rows('SELECT count(*) FROM COUNTRIES'), count);
    const twin = await fixture.dataset(['read'], { name: 'Twin' });
    await fixture.dataset(['read'], { name: 'Twin' });
    const closed = await fixture.dataset([], { name: 'Closed' });
    for (const name of ['"Twin"', 'nowhere', `"${closed}"`, '"Closed"']) {
      const { name: error } = await refused(404, `SELECT 1 FROM ${name}`);
      assert.equal(error, 'TableNotFoundError');
    }
    assert.deepEqual(await rows(`SELECT count(*) FROM "${twin}"`), [{ count: 0 }]);
  });

  test('SQL reaches no dataset of another workspace, by id or by name', async () => {
    const other = await createRecordFixture(server);
    const foreign = await other.dataset(['read'], { name: 'Abroad' });
    for (const name of [`"${foreign}"`, '"Abroad"']) await refused(404, `SELECT 1 FROM ${name}`);
    const mine = await fixture.dataset(['read'], { name: 'Abroad' });
    bodyOf(200, await fixture.write(mine, [{ n: 1 }]));
    assert.deepEqual(await rows('SELECT n FROM Abroad'), [{ n: 1 }]);
  });

  test('unquoted names find columns in any letter case, quoted ones exactly, and dots lead into objects', async () => {
    assert.deepEqual(await rows(`SELECT NAME FROM countries WHERE Code = 'DE'`), [{ Name: 'Germany' }]);
    assert.deepEqual(await rows(`SELECT a.place.region FROM "${id}" a WHERE ident = 'SEA'`), [
      { region: 'WA' },
    ]);
    const { message } = await refused(400, 'SELECT "name" FROM countries');
    assert.equal(message, 'SQL: the column "name" does not exist (character 8).');
  });

  test('joins, subqueries and set operations read the visible records of several datasets', async () => {
    const joined = `SELECT c."Name", count(a.ident) AS aids FROM countries c LEFT JOIN "${id}" a ON a.country = c.code GROUP BY c."Name" ORDER BY 2 DESC, 1`;
    assert.deepEqual(await rows(joined), [
      { Name: 'United States', aids: 2 },
      { Name: 'Germany', aids: 1 },
      { Name: 'France', aids: 0 },
    ]);
    assert.deepEqual(await rows(`SELECT code FROM countries EXCEPT SELECT country FROM "${id}"`), [
      { code: 'FR' },
    ]);
    assert.deepEqual(
      await rows(
        `SELECT ident FROM "${id}" WHERE country NOT IN (SELECT code FROM countries)`,
        {},
        fixture.admin,
      ),
      [],
    );
  });

  test('limit and offset wrap the statement, and total counts its rows', async () => {
    const statement = `SELECT ident FROM "${id}" ORDER BY ident`;
    const first = bodyOf(200, await send(statement, { limit: 2 }));
    assert.deepEqual([first.records.length, first.total, first.more], [2, 3, true]);
    const rest = bodyOf(200, await send(statement, { limit: -1, offset: 2 }));
    assert.deepEqual([rest.records, rest.total, rest.more], [[{ ident: 'SEA' }], 3, false]);
    const cut = bodyOf(200, await send(`${statement} DESC LIMIT 2`, { offset: 1 }));
    assert.deepEqual([cut.records, cut.total, cut.more], [[{ ident: 'PDX' }], 2, false]);
    const many = JSON.stringify(Array.from({ length: 30 }, (_, n) => ({ n })));
    const manyId = await fixture.dataset(['read']);
    bodyOf(200, await fixture.write(manyId, many));
    for (const limit of [undefined, 0]) {
      assert.equal((await rows(`SELECT n FROM "${manyId}"`, { limit })).length, 10);
    }
    assert.equal((await rows(`SELECT n FROM "${manyId}"`, { limit: -1 })).length, 30);
  });

  test('internal fields are added to whole records on request, and are columns of their own', async () => {
    const [record] = bodyOf(
      200,
      await send('SELECT * FROM countries', {}, american, '?includeInternalFields=True'),
    ).records;
    assert.equal(record?.['_koverse_dataset_id'], countryId);
    assert.equal(record?.['_koverse_security_label'], '');
    const [row] = await rows(
      `SELECT _koverse_record_id AS id FROM countries WHERE _koverse_record_id = '${String(record?.['_koverse_record_id'])}'`,
    );
    assert.deepEqual(row, { id: record?.['_koverse_record_id'] });
  });

  test('credentialsSubset limits a statement to what is visible with those attributes', async () => {
    const count = `SELECT count(*) FROM "${id}"`;
    assert.deepEqual(await rows(count, { credentialsSubset: [] }), [{ count: 1 }]);
    assert.deepEqual(await rows(count, { credentialsSubset: ['region:us', 'REGION:EU'] }), [{ count: 3 }]);
  });

  test('a percent-encoded statement of existing clients is decoded', async () => {
    const text = encodeURIComponent(
      'SELECT count(*) AS n FROM countries WHERE "Name" LIKE \'%an%\'',
    ).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
    assert.deepEqual(await rows(text), [{ n: 2 }]);
    assert.deepEqual(await rows(`SELECT count(*) AS n FROM countries WHERE "Name" LIKE '%an%'`), [{ n: 2 }]);
  });

  test('a value that would be an error in PostgreSQL is null, for every reader of the row', async () => {
    assert.deepEqual(
      await rows('SELECT 1 / (length(code) - 2) AS q, code::bigint AS b FROM countries LIMIT 1'),
      [{ q: null, b: null }],
    );
  });

  test('a statement that does not parse, or uses an unknown name or an unsupported feature, is rejected with the position', async () => {
    const cases: [number, string, string, string][] = [
      [
        400,
        'SqlParseError',
        'SELEC 1',
        'The statement does not parse: syntax error at or near "SELEC" (character 1).',
      ],
      [
        400,
        'SqlParseError',
        'SELECT 1; SELECT 2',
        'SQL: only one statement is allowed, got several: send them one by one (character 11).',
      ],
      [
        400,
        'SqlParseError',
        'DROP TABLE countries',
        'SQL: only SELECT is supported, got DROP (character 1).',
      ],
      [
        400,
        'SqlParseError',
        'SELECT nope FROM countries',
        'SQL: the column "nope" does not exist (character 8).',
      ],
      [
        400,
        'SqlParseError',
        'SELECT pg_sleep(1)',
        'SQL: the function pg_sleep is not supported (character 8). The SQL reference lists the functions.',
      ],
      [
        400,
        'SqlParseError',
        "SELECT 'é', pg_sleep(1)",
        'SQL: the function pg_sleep is not supported (character 13). The SQL reference lists the functions.',
      ],
      ...['system.tables', 'information_schema.columns', 'pg_catalog.pg_class', 'd.s.countries'].map(
        (table): [number, string, string, string] => [
          400,
          'SqlParseError',
          `SELECT 1 FROM ${table}`,
          `SQL: a table name with a schema (${table.replaceAll(/\w+/g, '"$&"')}) is not supported (character 15). Datasets have no schema, and there are no system tables: write the name or id of a dataset alone, in double quotes.`,
        ],
      ),
      [
        400,
        'SqlParseError',
        "SELECT 1 FROM url('http://127.0.0.1', 'CSV')",
        'SQL: the function url in FROM is not supported (character 15). The SQL reference lists the set-returning functions.',
      ],
      [
        400,
        'SqlParseError',
        'SELECT 1 FROM countries a, (countries b JOIN LATERAL (SELECT a.code) c ON true)',
        'SQL: LATERAL in a join that names columns of tables before the join is not supported (character 62). Put the LATERAL subquery behind a comma or CROSS JOIN, or join the tables in a subquery first.',
      ],
      [
        400,
        'SqlParseError',
        'SELECT to_json(code) FROM countries',
        'SQL: the function to_json is not supported (character 8). Use to_jsonb.',
      ],
    ];
    for (const [status, name, statement, message] of cases) {
      const response = await refused(status, statement);
      assert.deepEqual([response.name, response.message], [name, message], statement);
    }
  });

  test('a datasetId next to the statement must be readable, and unknown keys are rejected', async () => {
    assert.equal((await rows('SELECT 1', { datasetId: id })).length, 1);
    await refused(404, 'SELECT 1', { datasetId: '00000000-0000-4000-8000-000000000000' });
    const { errors } = await refused(400, 'SELECT 1', { nonsense: true });
    assert.deepEqual(
      errors.map(({ field }) => field),
      ['nonsense'],
    );
    await refused(400, 'SELECT 1', { limit: -2 });
  });

  test('a change of a grant, a name or a dataset takes effect with the next statement', async () => {
    const statement = 'SELECT code FROM fleeting';
    await refused(404, statement);
    const first = await fixture.dataset([], { name: 'fleeting' });
    bodyOf(200, await fixture.write(first, [{ code: 'A' }]));
    await refused(404, statement);
    const grant = await fixture.call<{ id: string }>(201, 'POST', '/dataset-permissions', {
      body: { action: 'read', datasetId: first, groupId: fixture.readers.id },
    });
    assert.deepEqual(await rows(statement), [{ code: 'A' }]);
    await fixture.call(200, 'DELETE', `/dataset-permissions/${grant.id}`);
    await refused(404, statement);
    const second = await fixture.dataset(['read'], { name: 'another' });
    bodyOf(200, await fixture.write(second, [{ code: 'B' }]));
    assert.deepEqual(await rows('SELECT code FROM another'), [{ code: 'B' }]);
    await fixture.call(200, 'PATCH', `/datasets/${second}`, { body: { name: 'fleeting' } });
    assert.deepEqual(await rows(statement), [{ code: 'B' }]);
    await refused(404, 'SELECT code FROM another');
    await fixture.call(200, 'DELETE', `/datasets/${second}`);
    await refused(404, statement);
  });
});

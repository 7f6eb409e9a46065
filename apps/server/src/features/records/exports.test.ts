/* Shows: L21 */
import type { AuthenticationResult, Export } from '@redoubt/contract';
import {
  createRecordFixture,
  labelField,
  sendRequest,
  type RecordFixture,
  type TestPerson,
  type TestResponse,
} from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

const bodyOf = <T>(status: number, response: TestResponse<T>): T => {
  assert.equal(response.status, status, JSON.stringify(response.body));
  return response.body;
};

let server: TestServer;
let fixture: RecordFixture;
let reader: TestPerson;
let dataset: string;
before(async () => {
  server = await startServer();
  fixture = await createRecordFixture(server);
  reader = await fixture.newReader('EU');
  dataset = await fixture.dataset(['read'], { name: 'Files' });
  const records = [
    { text: '=cmd()', n: -5, label: '' },
    { text: 'say "=hi", ok', n: 2, label: 'EU' },
    { text: '', n: null, label: '' },
  ];
  assert.equal((await fixture.write(dataset, records, { labelInfo: labelField })).status, 200);
});
after(() => server.close());

interface Browser {
  id: string;
  cookie: string;
}

const openBrowser = async ({ email, password }: TestPerson): Promise<Browser> => {
  const { body, headers } = await sendRequest<AuthenticationResult>(server, 'POST', '/authentication', {
    body: { strategy: 'local', email, password, workspaceId: fixture.workspace.id },
    headers: { 'x-redoubt-session': 'new' },
  });
  return {
    id: body.authentication.payload.jti,
    cookie: (headers.get('set-cookie') ?? '').split(';')[0] ?? '',
  };
};

const prepare = ({ id, cookie }: Browser, body: object) =>
  sendRequest<Export>(server, 'POST', '/exports', { body, headers: { cookie, 'x-redoubt-session': id } });

const download = (path: string, headers: Record<string, string>): Promise<Response> =>
  fetch(`${server.url}${path}`, { headers });

const statement = (format: string, expression = `SELECT text, n FROM "${dataset}" ORDER BY n`) => ({
  operation: 'query',
  body: { expression, limit: -1 },
  format,
});

/** All rows of a screen with these conditions. */
const rowsOf = (body: object, format = 'lines') => ({
  operation: 'readRows',
  body: { datasetId: dataset, ...body },
  format,
});

const fileOf = async (browser: Browser, body: object): Promise<string> => {
  const { path } = bodyOf(201, await prepare(browser, body));
  const response = await download(path, { cookie: browser.cookie });
  assert.equal(response.status, 200);
  return response.text();
};

describe('exports', () => {
  test('CSV is exact, and CSV for spreadsheets guards texts that would run as formulas', async () => {
    const browser = await openBrowser(reader);
    assert.equal(
      await fileOf(browser, statement('csv')),
      '"text","n"\r\n"=cmd()",-5\r\n"say ""=hi"", ok",2\r\n"",\r\n',
    );
    assert.equal(
      await fileOf(browser, statement('spreadsheet')),
      '"text","n"\r\n"\'=cmd()",-5\r\n"say ""=hi"", ok",2\r\n"",\r\n',
    );
  });

  test('a file holds the rows that its reader sees', async () => {
    const search = {
      operation: 'queryLucene',
      body: { datasetId: dataset, expression: '*:*', limit: -1 },
      format: 'lines',
    };
    const mine = await fileOf(await openBrowser(reader), search);
    assert.equal(mine.trimEnd().split('\n').length, 3);
    const theirs = await fileOf(await openBrowser(fixture.workspace.admin), search);
    assert.equal(theirs.trimEnd().split('\n').length, 2);
    assert.doesNotMatch(theirs, /=hi/);
  });

  test('rows of a screen are exported with its search, filters and sort together', async () => {
    const combined = {
      lucene: 'NOT text:hi',
      filters: [{ field: 'n', operator: 'is', values: ['-5', null] }],
      sort: [{ field: 'n', direction: 'descending' }],
    };
    const browser = await openBrowser(reader);
    assert.equal(
      await fileOf(browser, rowsOf(combined)),
      '{"text":"=cmd()","n":-5,"label":""}\n{"text":"","n":null,"label":""}\n',
    );
    assert.equal(
      await fileOf(browser, rowsOf({ ...combined, sort: [{ field: 'n', direction: 'ascending' }] }, 'csv')),
      '"label","n","text"\r\n"",-5,"=cmd()"\r\n"",,""\r\n',
    );
    const byLabel = rowsOf({ lucene: 'hi', sort: [{ field: 'n', direction: 'ascending' }] });
    assert.match(await fileOf(browser, byLabel), /=hi/);
    assert.equal(await fileOf(await openBrowser(fixture.workspace.admin), byLabel), '');
    for (const [body, status] of [
      [{ lucene: 'text:(' }, 400],
      [{ filters: [{ field: 'n', operator: 'near', values: ['1'] }] }, 400],
      [{ limit: 5 }, 400],
      [{ datasetId: 'nowhere' }, 404],
    ] as const)
      assert.equal((await prepare(browser, rowsOf(body))).status, status, JSON.stringify(body));
  });

  test('the browser stores the file, and neither shows nor keeps it', async () => {
    const browser = await openBrowser(reader);
    const { path } = bodyOf(201, await prepare(browser, { ...statement('csv'), fileName: 'Größe "x"/../y' }));
    const { headers } = await download(path, { cookie: browser.cookie });
    assert.equal(
      headers.get('content-disposition'),
      'attachment; filename="Gr__e _x__.._y.csv"; filename*=UTF-8\'\'Gr%C3%B6%C3%9Fe%20%22x%22%2F..%2Fy.csv',
    );
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.match(headers.get('content-security-policy') ?? '', /^sandbox;/);
  });

  test('an address works once, for the session that asked, and for a minute', async () => {
    const browser = await openBrowser(reader);
    const other = await openBrowser(reader);
    const newPath = async (): Promise<string> => bodyOf(201, await prepare(browser, statement('csv'))).path;
    const path = await newPath();
    assert.equal((await download(path, {})).status, 401);
    assert.equal((await download(path, { cookie: other.cookie })).status, 404);
    assert.equal(
      (await download(path, { cookie: browser.cookie, 'sec-fetch-site': 'cross-site' })).status,
      401,
    );
    assert.equal((await download(path, { cookie: browser.cookie })).status, 200);
    assert.equal((await download(path, { cookie: browser.cookie })).status, 404);
    const late = await newPath();
    server.runtime.clock.advance(61_000);
    assert.equal((await download(late, { cookie: browser.cookie })).status, 404);
  });

  test('errors are reported when the export is prepared', async () => {
    const browser = await openBrowser(reader);
    const { status, body } = await prepare(browser, statement('csv', 'SELEC 1'));
    assert.equal(status, 400);
    assert.equal((body as unknown as { name: string }).name, 'SqlParseError');
    const unknown = await prepare(browser, { ...statement('csv'), body: { sql: 'SELECT 1' } });
    assert.equal(unknown.status, 400);
    for (const datasetId of ['nowhere', '00000000-0000-4000-8000-000000000000']) {
      const search = { operation: 'queryLucene', body: { datasetId, expression: 'a' }, format: 'csv' };
      assert.equal((await prepare(browser, search)).status, 404);
    }
  });

  test('a session has at most ten prepared files, and another one replaces the oldest', async () => {
    const browser = await openBrowser(reader);
    const other = await openBrowser(reader);
    const untouched = bodyOf(201, await prepare(other, statement('csv'))).path;
    const paths: string[] = [];
    for (let n = 0; n < 12; n++) {
      server.runtime.clock.advance(1);
      paths.push(bodyOf(201, await prepare(browser, statement('csv'))).path);
    }
    const statuses: number[] = [];
    for (const path of paths) statuses.push((await download(path, { cookie: browser.cookie })).status);
    assert.deepEqual(statuses, [404, 404, ...Array.from({ length: 10 }, () => 200)]);
    assert.equal((await download(untouched, { cookie: other.cookie })).status, 200);
  });

  test('a request of more than 300 KB is not stored, and the field is named', async () => {
    const browser = await openBrowser(reader);
    const [fits, tooLong] = [140_000, 160_000].map((length) =>
      statement('csv', `SELECT 1 AS n -- ${'é'.repeat(length)}`),
    );
    assert.equal((await prepare(browser, fits ?? {})).status, 201);
    const { status, body } = await prepare(browser, tooLong ?? {});
    assert.equal(status, 400);
    assert.match(JSON.stringify(body), /body must be at most 300000 bytes/);
  });

  test('a file whose source ends early never looks whole', async () => {
    const browser = await openBrowser(reader);
    const long = statement('csv', "SELECT n, repeat('x', 1000) AS x FROM generate_series(1, 200000) AS n");
    const { path } = bodyOf(201, await prepare(browser, long));
    const response = await download(path, { cookie: browser.cookie });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-length'), null, 'only the last chunk says that all was sent');
    const read = response.body?.getReader();
    await read?.read();
    await fetch(`${server.url}/sessions/${browser.id}`, {
      method: 'DELETE',
      headers: { cookie: browser.cookie, 'x-redoubt-session': browser.id },
    });
    server.runtime.clock.advance(60_000);
    await assert.rejects(async () => {
      for (;;) if ((await read?.read())?.done === true) return;
    });
  });
});

/* Shows: D-searchId, D-limit-message, E-Query-searchId, A-stopped-work, A-fairness */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyOf, createRecordFixture, type RecordFixture } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';

/** A join with too many pairs for any engine to finish. */
const endless = (mark: string): string => {
  const tables = Array.from({ length: 12 }, (_, i) => `people AS j${i}`).join(', ');
  return `SELECT count(*) FROM ${tables} WHERE j0.name <> '${mark}' AND j1.id + j2.id + j3.id + j11.id <> 7`;
};

describe('running queries', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  let heavy: string;
  let light: string;
  before(async () => {
    server = await startServer({ storeLimits: { querySeconds: 600 } });
    fixture = await createRecordFixture(server);
    const dataset = await fixture.dataset(['read'], { name: 'people' });
    const people = Array.from({ length: 60 }, (_, id) => ({ id, name: `${'a'.repeat(id % 30)}!` }));
    bodyOf(200, await fixture.write(dataset, people));
    heavy = (await fixture.newReader()).token;
    light = (await fixture.newReader()).token;
  });
  after(() => server.close());

  const query = (expression: string, rest: object = {}, token = heavy, path = '/query') =>
    fixture.post(path, JSON.stringify({ expression, ...rest }), { token });
  const cancel = async (searchId: string, token = heavy): Promise<number> => {
    const path = `${server.url}/query/${encodeURIComponent(searchId)}`;
    const response = await fetch(path, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    return response.status;
  };
  /** Sends a cancel request with a key of the person who runs the query. */
  const cancelWithKey = async (searchId: string): Promise<number> => {
    const { key } = await fixture.call<{ key: string }>(201, 'POST', '/api-keys', {
      token: heavy,
      body: { name: 'Key', workspaceId: fixture.workspace.id, groupNames: ['Readers'], attributeNames: [] },
    });
    const path = `${server.url}/query/${encodeURIComponent(searchId)}`;
    const response = await fetch(path, { method: 'DELETE', headers: { 'x-api-key': key } });
    await response.arrayBuffer();
    return response.status;
  };
  const statements = async (mark: string): Promise<number> =>
    Number(
      await server.engine.text(
        `SELECT count() FROM system.processes WHERE position(query, concat('${mark}', '!')) > 0`,
        { lane: 'short' },
      ),
    );
  const until = async (mark: string, isRunning: boolean): Promise<void> => {
    while ((await statements(mark)) > 0 !== isRunning) await sleep(20);
  };

  for (const [kind, sent, rest] of [
    ['a page of rows', endless('page!'), { searchId: 'mine' }],
    ['all rows', endless('rows!'), { searchId: 'mine', limit: -1 }],
    [
      'a subquery that stands for one value',
      `SELECT id, (${endless('value!')}) FROM people`,
      { searchId: 'mine', limit: -1 },
    ],
  ] as const) {
    const mark = /(\w+)!/.exec(sent)?.[1] ?? '';

    test(`a query of ${kind} is cancelled by its searchId, and the engine stops`, async () => {
      const response = query(sent, rest);
      await until(mark, true);
      assert.equal(await cancel('mine', light), 404);
      assert.equal(await cancel('mine', fixture.admin), 404);
      assert.equal(await cancel('other'), 404);
      assert.equal(await cancelWithKey('mine'), 404);
      assert.equal(await cancel('mine'), 200);
      const { name, message } = bodyOf(400, await response);
      assert.deepEqual([name, message], ['QueryError', 'The query "mine" was cancelled.']);
      await until(mark, false);
      assert.equal(await cancel('mine'), 404);
    });

    test(`a query of ${kind} stops in the engine when its client goes away`, async () => {
      const controller = new AbortController();
      const response = fetch(`${server.url}/query`, {
        method: 'POST',
        headers: { authorization: `Bearer ${heavy}`, 'content-type': 'application/json' },
        body: JSON.stringify({ expression: sent, ...rest }),
        signal: controller.signal,
      });
      const checked = assert.rejects(response, { name: 'AbortError' });
      await until(mark, true);
      controller.abort();
      await checked;
      await until(mark, false);
      // The engine ends the statement a moment before the server forgets the query.
      while ((await cancel('mine')) === 200) await sleep(20);
      assert.equal(await cancel('mine'), 404);
    });
  }

  test('a query that has ended cannot be cancelled, in SQL or Lucene', async () => {
    bodyOf(200, await query('SELECT 1', { searchId: 'done' }));
    const { id } = await fixture.call<{ id: string }>(201, 'POST', '/datasets', {
      body: { name: 'Other', workspaceId: fixture.workspace.id },
    });
    const search = { datasetId: id, searchId: 'done' };
    bodyOf(200, await query('*:*', search, fixture.admin, '/query/lucene'));
    bodyOf(400, await query('SELEC', { searchId: 'done' }));
    for (const token of [heavy, fixture.admin]) assert.equal(await cancel('done', token), 404);
  });

  test('heavy queries of one person leave connections for light queries of another', async () => {
    let ended = 0;
    const responses = Array.from({ length: 24 }, async (_, index) => {
      const response = await query(endless('heavy!'), {
        searchId: 'heavy',
        limit: index % 2 === 0 ? 10 : -1,
      });
      ended += 1;
      return response;
    });
    await until('heavy', true);
    for (const limit of [10, -1]) {
      for (let round = 0; round < 3; round++) {
        const { records } = bodyOf(200, await query('SELECT count(*) AS n FROM people', { limit }, light));
        assert.deepEqual(records, [{ n: 60 }]);
      }
    }
    assert.equal(ended, 0);
    while ((await cancel('heavy')) === 200) await sleep(20);
    for (const response of await Promise.all(responses)) bodyOf(400, response);
  });
});

describe('limits of queries', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  before(async () => {
    server = await startServer({ storeLimits: { querySeconds: 1, queryMemoryBytes: 60_000_000 } });
    fixture = await createRecordFixture(server);
    const dataset = await fixture.dataset(['read'], { name: 'people' });
    const people = Array.from({ length: 60 }, (_, id) => ({ id, name: `${'a'.repeat(id % 30)}!` }));
    bodyOf(200, await fixture.write(dataset, people));
  });
  after(() => server.close());

  test('a statement has limits of time and memory, and exceeding either gives the same error', async () => {
    const messages = new Set<string>();
    for (const expression of [
      endless('bomb'),
      'SELECT a.name, b.id FROM people a, people b, people c, people d, people e, people f, people g ORDER BY a.name, b.id, c.id, d.id DESC',
      'SELECT repeat(repeat(a.name, 1000), 1000) AS long FROM people a, people b ORDER BY long',
      `SELECT (${endless('value')})`,
    ]) {
      for (const limit of [10, -1]) {
        const response = await fixture.post('/query', JSON.stringify({ expression, limit }), {
          token: await fixture.reader(),
        });
        const { name, message } = bodyOf(400, response);
        assert.equal(name, 'QueryError');
        messages.add(message);
      }
    }
    assert.deepEqual(
      [...messages],
      [
        'The query reached a limit of this server on time, memory or rows. Narrow the expression, or ask for fewer records.',
      ],
    );
  });
});

/* Shows: A-jobs-whole, A-jobs-taken-over, A-several-processes */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  sendRequest,
  bodyOf,
  createRecordFixture,
  labelField,
  signIn,
  type RawResponse,
  type RecordFixture,
  type TestClickhouse,
} from '@redoubt/testkit';
import {
  createPostgresDatabase,
  metadataEngine,
  startServerProcess,
  type ServerProcess,
} from '@redoubt/server/testing';
import { startTestClickhouse } from '@redoubt/records/testing';

const skip = metadataEngine() === 'postgres' ? false : 'several processes need a PostgreSQL server';

const post = async (
  server: ServerProcess,
  path: string,
  body: unknown,
  token: string,
): Promise<RawResponse> => {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

const countOf = async (server: ServerProcess, id: string, token: string): Promise<unknown> =>
  (await sendRequest(server, 'GET', `/datasets/${id}`, { token })).body['recordCount'];

const search = async (server: ServerProcess, datasetId: string, expression: string, token: string) =>
  bodyOf(
    200,
    await post(
      server,
      '/query/lucene',
      { datasetId, expression, limit: -1, includeInternalRecordId: true },
      token,
    ),
  );

/** Requests a change that runs as a job; gives its id. */
const startJob = async (server: ServerProcess, path: string, body: unknown, token: string) => {
  const response = await post(server, path, body, token);
  assert.equal(response.status, 202, response.text);
  return (JSON.parse(response.text) as { id: string }).id;
};
const endOf = async (server: ServerProcess, id: string, token: string): Promise<unknown> => {
  for (;;) {
    const { status } = (await sendRequest(server, 'GET', `/jobs/${id}`, { token })).body;
    if (status !== 'queued' && status !== 'running') return status;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** Two server processes on one PostgreSQL server and one ClickHouse server. */
describe('several processes on the same engines', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'redoubt-several-'));
  let clickhouse: TestClickhouse;
  let environment: Record<string, string>;
  let a: ServerProcess;
  let b: ServerProcess;
  let fixture: RecordFixture;

  const start = async (name: string): Promise<ServerProcess> =>
    startServerProcess({ dataDir: join(folder, name), environment });

  before(async () => {
    clickhouse = await startTestClickhouse();
    environment = {
      DATABASE_URL: await createPostgresDatabase(),
      CLICKHOUSE_URL: clickhouse.url,
      CLICKHOUSE_USER: clickhouse.username,
      CLICKHOUSE_PASSWORD: clickhouse.password,
      CLICKHOUSE_DATABASE: 'test_several',
      JWT_SECRET: 'the same secret for both of the processes',
    };
    a = await start('a');
    b = await start('b');
    fixture = await createRecordFixture(a);
  });
  after(async () => {
    await a.stop();
    await b.stop();
    await clickhouse.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const write = async (server: ServerProcess, id: string, records: unknown[], token = fixture.admin) =>
    bodyOf(
      200,
      await post(server, `/v2/write/${id}?isAsync=false`, { records, securityLabelInfo: labelField }, token),
    );
  test('a token is valid on each process, and signing out on one revokes it on the other', async () => {
    const reader = await fixture.newReader();
    const token = await signIn(b, reader, fixture.workspace.id);
    assert.equal((await sendRequest(a, 'GET', '/me', { token })).status, 200);
    await sendRequest(b, 'DELETE', `/authentication/${token}`);
    assert.equal((await sendRequest(a, 'GET', '/me', { token })).status, 401);
  });

  test('a query that one process runs can be canceled through the other, only by its requester', async () => {
    const dataset = await fixture.dataset(['read']);
    await write(
      a,
      dataset,
      Array.from({ length: 60 }, (_, id) => ({ id })),
    );
    const tables = Array.from({ length: 12 }, (_, at) => `"${dataset}" AS j${String(at)}`).join(', ');
    const expression = `SELECT count(*) FROM ${tables} WHERE j0.id + j1.id + j11.id <> 7`;
    const [token, other] = [(await fixture.newReader()).token, (await fixture.newReader()).token];
    const cancel = async (server: ServerProcess, as = token): Promise<number> =>
      (await sendRequest(server, 'DELETE', '/query/long', { token: as })).status;
    assert.equal(await cancel(b), 404);
    const response = post(a, '/query', { expression, searchId: 'long' }, token);
    while ((await cancel(b, token)) === 404) assert.equal(await cancel(b, other), 404);
    const { name, message } = bodyOf(400, await response);
    assert.deepEqual([name, message], ['QueryError', 'The query "long" was cancelled.']);
    while ((await cancel(b)) !== 404);
    assert.equal(await cancel(a), 404);
  });

  test('labels, fields and kinds written through one process are known to the other with its next request', async () => {
    const id = await fixture.dataset();
    const token = await fixture.reader('NEWS');
    for (let round = 0; round < 4; round++) {
      const [from, to] = round % 2 === 0 ? [a, b] : [b, a];
      const before = await search(to, id, '*', token);
      assert.equal(before.total, 2 * round);
      const record = {
        label: `NEWS|ROUND${round}`,
        [`field${round}`]: 'word',
        mixed: round === 2 ? 'Été' : round,
      };
      await write(from, id, [record, { ...record, label: 'HIDDEN' }, { n: round }]);
      assert.equal((await search(to, id, `field${round}:word`, token)).total, 1);
      assert.equal((await search(to, id, '*', token)).total, 2 * round + 2);
      if (round >= 2) assert.equal((await search(to, id, 'mixed:été', token)).total, 1);
      assert.equal(await countOf(to, id, token), 2 * round + 2);
      const schema = (await sendRequest(to, 'GET', `/query/schema?datasetId=${id}`, { token })).body;
      assert.ok(`field${round}` in schema, JSON.stringify(schema));
    }
  });

  test('a column labelled through one process is hidden on the other with its next request', async () => {
    const id = await fixture.dataset();
    const token = await fixture.reader('NEWS');
    for (const [index, [from, to]] of [
      [a, b],
      [b, a],
    ].entries()) {
      const column = `ssn${String(index)}`;
      await write(from ?? a, id, [{ label: 'NEWS', [column]: `alpha${String(index)}` }]);
      assert.equal((await search(to ?? b, id, `alpha${String(index)}`, token)).total, 1);
      const body = { [column]: { securityLabel: 'PII' } };
      await sendRequest(from ?? a, 'PATCH', `/write/schema/${id}`, { token: fixture.admin, body });
      assert.equal((await search(to ?? b, id, `alpha${String(index)}`, token)).total, 0);
      await write(to ?? b, id, [{ label: 'NEWS', [column]: `alpha${String(index)}`, more: index }]);
      assert.equal((await search(from ?? a, id, `alpha${String(index)}`, token)).total, 0);
      assert.equal((await search(from ?? a, id, `more:${String(index)}`, token)).total, 1);
      assert.ok(!JSON.stringify(await search(to ?? b, id, '*', token)).includes(`alpha${String(index)}`));
    }
  });

  test('an attribute or permission revoked through one process is gone on the other', async () => {
    const id = await fixture.dataset();
    const reader = await fixture.newReader();
    const assignment = await fixture.assign(reader.id, 'BOTH');
    await write(a, id, [{ label: 'BOTH', secret: 1 }]);
    assert.equal((await search(b, id, '*', reader.token)).total, 1);
    await fixture.call(200, 'DELETE', `/attribute-assignments/${assignment}`);
    assert.equal((await search(b, id, '*', reader.token)).total, 0);
    const { data } = await fixture.call<{ data: { id: string; action: string }[] }>(
      200,
      'GET',
      `/dataset-permissions?datasetId=${id}`,
    );
    for (const { id: permission } of data)
      await fixture.call(200, 'DELETE', `/dataset-permissions/${permission}`);
    assert.equal(
      (await post(b, '/query/lucene', { datasetId: id, expression: '*' }, reader.token)).status,
      404,
    );
  });

  test('writers on both processes lose nothing and see the same counts', async () => {
    const id = await fixture.dataset();
    const token = await fixture.reader('MANY');
    await Promise.all(
      Array.from({ length: 40 }, async (_, n) =>
        write(n % 2 === 0 ? a : b, id, [{ label: 'MANY', n }, { n: -n }], token),
      ),
    );
    for (const server of [a, b]) {
      assert.equal((await search(server, id, 'n:*', token)).total, 80);
      assert.equal(await countOf(server, id, token), 80);
      assert.equal(await countOf(server, id, fixture.admin), 40);
    }
  });

  test('processes that replace the same record exclude each other, also while another one starts', async () => {
    const id = await fixture.dataset(['read', 'write', 'manage']);
    const token = await fixture.reader('TURNS');
    await write(a, id, [{ label: 'TURNS', n: 0 }], token);
    const [first] = (await search(a, id, '*', token)).records;
    const recordId = first?.['_koverse_record_id'];
    const replace = async (server: ServerProcess, n: number): Promise<unknown> =>
      write(
        server,
        id,
        [
          { _koverse_record_id: recordId, label: 'TURNS', n },
          { label: 'TURNS', added: n },
        ],
        token,
      );
    const starting = start('c');
    await Promise.all(Array.from({ length: 16 }, async (_, n) => replace(n % 2 === 0 ? a : b, n + 1)));
    const c = await starting;
    try {
      for (const server of [a, b, c]) {
        assert.equal((await search(server, id, 'n:[1 TO 16]', token)).total, 1);
        assert.equal((await search(server, id, 'added:*', token)).total, 16);
        assert.equal(await countOf(server, id, token), 17);
      }
    } finally {
      await c.stop();
    }
  });

  test('deletes requested on both processes, while both write and replace, delete exactly the selected records', async () => {
    const id = await fixture.dataset(['read', 'write', 'manage']);
    const token = await fixture.reader('JOBS');
    const records = Array.from({ length: 60 }, (_, n) => ({ label: 'JOBS', n }));
    await write(a, id, [...records, { label: 'HIDDEN', n: 1 }], token);
    const kept = (await search(a, id, 'n:[50 TO 59]', token)).records;
    const storage = `/storage/datasets/${id}/deleteRecords`;
    const writing = Array.from({ length: 8 }, async (_, round) => {
      const server = round % 2 === 0 ? a : b;
      const again = kept.map((record) => ({ ...record, label: 'JOBS', round }));
      await write(server, id, [...again, { label: 'JOBS', added: round }], token);
    });
    const jobs = await Promise.all(
      [0, 1, 2, 3].map(async (part) =>
        startJob(
          part % 2 === 0 ? a : b,
          `${storage}/query`,
          { query: `n:[${part * 10} TO ${part * 10 + 9}]` },
          token,
        ),
      ),
    );
    await Promise.all(writing);
    for (const [index, job] of jobs.entries()) {
      assert.equal(await endOf(index % 2 === 0 ? b : a, job, token), 'completed');
    }
    for (const server of [a, b]) {
      assert.equal((await search(server, id, 'n:[0 TO 39]', token)).total, 0);
      assert.equal((await search(server, id, 'round:*', token)).total, 10);
      assert.equal(await countOf(server, id, token), 28);
    }
    const clear = await startJob(b, `/storage/datasets/${id}/clear`, {}, fixture.admin);
    assert.equal(await endOf(a, clear, fixture.admin), 'completed');
    await write(a, id, [{ label: 'JOBS', n: 1 }], token);
    for (const server of [a, b]) assert.equal(await countOf(server, id, token), 1);
  });

  test('a job requested on a process that is killed at once is done by another', async () => {
    const id = await fixture.dataset();
    const token = await fixture.reader('TAKEN');
    await write(
      a,
      id,
      Array.from({ length: 20 }, (_, n) => ({ label: 'TAKEN', n })),
      token,
    );
    const dying = await start('dying');
    const job = await startJob(
      dying,
      `/storage/datasets/${id}/deleteRecords/query`,
      { query: 'n:[0 TO 9]' },
      token,
    );
    await dying.kill();
    assert.equal(await endOf(a, job, token), 'completed');
    for (const server of [a, b]) assert.equal(await countOf(server, id, token), 10);
  });

  test('while the engine is unavailable, requests that need it are 503, and they work again when it is back', async () => {
    const id = await fixture.dataset();
    const token = await fixture.reader();
    await write(a, id, [{ n: 1 }]);
    await clickhouse.kill();
    const { status, text } = await post(a, '/query/lucene', { datasetId: id, expression: '*' }, token);
    assert.deepEqual([status, (JSON.parse(text) as { name: string }).name], [503, 'AccumuloError']);
    await clickhouse.restart();
    assert.equal((await search(a, id, '*', token)).total, 1);
    assert.equal(a.output().split('does not answer').length, 2);
    assert.equal(a.output().split('answers again').length, 2);
  });
});

/* Shows: F-POST-/query-countTotal */
import { bodyOf, createRecordFixture, type RecordFixture } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

let server: TestServer;
let fixture: RecordFixture;
before(async () => {
  server = await startServer();
  fixture = await createRecordFixture(server);
});
after(async () => {
  await server.close();
});

test('with countTotal false the total is null, and more is as exact as with a count', async () => {
  const id = await fixture.dataset();
  const records = Array.from({ length: 15 }, (_, n) => ({ n }));
  bodyOf(200, await fixture.write(id, records));
  const calls = [
    ['/query', { expression: `SELECT n FROM "${id}" ORDER BY n` }],
    ['/query', { expression: `SELECT * FROM "${id}"` }],
    ['/query/lucene', { datasetId: id, expression: '*:*' }],
  ] as const;
  for (const [path, body] of calls) {
    for (const page of [
      { limit: 5 },
      { limit: 14 },
      { limit: 15 },
      { limit: 16 },
      { limit: -1 },
      { limit: 5, offset: 10 },
      { limit: 5, offset: 9 },
      { limit: 1, offset: 15 },
      { limit: 500 },
    ]) {
      const send = async (countTotal: boolean) =>
        bodyOf(200, await fixture.post(path, JSON.stringify({ ...body, ...page, countTotal })));
      const { total, ...counted } = await send(true);
      assert.equal(total, 15);
      assert.deepEqual(await send(false), { ...counted, total: null }, `${path} ${JSON.stringify(page)}`);
    }
  }
});

test('with countTotal false other formats have no header with the total', async () => {
  const id = await fixture.dataset();
  bodyOf(200, await fixture.write(id, [{ n: 1 }]));
  const body = JSON.stringify({ datasetId: id, expression: '*:*', countTotal: false });
  const { headers, text } = await fixture.post('/query/lucene', body, { headers: { accept: 'text/csv' } });
  assert.deepEqual([headers.get('redoubt-total'), text], [null, '"n"\r\n1\r\n']);
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RowsPage } from '@redoubt/contract';
import { bodyOf, createRecordFixture, labelField, type RecordFixture } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';

describe('labels on columns while a response is sent', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  let dataset: string;
  let reader: string;

  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
    dataset = await fixture.dataset(['read', 'write', 'manage']);
    reader = await fixture.reader();
    const text = 'x'.repeat(100_000);
    const records = Array.from({ length: 200 }, (_, n) => ({ n, text, deep: { a: n } }));
    for (let from = 0; from < records.length; from += 100)
      bodyOf(200, await fixture.write(dataset, records.slice(from, from + 100)));
    bodyOf(
      200,
      await fixture.write(dataset, [{ ghost: 1, far: { away: 2 }, label: 'A' }], { labelInfo: labelField }),
    );
    const late = { n: 200, late: 1, later: { b: 1 }, 'last.c': 1, listed: [{ d: 1 }] };
    bodyOf(200, await fixture.write(dataset, [late]));
  });
  after(() => server.close());

  const label = (column: string): Promise<unknown> =>
    fixture.call(201, 'PATCH', `/write/schema/${dataset}`, {
      body: { [column]: { securityLabel: 'NOBODY' } },
    });

  /** Removes a label; it takes somebody who satisfies it. */
  const removeLabel = async (column: string): Promise<unknown> =>
    fixture.call(201, 'PATCH', `/write/schema/${dataset}`, {
      token: await fixture.reader('NOBODY'),
      body: { [column]: { securityLabel: '' } },
    });

  const rows = (view?: string) =>
    fixture.call<RowsPage>(200, 'POST', `/datasets/${dataset}/rows`, {
      token: reader,
      body: { limit: 1, fields: ['n'], ...(view === undefined ? {} : { view }) },
    });

  const reads = {
    '/query/lucene': () => ({ datasetId: dataset, expression: '*:*', limit: -1 }),
    '/readInSequence': () => ({ datasetId: dataset, batchSize: -1 }),
    '/query': () => ({ expression: `SELECT * FROM "${dataset}" ORDER BY n`, limit: -1 }),
  };

  /** Starts a long response, labels a column, and returns whether the response was complete. */
  const isWhole = async (path: keyof typeof reads, column: string): Promise<boolean> => {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${reader}` },
      body: JSON.stringify(reads[path]()),
    });
    assert.equal(response.status, 200);
    await label(column);
    server.runtime.clock.advance(2000);
    return response.text().then(
      () => true,
      () => false,
    );
  };

  for (const [path, unseen, seen] of [
    ['/query/lucene', ['ghost', 'absent.x'], ['late', 'deep.x']],
    [
      '/readInSequence',
      ['ghost', 'far', 'far.away', 'absent', 'absent.x'],
      ['late', 'late.x', 'later', 'later.b', 'last', 'last.c', 'listed.d', 'deep.x'],
    ],
    ['/query', ['far'], ['late']],
  ] as const) {
    test(`a label on a column that no visible record has does not cut ${path}`, async () => {
      for (const column of unseen) assert.equal(await isWhole(path, column), true, column);
      for (const column of unseen) await removeLabel(column);
    });

    test(`a label on a column of the last page, around it or inside it cuts ${path}`, async () => {
      for (const column of seen) {
        assert.equal(await isWhole(path, column), false, column);
        await removeLabel(column);
      }
    });
  }

  test('a column that is stored after a response began counts as seen', async () => {
    const path = '/readInSequence';
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${reader}` },
      body: JSON.stringify(reads[path]()),
    });
    bodyOf(200, await fixture.write(dataset, [{ n: 201, fresh: 1 }]));
    await label('fresh');
    server.runtime.clock.advance(2000);
    await assert.rejects(response.text());
  });

  test('a view stays for a label on a column that no visible record has, and goes for any other', async () => {
    const { view } = await rows();
    assert.ok(view !== null && view !== undefined);
    await label('ghost');
    await label('absent');
    const same = await rows(view);
    assert.deepEqual([same.view, same.stale], [view, false]);
    await label('late');
    assert.notEqual((await rows(view)).view, view);
  });
});

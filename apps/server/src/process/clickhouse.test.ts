/* Shows: A-clickhouse-url */
import {
  bodyOf,
  createRecordFixture,
  labelField,
  type RawResponse,
  type RecordFixture,
  type TestClickhouse,
} from '@redoubt/testkit';
import {
  migrateDataFolder,
  ServerDidNotStart,
  startServerProcess,
  type ServerProcess,
} from '@redoubt/server/testing';
import { startTestClickhouse } from '@redoubt/records/testing';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

const writers = 8;
/** Responses that each writer waits for before the ClickHouse server is stopped. */
const responsesBefore = 3;

const settingsFor = (clickhouse: TestClickhouse): Record<string, string> => ({
  CLICKHOUSE_URL: clickhouse.url,
  CLICKHOUSE_USER: clickhouse.username,
  CLICKHOUSE_PASSWORD: clickhouse.password,
});

const isUnavailable = (response: RawResponse): void => {
  const { name } = bodyOf(503, response);
  assert.equal(name, 'AccumuloError');
};

describe('records on a ClickHouse server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'redoubt-clickhouse-records-'));
  let clickhouse: TestClickhouse;
  let server: ServerProcess;
  let fixture: RecordFixture;

  before(async () => {
    clickhouse = await startTestClickhouse();
    const dataDir = await migrateDataFolder(join(folder, 'data'));
    server = await startServerProcess({ dataDir, environment: settingsFor(clickhouse) });
    fixture = await createRecordFixture(server);
  });
  after(async () => {
    await server.stop();
    await clickhouse.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const search = async (datasetId: string, expression: string, token: string): Promise<RawResponse> =>
    fixture.post(
      '/query/lucene',
      JSON.stringify({ datasetId, expression, limit: -1, includeInternalRecordId: true }),
      { token },
    );

  /** Writes batches until one fails; gives the acknowledged ones, and the failed one, which may be stored or not. */
  async function writeUntilFailure(
    datasetId: string,
    writer: number,
    acknowledge: (count: number) => void,
  ): Promise<{ acknowledged: string[]; open: string }> {
    const acknowledged: string[] = [];
    for (;;) {
      const batch = `${String(writer)}x${String(acknowledged.length)}`;
      const response = await fixture.write(
        datasetId,
        [0, 1, 2].map((n) => ({ batch, n, label: n === 2 ? 'HIDDEN' : 'SEEN' })),
        { labelInfo: labelField },
      );
      if (response.status !== 200) {
        isUnavailable(response);
        return { acknowledged, open: batch };
      }
      acknowledged.push(batch);
      acknowledge(acknowledged.length);
    }
  }

  /**
   * Writes until the ClickHouse server stops; after its restart all acknowledged records must exist, and work
   * continues.
   */
  async function checkRestart(way: 'kill' | 'end'): Promise<void> {
    const datasetId = await fixture.dataset();
    const token = await fixture.reader('SEEN');
    let ready = 0;
    const enough = Promise.withResolvers<void>();
    const writing = Array.from({ length: writers }, async (_, writer) =>
      writeUntilFailure(datasetId, writer, (count) => {
        if (count === responsesBefore && ++ready === writers) enough.resolve();
      }),
    );
    await Promise.race([enough.promise, Promise.all(writing)]);
    await clickhouse[way]();
    const written = await Promise.all(writing);
    isUnavailable(await search(datasetId, '*', token));
    isUnavailable(
      await fixture.write(datasetId, [{ batch: 'late', label: 'SEEN' }], { labelInfo: labelField }),
    );

    await clickhouse.restart();
    const { records } = bodyOf(200, await search(datasetId, '*', token));
    const found = Map.groupBy(records, ({ batch }) => String(batch));
    for (const [batch, rows] of found) {
      assert.deepEqual(
        rows.map(({ n }) => Number(n)).toSorted((a, b) => a - b),
        [0, 1],
        `batch ${batch} is incomplete or duplicated`,
      );
    }
    for (const { acknowledged } of written) {
      for (const batch of acknowledged)
        assert.ok(found.has(batch), `the acknowledged batch ${batch} is lost`);
    }
    const open = written.filter((each) => found.has(each.open)).length;
    const batches = written.reduce((sum, { acknowledged }) => sum + acknowledged.length, open);
    assert.equal(found.size, batches);

    // Work continues with a replacement, an insert and a statement.
    const [first] = found.get('0x0') ?? [];
    const change = {
      _koverse_record_id: first?.['_koverse_record_id'],
      label: 'SEEN',
      batch: 'changed',
      n: 7,
    };
    const more = [change, { batch: 'added', label: 'SEEN', n: 8 }];
    bodyOf(200, await fixture.write(datasetId, more, { labelInfo: labelField, token }));
    const expression = `SELECT count(*) AS n FROM "${datasetId}" WHERE n >= 7`;
    const statement = await fixture.post('/query', JSON.stringify({ expression }), { token });
    assert.match(statement.text, /"n":2\b/, statement.text);
    assert.equal(bodyOf(200, await search(datasetId, '*', token)).records.length, 2 * batches + 1);
  }

  test('every acknowledged record survives a kill of the ClickHouse server during writes', async () =>
    checkRestart('kill'));

  test('every acknowledged record survives a graceful restart of the ClickHouse server during writes', async () =>
    checkRestart('end'));

  test('the log says alternately that the ClickHouse server stopped and that it responds again', () => {
    const news = [...server.output().matchAll(/does not answer|answers again/g)].map(([text]) => text);
    // A server that stops gracefully may respond on one connection after closing another.
    assert.ok(news.length >= 4, server.output());
    for (const [index, text] of news.entries()) {
      assert.equal(text, index % 2 === 0 ? 'does not answer' : 'answers again', server.output());
    }
    assert.equal(news.length % 2, 0, server.output());
  });

  test('the error for a ClickHouse user without enough rights is one line that says which ones to grant', async () => {
    const grants = [
      'GRANT SELECT, INSERT, CREATE DATABASE, CREATE TABLE, DROP TABLE, TRUNCATE, OPTIMIZE ON redoubt.*',
      'GRANT SELECT ON system.tables',
    ];
    const poor = await startTestClickhouse({ grants });
    const dataDir = await migrateDataFolder(join(folder, 'refused'));
    try {
      await assert.rejects(startServerProcess({ dataDir, environment: settingsFor(poor) }), (error) => {
        assert.ok(error instanceof ServerDidNotStart);
        assert.equal(error.exitCode, 1);
        assert.equal(error.output.trim().split('\n').length, 1, error.output);
        assert.match(
          error.output,
          /CLICKHOUSE_USER: "redoubt" lacks rights on the ClickHouse server at 127\.0\.0\.1/,
        );
        assert.match(error.output, /GRANT SELECT, INSERT, ALTER TABLE, .* ON redoubt\.\* TO redoubt;/);
        assert.match(error.output, /GRANT SELECT ON system\.processes TO redoubt;/);
        assert.doesNotMatch(error.output, /system\.tables/);
        return true;
      });
    } finally {
      await poor.stop();
    }
  });
});

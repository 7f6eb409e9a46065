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
/** Answers that each writer waits for before the ClickHouse server goes away. */
const answersBefore = 3;

const settingsFor = (clickhouse: TestClickhouse): Record<string, string> => ({
  CLICKHOUSE_URL: clickhouse.url,
  CLICKHOUSE_USER: clickhouse.username,
  CLICKHOUSE_PASSWORD: clickhouse.password,
});

const isUnavailable = (answer: RawResponse): void => {
  const { name } = bodyOf(503, answer);
  assert.equal(name, 'AccumuloError');
};

describe('records on a ClickHouse server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'redoubt-clickhouse-records-'));
  let clickhouse: TestClickhouse;
  let server: ServerProcess;
  let desk: RecordFixture;

  before(async () => {
    clickhouse = await startTestClickhouse();
    const dataDir = await migrateDataFolder(join(folder, 'data'));
    server = await startServerProcess({ dataDir, environment: settingsFor(clickhouse) });
    desk = await createRecordFixture(server);
  });
  after(async () => {
    await server.stop();
    await clickhouse.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const search = async (datasetId: string, expression: string, token: string): Promise<RawResponse> =>
    desk.post(
      '/query/lucene',
      JSON.stringify({ datasetId, expression, limit: -1, includeInternalRecordId: true }),
      { token },
    );

  /** Writes batches until one is refused; answers those that were acknowledged, and the one whose fate is open. */
  async function writeUntilRefused(
    datasetId: string,
    writer: number,
    answered: (count: number) => void,
  ): Promise<{ acknowledged: string[]; open: string }> {
    const acknowledged: string[] = [];
    for (;;) {
      const batch = `${String(writer)}x${String(acknowledged.length)}`;
      const answer = await desk.write(
        datasetId,
        [0, 1, 2].map((n) => ({ batch, n, label: n === 2 ? 'HIDDEN' : 'SEEN' })),
        { labelInfo: labelField },
      );
      if (answer.status !== 200) {
        isUnavailable(answer);
        return { acknowledged, open: batch };
      }
      acknowledged.push(batch);
      answered(acknowledged.length);
    }
  }

  /** Writers write until the ClickHouse server goes; what it acknowledged is there when it is back, and all goes on. */
  async function outlives(way: 'kill' | 'end'): Promise<void> {
    const datasetId = await desk.dataset();
    const token = await desk.reader('SEEN');
    let ready = 0;
    const enough = Promise.withResolvers<void>();
    const writing = Array.from({ length: writers }, async (_, writer) =>
      writeUntilRefused(datasetId, writer, (count) => {
        if (count === answersBefore && ++ready === writers) enough.resolve();
      }),
    );
    await Promise.race([enough.promise, Promise.all(writing)]);
    await clickhouse[way]();
    const written = await Promise.all(writing);
    isUnavailable(await search(datasetId, '*', token));
    isUnavailable(await desk.write(datasetId, [{ batch: 'late', label: 'SEEN' }], { labelInfo: labelField }));

    await clickhouse.restart();
    const { records } = bodyOf(200, await search(datasetId, '*', token));
    const found = Map.groupBy(records, ({ batch }) => String(batch));
    for (const [batch, rows] of found) {
      assert.deepEqual(
        rows.map(({ n }) => Number(n)).toSorted((a, b) => a - b),
        [0, 1],
        `batch ${batch} is not there once and whole`,
      );
    }
    for (const { acknowledged } of written) {
      for (const batch of acknowledged)
        assert.ok(found.has(batch), `the acknowledged batch ${batch} is lost`);
    }
    const open = written.filter((each) => found.has(each.open)).length;
    const batches = written.reduce((sum, { acknowledged }) => sum + acknowledged.length, open);
    assert.equal(found.size, batches);

    // And it goes on: with a replacement, an addition and a statement.
    const [first] = found.get('0x0') ?? [];
    const change = {
      _koverse_record_id: first?.['_koverse_record_id'],
      label: 'SEEN',
      batch: 'changed',
      n: 7,
    };
    const more = [change, { batch: 'added', label: 'SEEN', n: 8 }];
    bodyOf(200, await desk.write(datasetId, more, { labelInfo: labelField, token }));
    const expression = `SELECT count(*) AS n FROM "${datasetId}" WHERE n >= 7`;
    const statement = await desk.post('/query', JSON.stringify({ expression }), { token });
    assert.match(statement.text, /"n":2\b/, statement.text);
    assert.equal(bodyOf(200, await search(datasetId, '*', token)).records.length, 2 * batches + 1);
  }

  test('every acknowledged record outlives a kill of the ClickHouse server under writers', async () =>
    outlives('kill'));

  test('every acknowledged record outlives an orderly restart of the ClickHouse server under writers', async () =>
    outlives('end'));

  test('the log tells in turns that the ClickHouse server went and that it came back', () => {
    const news = [...server.output().matchAll(/does not answer|answers again/g)].map(([text]) => text);
    // A server that ends in good order may answer on one connection after it has closed another.
    assert.ok(news.length >= 4, server.output());
    for (const [index, text] of news.entries()) {
      assert.equal(text, index % 2 === 0 ? 'does not answer' : 'answers again', server.output());
    }
    assert.equal(news.length % 2, 0, server.output());
  });

  test('a start as a user who lacks rights says in one line which ones to grant', async () => {
    const grants = [
      'GRANT SELECT, INSERT, CREATE DATABASE, CREATE TABLE, DROP TABLE, TRUNCATE, OPTIMIZE ON redoubt.*',
      'GRANT SELECT ON system.tables',
    ];
    const poor = await startTestClickhouse({ grants });
    const dataDir = await migrateDataFolder(join(folder, 'refused'));
    try {
      await assert.rejects(startServerProcess({ dataDir, environment: settingsFor(poor) }), (fault) => {
        assert.ok(fault instanceof ServerDidNotStart);
        assert.equal(fault.exitCode, 1);
        assert.equal(fault.output.trim().split('\n').length, 1, fault.output);
        assert.match(
          fault.output,
          /CLICKHOUSE_USER: "redoubt" lacks rights on the ClickHouse server at 127\.0\.0\.1/,
        );
        assert.match(fault.output, /GRANT SELECT, INSERT, ALTER TABLE, .* ON redoubt\.\* TO redoubt;/);
        assert.match(fault.output, /GRANT SELECT ON system\.processes TO redoubt;/);
        assert.doesNotMatch(fault.output, /system\.tables/);
        return true;
      });
    } finally {
      await poor.stop();
    }
  });
});

/* Shows: F-POST-/ingest-incremental, A-schedule-continues */
import type { Job, Schedule, ScheduleRun } from '@redoubt/contract';
import { startServer, type TestServer } from '@redoubt/server/testing';
import {
  createPostgresSource,
  createRecordFixture,
  createReferenceDatabase,
  createSourceFixture,
  createUploadFixture,
  hasReferenceServer,
  outcomeOf,
  type PostgresSource,
  type RecordFixture,
  type ReferenceDatabase,
  type SourceFixture,
  type TestPerson,
  type UploadFixture,
} from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

const completed = 'completed: : ';

describe(
  'incremental loads from PostgreSQL',
  { skip: hasReferenceServer() ? false : 'it needs the PostgreSQL server of the tests' },
  () => {
    let server: TestServer;
    let fixture: RecordFixture;
    let uploads: UploadFixture;
    let starter: TestPerson;
    let source: SourceFixture;
    let database: ReferenceDatabase;
    let postgres: PostgresSource;

    before(async () => {
      server = await startServer({ ingestLimits: { blockRows: 50 } });
      fixture = await createRecordFixture(server);
      uploads = createUploadFixture(fixture, server.jobsSettled);
      starter = await fixture.newReader('A');
      source = createSourceFixture(fixture, server.jobsSettled, 'JDBC', starter.token);
      database = (await createReferenceDatabase()) as ReferenceDatabase;
      postgres = createPostgresSource(database, 'pass-word-of-the-user');
    });
    after(async () => {
      await server.close();
      await database.remove();
    });

    const sql: PostgresSource['sql'] = (...statements) => postgres.sql(...statements);
    const infoOf: PostgresSource['infoOf'] = (more) => postgres.infoOf(more);
    const incremental = { column: 'changed', key: 'id' };
    const run = async (datasetId: string, more: object, options: object = {}): Promise<Job> => {
      const job = await source.run(datasetId, infoOf({ incremental, ...more }), options);
      assert.equal(outcomeOf(job), completed);
      return job;
    };
    const countsOf = async (job: Job): Promise<number[]> => {
      const { received, written, duplicate } = await source.receiptOf(job);
      return [received ?? -1, written, duplicate ?? -1];
    };
    const idsOf = async (datasetId: string): Promise<number[]> =>
      (await uploads.records(datasetId, starter.token)).map(({ id }) => Number(id)).toSorted((a, b) => a - b);

    test('a later job brings what has changed, to the last microsecond, and no row twice', async () => {
      await sql(
        'create table trips (id bigint primary key, changed timestamptz not null, note text)',
        `insert into trips select n, timestamptz '2026-01-01 00:00:00.000001+00' + n * interval '1 microsecond', 'old' from generate_series(1, 120) n`,
      );
      const datasetId = await fixture.dataset();
      const first = await run(datasetId, { table: 'trips' });
      assert.deepEqual(await countsOf(first), [120, 120, 0]);
      await sql(
        // The same time as the last row, and one microsecond more.
        `insert into trips values (121, '2026-01-01 00:00:00.000121+00', 'tie'), (122, '2026-01-01 00:00:00.000122+00', 'new')`,
      );
      const second = await run(datasetId, { table: 'trips', changedSinceJob: first.id });
      assert.deepEqual(await countsOf(second), [3, 2, 1]);
      const third = await run(datasetId, { table: 'trips', changedSinceJob: second.id });
      assert.deepEqual(await countsOf(third), [1, 0, 1]);
      await sql(`insert into trips values (123, '2026-01-02', 'later')`);
      const fourth = await run(datasetId, { table: 'trips', changedSinceJob: third.id });
      assert.deepEqual(await countsOf(fourth), [2, 1, 1]);
      assert.deepEqual(
        await idsOf(datasetId),
        Array.from({ length: 123 }, (_, n) => n + 1),
      );
    });

    test('a row of a transaction that commits late is not lost, and nothing is doubled', async () => {
      await sql(
        'create table late (id bigint primary key, changed bigint not null)',
        'insert into late select n, n from generate_series(1, 10) n',
      );
      const open = await database.openTransaction('insert into late values (1000, 3)');
      try {
        await sql('insert into late values (11, 11)');
        const datasetId = await fixture.dataset();
        const first = await run(datasetId, { table: 'late' });
        assert.deepEqual(await countsOf(first), [11, 11, 0]);
        await sql('insert into late values (12, 12)');
        const second = await run(datasetId, { table: 'late', changedSinceJob: first.id });
        // The transaction is still open, so all rows are read again.
        assert.deepEqual(await countsOf(second), [12, 1, 11]);
        await open.commit();
        await sql('insert into late values (13, 13)');
        const third = await run(datasetId, { table: 'late', changedSinceJob: second.id });
        assert.deepEqual(await countsOf(third), [14, 2, 12]);
        const fourth = await run(datasetId, { table: 'late', changedSinceJob: third.id });
        assert.deepEqual(await countsOf(fourth), [1, 0, 1]);
        assert.deepEqual(await idsOf(datasetId), [...Array.from({ length: 13 }, (_, n) => n + 1), 1000]);
      } finally {
        await open.close();
      }
    });

    test('a second job after the same earlier one would double rows, and is rejected until the first is gone', async () => {
      await sql(
        'create table twice (id bigint primary key, changed bigint not null)',
        'insert into twice select n, n from generate_series(1, 3) n',
      );
      const datasetId = await fixture.dataset();
      const first = await run(datasetId, { table: 'twice' });
      await sql('insert into twice values (4, 4)');
      const since = { table: 'twice', changedSinceJob: first.id };
      const second = await run(datasetId, since);
      const { message } = await source.send<{ message: string }>(
        datasetId,
        infoOf({ incremental, ...since }),
        {},
        400,
      );
      assert.match(message, /must name a job that no other append has continued/);
      assert.ok(message.includes(`Name the job "${second.id}"`), message);
      const { data } = await fixture.call<{ data: { id: string; jobId: string }[] }>(
        200,
        'GET',
        `/uploads?datasetId=${datasetId}`,
        { token: starter.token },
      );
      const upload = data.find(({ jobId }) => jobId === second.id)?.id ?? '';
      await fixture.call(202, 'DELETE', `/uploads/${upload}`, { token: starter.token });
      await server.jobsSettled();
      assert.deepEqual(await countsOf(await run(datasetId, since)), [2, 1, 1]);
      assert.deepEqual(await idsOf(datasetId), [1, 2, 3, 4]);
    });

    test('a key is not told the id of the job with which its person continued its own', async () => {
      await sql('create table shared (id bigint primary key, changed bigint not null)');
      await sql('insert into shared values (1, 1)');
      const datasetId = await fixture.dataset();
      const { key } = await fixture.call<{ key: string }>(201, 'POST', '/api-keys', {
        token: starter.token,
        body: {
          name: 'Key',
          workspaceId: fixture.workspace.id,
          groupNames: [fixture.readers.name],
          attributeNames: ['A'],
        },
      });
      const ingest = async (status: number, more: object): Promise<{ id: string; message: string }> => {
        const connectionInfo = infoOf({ incremental, table: 'shared', ...more });
        const response = await fetch(`${server.url}/ingest?isAsync=true`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-api-key': key },
          body: JSON.stringify({ datasetId, dataSourceParams: { type: 'JDBC', connectionInfo } }),
        });
        assert.equal(response.status, status);
        return (await response.json()) as { id: string; message: string };
      };
      const first = await ingest(202, {});
      await server.jobsSettled();
      const ofPerson = await run(datasetId, { table: 'shared', changedSinceJob: first.id });
      const { message } = await ingest(400, { changedSinceJob: first.id });
      assert.match(message, /Name the other job, which this key did not start, when it has completed/);
      assert.ok(!message.includes(ofPerson.id), message);
    });

    test('with upsert, a changed row replaces its record, and large numbers lose no digit', async () => {
      await sql(
        'create table ledger (id bigint primary key, changed numeric not null, note text)',
        `insert into ledger values (1, 9007199254740993.25, 'a'), (2, 9007199254740993.5, 'b')`,
      );
      const datasetId = await fixture.dataset();
      const upsert = { writeMode: 'upsert', keyColumns: ['id'] };
      const query = 'select id, changed, note from ledger -- all';
      const first = await run(datasetId, { query }, upsert);
      await sql(`update ledger set changed = 9007199254740993.75, note = 'A' where id = 1`);
      const second = await run(datasetId, { query, changedSinceJob: first.id }, upsert);
      assert.deepEqual(await countsOf(second), [2, 1, 1]);
      const records = await uploads.records(datasetId, starter.token);
      assert.deepEqual(
        new Set(records.map(({ id, note }) => `${String(id)} ${String(note)}`)),
        new Set(['1 A', '2 b']),
      );
      assert.equal(records.length, 2);
    });

    test('what cannot be continued is an error that says what to do', async () => {
      await sql(
        'create table wrong (id bigint, changed timestamp, other text, free float8)',
        `insert into wrong values (1, '2026-01-01', 'x', 1)`,
      );
      const datasetId = await fixture.dataset();
      const first = await run(datasetId, { table: 'wrong' });
      const failed = async (more: object): Promise<string> =>
        outcomeOf(await source.run(datasetId, infoOf({ table: 'wrong', incremental, ...more })));
      assert.match(
        await failed({ incremental: { column: 'none', key: 'id' } }),
        /must have one column "none"/,
      );
      assert.match(await failed({ incremental: { column: 'changed', key: ['id', 'no'] } }), /column "no"/);
      assert.match(await failed({ incremental: { column: 'free', key: 'id' } }), /type double precision/);
      const rejected = async (more: object, options: object = {}): Promise<string> =>
        (await source.send<{ message: string }>(datasetId, infoOf({ table: 'wrong', ...more }), options, 400))
          .message;
      assert.match(await rejected({ changedSinceJob: first.id }), /must be sent with incremental/);
      assert.match(
        await rejected({ incremental: { column: 'changed', key: 'other' }, changedSinceJob: first.id }),
        /must name a completed job that read the same table/,
      );
      assert.match(
        await rejected({ incremental }, { writeMode: 'replace' }),
        /because a replace needs all rows/,
      );
      await sql(`insert into wrong values (2, null, 'y', 2)`);
      assert.match(
        await failed({ changedSinceJob: first.id }),
        /The row with the key \["2"\] has no value in the column "changed"/,
      );
      await sql(`update wrong set changed = 'infinity' where id = 2`);
      assert.match(await failed({ changedSinceJob: first.id }), /is "infinity", so no later row/);
      await sql(`delete from wrong where id = 2`, 'alter table wrong alter changed type date');
      assert.match(
        await failed({ changedSinceJob: first.id }),
        / is date, and was timestamp without time zone in the job/,
      );
      assert.deepEqual(await idsOf(datasetId), [1]);
    });

    test('a schedule continues from its last completed run', async () => {
      await sql(
        'create table hourly (id bigint primary key, changed bigint not null)',
        'insert into hourly select n, n from generate_series(1, 5) n',
      );
      const datasetId = await fixture.dataset();
      const dataSourceParams = { type: 'JDBC', connectionInfo: infoOf({ table: 'hourly', incremental }) };
      const { id } = await fixture.call<Schedule>(201, 'POST', '/schedules', {
        token: starter.token,
        body: { datasetId, name: 'Hourly', cron: '0 * * * *', request: { dataSourceParams } },
      });
      const runNow = async (): Promise<void> => {
        await fixture.call<ScheduleRun>(202, 'POST', `/schedules/${id}/runs`, { token: starter.token });
        await server.jobsSettled();
        await server.checkSchedules();
      };
      await runNow();
      await sql('insert into hourly values (6, 6)');
      await runNow();
      await sql('alter table hourly rename to moved');
      await runNow();
      await sql('alter table moved rename to hourly', 'insert into hourly values (7, 7)');
      await runNow();
      assert.deepEqual(await idsOf(datasetId), [1, 2, 3, 4, 5, 6, 7]);
      const { data } = await fixture.call<{ data: ScheduleRun[] }>(
        200,
        'GET',
        `/schedules/${id}/runs?$sort[plannedAt]=1`,
        { token: starter.token },
      );
      assert.deepEqual(
        data.map(({ status }) => status),
        ['completed', 'completed', 'failed', 'completed'],
      );
    });
  },
);

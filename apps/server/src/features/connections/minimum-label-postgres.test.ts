/* Shows: R-minimum-label */
import type { Connection, Job, JobReceipt, Segment, Upload } from '@redoubt/contract';
import { startServer, type TestServer } from '@redoubt/server/testing';
import {
  createPostgresSource,
  createRecordFixture,
  createReferenceDatabase,
  createSourceFixture,
  hasReferenceServer,
  labelField,
  type PostgresSource,
  type RecordFixture,
  type ReferenceDatabase,
  type SourceFixture,
  type TestPerson,
} from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

interface ApiError {
  message: string;
}

const secret = 'hidden-value-of-a-row';

describe(
  'a connection with a minimum label to PostgreSQL',
  { skip: hasReferenceServer() ? false : 'it needs the PostgreSQL server of the tests' },
  () => {
    let server: TestServer;
    let fixture: RecordFixture;
    let database: ReferenceDatabase;
    let postgres: PostgresSource;
    let owner: TestPerson;
    /** May use the connection and does not satisfy its minimum label. */
    let user: TestPerson;
    let holder: TestPerson;
    let connection: Connection;

    before(async () => {
      server = await startServer();
      fixture = await createRecordFixture(server);
      database = (await createReferenceDatabase()) as ReferenceDatabase;
      postgres = createPostgresSource(database, 'pass-word-of-the-user');
      owner = await fixture.newReader('M');
      user = await fixture.newReader('A');
      holder = await fixture.newReader('A', 'M');
      await postgres.sql(
        'create table public.plain (id int, label text)',
        `insert into public.plain values (1, 'A'), (2, 'B')`,
        `create view public.failing as select id, ('${secret}' || id)::int as n from public.plain`,
        `create table public.foreign_label as select 1 as id, 'A&UNKNOWN_${secret.replaceAll('-', '_')}' as label`,
      );
      connection = await fixture.call<Connection>(201, 'POST', '/connections', {
        token: owner.token,
        body: {
          workspaceId: fixture.workspace.id,
          name: 'Database',
          type: 'JDBC',
          connectionInfo: postgres.infoOf({}),
          minimumLabel: 'M',
        },
      });
      await fixture.call(201, 'POST', '/connection-permissions', {
        token: owner.token,
        body: { action: 'use', connectionId: connection.id, groupId: fixture.readers.id },
      });
      await fixture.call(200, 'POST', `/connections/${connection.id}/test`, { token: owner.token });
    });
    after(async () => {
      await server.close();
      await database.remove();
    });

    const sourceOf = ({ token }: TestPerson): SourceFixture =>
      createSourceFixture(fixture, server.jobsSettled, 'JDBC', token);
    const paramsOf = (connectionInfo: object) => ({
      dataSourceParams: { type: 'JDBC', connectionId: connection.id, connectionInfo },
    });
    const run = (person: TestPerson, datasetId: string, info: object, more: object = {}): Promise<Job> =>
      sourceOf(person).run(datasetId, {}, { ...paramsOf(info), ...more });

    test('people without it may send no query and read no rows in order', async () => {
      const datasetId = await fixture.dataset();
      const incremental = { column: 'id', key: 'id' };
      for (const info of [
        { query: 'select 1 / (id - 1) as n from public.plain' },
        { schema: 'public', table: 'plain', incremental },
      ]) {
        const refused = await sourceOf(user).send<ApiError>(datasetId, {}, paramsOf(info), 403);
        assert.match(refused.message, /must not be sent without the attributes of the minimum label/);
        await sourceOf(user).preview<ApiError>(datasetId, {}, paramsOf(info), 403);
        assert.equal(
          (await run(holder, datasetId, info)).status,
          'incremental' in info ? 'completed' : 'failed',
        );
      }
    });

    test('people without it read no value of a row in an error, and no measure', async () => {
      const datasetId = await fixture.dataset();
      const table = { schema: 'public', table: 'failing' };
      const hidden =
        'The source could not be read to its end. The details may repeat its rows, so only people who hold the attributes of the minimum label of the connection see them, in a preview or in the receipt of their job.';
      for (const person of [user, holder]) {
        const job = await run(person, datasetId, table);
        assert.equal(job.error?.message, hidden);
        const receipt = await sourceOf(person).receiptOf(job, person.token);
        assert.match(String(receipt.files[0]?.error), person === holder ? new RegExp(secret) : /^null$/);
      }
      const seen = await sourceOf(holder).preview<ApiError>(datasetId, {}, paramsOf(table), 400);
      assert.match(seen.message, new RegExp(secret));
      const preview = await sourceOf(user).preview<ApiError>(datasetId, {}, paramsOf(table), 400);
      assert.equal(preview.message, hidden);
      // This code cannot depend on rows.
      const absent = await run(user, datasetId, { schema: 'public', table: 'absent' });
      assert.match(absent.error?.message ?? '', /could not be read to its end \(SQLSTATE 42P01\)/);
      const plain = await run(user, datasetId, { schema: 'public', table: 'plain' });
      assert.equal(plain.status, 'completed');
      const read = <Body>(path: string): Promise<Body> =>
        fixture.call<Body>(200, 'GET', path, { token: user.token });
      const receipt = await read<JobReceipt>(`/jobs/${plain.id}/receipt`);
      const [file] = receipt.files;
      assert.deepEqual([file?.size, file?.sha256, file?.error], [null, null, null]);
      const segments = await read<{ data: Segment[] }>(`/segments?datasetId=${datasetId}`);
      assert.ok(segments.data.length > 0);
      for (const { bytesRead, bytesTotal } of segments.data)
        assert.deepEqual([bytesRead, bytesTotal], [null, null]);
      assert.ok(!JSON.stringify(segments).includes(secret));
      const uploads = await read<{ data: Upload[] }>(`/uploads?datasetId=${datasetId}`);
      assert.deepEqual(
        uploads.data.flatMap(({ files }) => files.map(({ size }) => size)).filter((size) => size !== null),
        [],
      );
    });

    test('an error about a label names no attribute of a row', async () => {
      const datasetId = await fixture.dataset();
      const labels = { securityLabeled: true, securityLabelInfo: labelField };
      await fixture.call(200, 'PATCH', `/workspaces/${fixture.workspace.id}`, {
        body: { createAttributesOnWrite: false },
      });
      for (const person of [user, holder]) {
        const job = await run(person, datasetId, { schema: 'public', table: 'foreign_label' }, labels);
        assert.match(job.error?.message ?? '', /^The source could/);
        const receipt = await sourceOf(person).receiptOf(job, person.token);
        assert.match(
          String(receipt.files[0]?.error),
          person === user ? /^null$/ : /^The label of a row names attributes/,
        );
      }
    });

    test('a person who has lost it since reads nothing of the rows in errors of their jobs', async () => {
      const former = await fixture.newReader('A', 'M');
      const datasetId = await fixture.dataset();
      const job = await run(former, datasetId, { schema: 'public', table: 'failing' });
      const { data } = await fixture.call<{ data: { id: string }[] }>(
        200,
        'GET',
        `/attribute-assignments?userId=${former.id}&$limit=-1`,
      );
      const read = async (path: string): Promise<string> =>
        JSON.stringify(await fixture.call<unknown>(200, 'GET', path, { token: former.token }));
      assert.match(await read(`/jobs/${job.id}/receipt`), new RegExp(secret));
      for (const { id } of data) await fixture.call(200, 'DELETE', `/attribute-assignments/${id}`);
      for (const path of [
        `/jobs/${job.id}`,
        `/jobs?datasetId=${datasetId}`,
        `/segments?datasetId=${datasetId}`,
        `/jobs/${job.id}/receipt`,
        `/uploads?datasetId=${datasetId}`,
      ])
        assert.doesNotMatch(await read(path), new RegExp(secret));
      const filtered = await read(`/segments?datasetId=${datasetId}&error[$gte]=A`);
      assert.equal((JSON.parse(filtered) as { total: number }).total, 0);
    });

    test('a preview shows nothing of the rows, and leaves an audit event', async () => {
      const datasetId = await fixture.dataset();
      const table = { schema: 'public', table: 'plain' };
      const preview = await sourceOf(user).preview(datasetId, {}, paramsOf(table));
      assert.deepEqual([preview.rows, preview.columns, preview.error], [[], null, null]);
      const events = await fixture.call<{ data: { description: string; details: object }[] }>(
        200,
        'POST',
        '/audit-log/query',
        {
          body: {
            expression: `details.connectionId:"${connection.id}" AND datasetId:"${datasetId}"`,
            limit: -1,
          },
        },
      );
      assert.deepEqual(
        events.data.map(({ description }) => description),
        ['used the connection "Database"'],
      );
    });
  },
);

/* Shows: X-DatasourceError, L30, V-sourceType-JDBC, A-database-values, A-database-whole, A-database-reads,
   A-database-connections, A-database-labels */
import type { Job } from '@redoubt/contract';
import { startServer, type TestServer } from '@redoubt/server/testing';
import {
  createPostgresSource,
  createRecordFixture,
  createSourceFixture,
  createReferenceDatabase,
  createUploadFixture,
  hasReferenceServer,
  labelField,
  outcomeOf,
  startPostgresGate,
  type PostgresGate,
  type PostgresSource,
  type RecordFixture,
  type SourceFixture,
  type ReferenceDatabase,
  type TestPerson,
  type UploadFixture,
} from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { makeSelfSigned, type CertificateAndKey } from '../../platform/tls/self-signed.ts';
const completed = 'completed: : ';
const password = 'pass-word-of-the-user';

describe(
  'ingest from PostgreSQL',
  { skip: hasReferenceServer() ? false : 'it needs the PostgreSQL server of the tests' },
  () => {
    let server: TestServer;
    let fixture: RecordFixture;
    let uploads: UploadFixture;
    let starter: TestPerson;
    let source: SourceFixture;
    let database: ReferenceDatabase;
    let postgres: PostgresSource;
    let gate: PostgresGate;
    let certificate: CertificateAndKey;

    before(async () => {
      server = await startServer();
      fixture = await createRecordFixture(server);
      uploads = createUploadFixture(fixture, server.jobsSettled);
      starter = await fixture.newReader('A');
      source = createSourceFixture(fixture, server.jobsSettled, 'JDBC', starter.token);
      database = (await createReferenceDatabase()) as ReferenceDatabase;
      postgres = createPostgresSource(database, password);
      certificate = await makeSelfSigned(['localhost'], new Date(), { bytes: randomBytes });
      gate = await startPostgresGate(database.url, certificate);
    });
    after(async () => {
      await server.close();
      await gate.close();
      await database.remove();
    });
    beforeEach(() => gate.reset());

    const sql: PostgresSource['sql'] = (...statements) => postgres.sql(...statements);
    const infoOf: PostgresSource['infoOf'] = (more) => postgres.infoOf(more);
    /** The exact texts of the records of a dataset. */
    const textsOf = async (datasetId: string): Promise<string> =>
      (
        await fixture.post('/readInSequence', JSON.stringify({ datasetId, batchSize: 100_000 }), {
          token: starter.token,
        })
      ).text;

    test('rows of a table are stored under the label of each, and rejected ones are listed', async () => {
      await sql(
        'create table "Sales ""2026""" (n int primary key, label text)',
        `insert into "Sales ""2026""" values (1, 'A'), (2, 'B'), (3, 'A&'), (4, 'A')`,
      );
      const datasetId = await fixture.dataset();
      const job = await source.run(datasetId, infoOf({ schema: 'public', table: 'Sales "2026"' }), {
        securityLabeled: true,
        securityLabelInfo: labelField,
      });
      assert.equal(outcomeOf(job), completed);
      const receipt = await source.receiptOf(job);
      assert.deepEqual([receipt.received, receipt.written, receipt.rejected], [4, 3, 1]);
      const own = await uploads.records(datasetId, starter.token);
      assert.deepEqual(
        own.map(({ n }) => n),
        [1, 4],
      );
      const other = await fixture.newReader('B');
      assert.deepEqual(
        (await uploads.records(datasetId, other.token)).map(({ n }) => n),
        [2],
      );
      const { ended } = uploads;
      const { rejects } = await ended(datasetId, job.id, starter.token);
      assert.deepEqual(
        rejects.map(({ text }) => text),
        ['{"n":3,"label":"A&"}'],
      );
      assert.deepEqual(job.config?.['hosts'], [`127.0.0.1:${String(infoOf({})['port'])}`]);
    });

    test('a preview of a table has its first rows with the label of each, and stores nothing', async () => {
      await sql(
        'create table filled as select n, $$A$$ as label, repeat($$x$$, 100) as filler from generate_series(1, 100000) as n',
      );
      const datasetId = await fixture.dataset();
      const preview = await source.preview(datasetId, infoOf({ table: 'filled' }), {
        securityLabeled: true,
        securityLabelInfo: labelField,
      });
      assert.deepEqual(
        [preview.format, preview.rows.length, preview.rows[0]?.label, preview.error, preview.files],
        ['ndjson', 50, 'A', null, ['filled.ndjson']],
      );
      assert.deepEqual(preview.rows[49]?.line, 50);
      const short = await source.preview(datasetId, infoOf({ query: 'values (1), (2)' }));
      assert.equal(short.rows.length, 2);
      const refused = await source.preview<{ name: string; message: string }>(
        datasetId,
        infoOf({ table: 'absent' }),
        {},
        400,
      );
      assert.equal(refused.name, 'DatasourceError');
      assert.ok(!refused.message.includes(password));
      assert.equal((await uploads.records(datasetId, starter.token)).length, 0);
    });

    test('values of every type keep all that they say', async () => {
      const columns: [name: string, expression: string, json: string][] = [
        ['bigint', '9223372036854775807::bigint', '9223372036854775807'],
        [
          'numeric',
          "'123456789012345678901234567890.1234567890'::numeric",
          '123456789012345678901234567890.1234567890',
        ],
        ['trailing', '1.50::numeric', '1.50'],
        ['nan', "'NaN'::numeric", '"NaN"'],
        ['infinite', "'-Infinity'::float8", '"-Infinity"'],
        ['real', '0.1::real', '0.1'],
        ['double', '1e300::float8', '1e+300'],
        ['third', '(1.0/3)::float8', '0.3333333333333333'],
        ['boolean', 'true', 'true'],
        ['missing', 'null::int', 'null'],
        ['text', `E'a"b\\\\c\\nd\\u00e9\\U0001F600'`, String.raw`"a\"b\\c\nd${'é😀'}"`],
        ['timestamp', "'2026-01-31 08:00:00.123456'::timestamp", '"2026-01-31T08:00:00.123456"'],
        ['moment', "'2026-01-31 08:00:00.123456+02'::timestamptz", '"2026-01-31T06:00:00.123456Z"'],
        ['never', "'infinity'::timestamptz", '"infinity"'],
        ['old', "'0044-03-15 BC'::date", '"0044-03-15 BC"'],
        ['date', "'2026-01-31'::date", '"2026-01-31"'],
        ['time', "'08:00:00.5'::time", '"08:00:00.5"'],
        ['interval', "'1 year 2 days 03:04:05.6'::interval", '"P1Y2DT3H4M5.6S"'],
        ['json', `'{"b" : 1.10,\n"a": [1, 2]}'::json`, '{"b":1.10,"a":[1,2]}'],
        ['jsonb', `'{"a":12345678901234567890}'::jsonb`, '{"a":12345678901234567890}'],
        ['bytes', String.raw`'\x00ff10'::bytea`, '"AP8Q"'],
        ['uuid', "'0198a5b2-0000-4000-8000-000000000001'::uuid", '"0198a5b2-0000-4000-8000-000000000001"'],
        ['ints', 'array[[1,2],[3,null]]::int8[]', '[[1,2],[3,null]]'],
        ['texts', `array['a,b','"',null,'NULL','']::text[]`, String.raw`["a,b","\"",null,"NULL",""]`],
        ['moments', "array['2026-01-31 08:00+00']::timestamptz[]", '["2026-01-31T08:00:00Z"]'],
        ['blobs', String.raw`array['\x00'::bytea]`, '["AA=="]'],
        ['domains', 'array[5]::positive[]', '[5]'],
        ['domain', '7::positive', '7'],
        ['enum', "'happy'::mood", '"happy"'],
        ['moods', "array['happy']::mood[]", '["happy"]'],
        ['range', "'[1,5)'::int4range", '"[1,5)"'],
        ['empty', "''::text", '""'],
      ];
      await sql('create domain positive as bigint check (value > 0)', `create type mood as enum ('happy')`);
      const query = `select ${columns.map(([name, value]) => `${value} as "${name}"`).join(', ')}`;
      const datasetId = await fixture.dataset();
      const job = await source.run(datasetId, infoOf({ query }));
      assert.equal(outcomeOf(job), completed);
      const text = await textsOf(datasetId);
      for (const [name, , json] of columns)
        assert.ok(text.includes(`"${name}":${json}`), `${name}: ${json} in ${text}`);
    });

    test('a long result is read in portions, and its rows are stored once', async () => {
      await sql(`create table long as select n, repeat(md5(n::text), case when n % 500 = 0 then 10000 else 1 end) as t
        from generate_series(1, 5000) n`);
      const datasetId = await fixture.dataset();
      const job = await source.run(datasetId, infoOf({ table: 'long' }));
      assert.deepEqual([outcomeOf(job), job.recordCount], [completed, 5000]);
      const { portions } = gate;
      assert.deepEqual(portions, []);
      const throughGate = await source.run(datasetId, infoOf({ table: 'long', port: gate.port }));
      assert.equal(outcomeOf(throughGate), completed);
      assert.ok(gate.portions.length > 5 && Math.max(...gate.portions) <= 1000, gate.portions.join());
    });

    test('a result that is cut is read again as a whole, and then stored once', async () => {
      await sql('create table cut as select n, md5(n::text) as t from generate_series(1, 20000) n');
      const datasetId = await fixture.dataset();
      gate.cutAfter(200_000);
      const job = await source.run(datasetId, infoOf({ table: 'cut', port: gate.port }));
      assert.match(
        outcomeOf(job),
        /^failed: DatasourceError: cut\.ndjson: Cannot use PostgreSQL at 127\.0\.0\.1:\d+: /,
      );
      assert.equal((await source.receiptOf(job)).written, 0);
      gate.reset();
      await fixture.call(200, 'PATCH', `/jobs/${job.id}`, {
        token: starter.token,
        body: { status: 'queued' },
      });
      await server.jobsSettled();
      const again = await source.jobOf(job.id);
      assert.deepEqual([outcomeOf(again), (await source.receiptOf(again)).written], [completed, 20_000]);
    });

    test('statements cannot write, and there is one of them', async () => {
      await sql('create table kept (n int)', 'insert into kept values (1)');
      const failures: [query: string, message: RegExp][] = [
        ['with gone as (delete from kept returning n) select * from gone', /SQLSTATE 25006.*only reads/],
        ['select 1; delete from kept', /SQLSTATE 42601/],
        ['select 1; commit; delete from kept', /SQLSTATE 42601/],
        ['select * from absent', /SQLSTATE 42P01.*absent.*Check the table or the statement/],
        ['select 1/0', /SQLSTATE 22012/],
        ['select', /returns no columns/],
      ];
      for (const [query, message] of failures) {
        const job = await source.run(await fixture.dataset(), infoOf({ query }));
        assert.match(outcomeOf(job), /^failed: DatasourceError: query\.ndjson: /);
        assert.match(outcomeOf(job), message);
      }
      const { rows } = (await database.query('select * from kept')) as { rows: string[][] };
      assert.deepEqual(rows, [['1']]);
    });

    test('columns of labels and keys must be there, under the names that they are stored under', async () => {
      await sql(
        'create table people (name text, secret text)',
        `insert into people values ('a', 'A'), ('b', 'A')`,
      );
      const labeled = { securityLabeled: true, securityLabelInfo: labelField };
      const missing = await source.run(await fixture.dataset(), infoOf({ table: 'people' }), labeled);
      assert.match(
        outcomeOf(missing),
        /^failed: .*has no column "label", which securityLabelInfo\.fields names/,
      );
      const datasetId = await fixture.dataset();
      const fileOptions = { columns: [{ name: 'secret', rename: 'label' }] };
      const renamed = await source.run(datasetId, infoOf({ table: 'people' }), { ...labeled, fileOptions });
      assert.equal(outcomeOf(renamed), completed);
      const query = "select 'b' as name, 'new' as more, 'A' as label";
      const upsert = { writeMode: 'upsert', keyColumns: ['name'], ...labeled };
      assert.equal(outcomeOf(await source.run(datasetId, infoOf({ query }), upsert)), completed);
      assert.deepEqual(
        (await uploads.records(datasetId, starter.token)).map(({ name, more }) => [name, more]),
        [
          ['a', undefined],
          ['b', 'new'],
        ],
      );
      const replaced = await source.run(datasetId, infoOf({ query }), { writeMode: 'replace', ...labeled });
      assert.deepEqual(
        [outcomeOf(replaced), (await uploads.records(datasetId, starter.token)).length],
        [completed, 1],
      );
      await source.send(datasetId, infoOf({ query }), { fileOptions: { format: 'csv' } }, 400);
      await source.send(datasetId, infoOf({ query }), { fileOptions: { delimiter: ';' } }, 400);
    });

    test('TLS is required unless the request says otherwise, and the certificate is checked', async () => {
      const plain = await source.run(await fixture.dataset(), infoOf({ query: 'select 1 as n', tls: true }));
      assert.match(outcomeOf(plain), /it offers no TLS\. Send tls: false/);
      const through = { query: 'select 1 as n', port: gate.port, host: 'localhost' };
      const unknown = await source.run(await fixture.dataset(), infoOf({ ...through, tls: true }));
      assert.match(
        outcomeOf(unknown),
        /its certificate cannot be trusted \(\w+\)\. Send the certificate of its authority/,
      );
      const known = await source.run(
        await fixture.dataset(),
        infoOf({ ...through, tls: { ca: certificate.cert } }),
      );
      assert.equal(outcomeOf(known), completed);
      const other = await source.run(
        await fixture.dataset(),
        infoOf({ ...through, host: '127.0.0.1', tls: { ca: certificate.cert } }),
      );
      assert.match(outcomeOf(other), /its certificate cannot be trusted \(ERR_TLS_CERT_ALTNAME_INVALID\)/);
    });

    test('errors name the host, the port and the code, and never the password', async () => {
      gate.refuse('28P01', `password authentication failed: ${password}`);
      const wrong = await source.run(await fixture.dataset(), infoOf({ query: 'select 1', port: gate.port }));
      assert.match(
        outcomeOf(wrong),
        /PostgreSQL at 127\.0\.0\.1:\d+ reports SQLSTATE 28P01: an error\. Check the user name and the password\./,
      );
      const closed = await source.run(await fixture.dataset(), infoOf({ query: 'select 1', port: 1 }));
      assert.match(
        outcomeOf(closed),
        /Cannot use PostgreSQL at 127\.0\.0\.1:1: it did not respond \(ECONNREFUSED\)/,
      );
      const stored = await Promise.all([
        server.db.selectFrom('uploads').selectAll().execute(),
        server.db.selectFrom('ingest_files').selectAll().execute(),
        server.db.selectFrom('segments').selectAll().execute(),
        server.db.selectFrom('jobs').selectAll().execute(),
      ]);
      assert.ok(!JSON.stringify([stored, server.log]).includes(password));
    });

    test('the metadata of a Redoubt server cannot be read', async () => {
      await sql(
        'create table ingest_blocks (n int)',
        'create table object_drops (n int)',
        'create table audit_chains (n int)',
      );
      try {
        const job = await source.run(await fixture.dataset(), infoOf({ query: 'select 1 as n' }));
        assert.match(outcomeOf(job), /^failed: .*holds the metadata of a Redoubt server/);
      } finally {
        await sql('drop table ingest_blocks, object_drops, audit_chains');
      }
    });

    test('a server that never answers is left when the job is canceled', async () => {
      gate.hang();
      const { id } = await source.send(
        await fixture.dataset(),
        infoOf({ query: 'select 1', port: gate.port }),
      );
      await gate.connected();
      await fixture.call(200, 'PATCH', `/jobs/${id}`, { token: starter.token, body: { status: 'canceled' } });
      await server.jobsSettled();
      assert.equal((await source.jobOf(id)).status, 'canceled');
    });

    test('connection information of a database that cannot be right is 400 and names its field', async () => {
      const datasetId = await fixture.dataset();
      const whole = { query: 'select 1' };
      const wrong: [field: string, info: object][] = [
        ['databaseType', { ...whole, databaseType: undefined }],
        ['host', { ...whole, host: '/var/run/postgresql' }],
        ['host', { ...whole, host: 'postgres://host' }],
        ['host', { ...whole, host: 'host:5432' }],
        ['port', { ...whole, port: 0 }],
        ['port', { ...whole, port: '5432' }],
        ['database', { ...whole, database: '' }],
        ['database', { ...whole, database: 'a\0b' }],
        ['username', { ...whole, username: undefined }],
        ['table', {}],
        ['table', { ...whole, table: 't' }],
        ['schema', { ...whole, schema: 's' }],
        ['query', { query: 'delete from t' }],
        ['query', { query: '/* select */ update t set n = 1' }],
        ['query', { databaseType: 'mysql', query: '/*! call p() #*/ select 1' }],
        ['query', { databaseType: 'mysql', query: '/*M! call p() #*/ select 1' }],
        ['query', { databaseType: 'mysql', query: "select 1 into outfile '/tmp/rows'" }],
        ['tls', { ...whole, tls: { certificate: 'x' } }],
        ['more', { ...whole, more: 1 }],
      ];
      for (const [field, info] of wrong) {
        const response = await source.send<{ message: string; errors: { field: string }[] }>(
          datasetId,
          infoOf(info),
          {},
          400,
        );
        assert.match(JSON.stringify(response.errors), new RegExp(`\\b${field}\\b`), JSON.stringify(response));
        assert.ok(!JSON.stringify(response).includes(password));
      }
      await source.send(datasetId, infoOf({ ...whole, databaseType: 'oracle' }), {}, 501);
    });
  },
);

test('a server that may not call private addresses reads no database there', async () => {
  const server = await startServer({ allowsPrivateSources: false });
  try {
    const fixture = await createRecordFixture(server);
    const datasetId = await fixture.dataset();
    const start = (host: string, status: number): Promise<Job> =>
      fixture.call<Job>(status, 'POST', '/ingest?isAsync=true', {
        body: {
          datasetId,
          dataSourceParams: {
            type: 'JDBC',
            connectionInfo: { databaseType: 'postgresql', host, database: 'd', username: 'u', table: 't' },
          },
        },
      });
    for (const host of ['127.0.0.1', '::1', 'localhost', '10.0.0.1', '169.254.169.254', '0.0.0.0'])
      await start(host, 400);
    const { id } = await start('localhost.localdomain', 202);
    await server.jobsSettled();
    const { error } = await fixture.call<Job>(200, 'GET', `/jobs/${id}`);
    assert.match(
      error?.message ?? '',
      /localhost\.localdomain:5432: .*has addresses that this server may not call/,
    );
  } finally {
    await server.close();
  }
});

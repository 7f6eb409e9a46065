/* Shows: F-POST-/ingest-incremental, V-sourceType-JDBC, A-database-values, A-database-whole,
   A-database-reads */
import type { Job } from '@redoubt/contract';
import { startServer, type TestServer } from '@redoubt/server/testing';
import {
  createRecordFixture,
  createSourceFixture,
  createUploadFixture,
  hasReferenceServer,
  labelField,
  outcomeOf,
  startMariadb,
  type RecordFixture,
  type SourceFixture,
  type TestMariadb,
  type TestPerson,
  type UploadFixture,
} from '@redoubt/testkit';
import { createConnection, type Connection } from 'mysql2/promise';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { makeSelfSigned } from '../../platform/tls/self-signed.ts';

const completed = 'completed: : ';

interface Gate {
  port: number;
  /** Bytes from the server that it still passes on before it cuts connections. */
  left: number;
  /** Whether it hides that the server offers TLS. */
  hidesTls: boolean;
  server: Server;
}

const offersTls = 0x08;
/** Takes the offer of TLS out of the greeting of a server, which has it 14 bytes after the text of its version. */
const withoutTls = (greeting: Buffer): Buffer => {
  const changed = Buffer.from(greeting);
  const at = changed.indexOf(0, 5) + 15;
  changed[at] = (changed[at] ?? 0) & ~offersTls;
  return changed;
};

/** Passes connections on, and cuts each after a number of bytes from the server. */
const startGate = async (port: number): Promise<Gate> => {
  const gate: Gate = { port: 0, left: Infinity, hidesTls: false, server: createServer() };
  gate.server.on('connection', (client) => {
    const upstream = connect(port, '127.0.0.1');
    client.on('error', () => undefined).on('close', () => upstream.destroy());
    upstream.on('error', () => undefined).on('close', () => client.destroy());
    client.pipe(upstream);
    let isGreeting = true;
    upstream.on('data', (chunk: Buffer) => {
      gate.left -= chunk.length;
      if (gate.left > 0) client.write(isGreeting && gate.hidesTls ? withoutTls(chunk) : chunk);
      else client.destroy();
      isGreeting = false;
    });
  });
  await new Promise<void>((resolve) => gate.server.listen(0, '127.0.0.1', resolve));
  gate.port = (gate.server.address() as AddressInfo).port;
  return gate;
};

const certificate = await makeSelfSigned(['localhost'], new Date(), { bytes: randomBytes });
const mariadb = hasReferenceServer()
  ? { missing: 'it runs once, with embedded metadata' }
  : await startMariadb(certificate);

describe('ingest from MySQL and MariaDB', { skip: 'missing' in mariadb ? mariadb.missing : false }, () => {
  const peer = mariadb as TestMariadb;
  let server: TestServer;
  let fixture: RecordFixture;
  let uploads: UploadFixture;
  let starter: TestPerson;
  let source: SourceFixture;
  let admin: Connection;
  let gate: Gate;

  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
    uploads = createUploadFixture(fixture, server.jobsSettled);
    starter = await fixture.newReader('A');
    source = createSourceFixture(fixture, server.jobsSettled, 'JDBC', starter.token);
    gate = await startGate(peer.port);
    const { port, database, username: user, password } = peer;
    admin = await createConnection({ host: '127.0.0.1', port, database, user, password });
  });
  after(async () => {
    await admin.end();
    await server.close();
    gate.server.close();
    await peer.stop();
  });

  const infoOf = (more: object): Record<string, unknown> => ({
    databaseType: 'mysql',
    host: '127.0.0.1',
    port: peer.port,
    database: peer.database,
    username: peer.username,
    password: peer.password,
    tls: false,
    ...more,
  });
  test('rows of a table of MariaDB are stored under the label of each', async () => {
    await admin.query('create table `the ``rows``` (n int primary key, label text)');
    await admin.query("insert into `the ``rows``` values (1, 'A'), (2, 'B'), (3, 'A&'), (4, 'A')");
    const datasetId = await fixture.dataset();
    const job = await source.run(datasetId, infoOf({ table: 'the `rows`' }), {
      securityLabeled: true,
      securityLabelInfo: labelField,
    });
    assert.equal(outcomeOf(job), completed);
    const { received, written, rejected } = await source.receiptOf(job);
    assert.deepEqual([received, written, rejected], [4, 3, 1]);
    assert.deepEqual(
      (await uploads.records(datasetId, starter.token)).map(({ n }) => n),
      [1, 4],
    );
  });

  test('a later job brings what has changed, and reads the overlap again without doubling it', async () => {
    await admin.query("set time_zone = '+00:00'");
    await admin.query(
      'create table visits (id bigint unsigned primary key, changed datetime(6) not null) engine = innodb',
    );
    await admin.query(
      "insert into visits values (1, '2026-01-01 10:00:00'), (2, '2026-01-01 10:30:00.000001'), (18446744073709551615, '2026-01-01 10:30:00.000002')",
    );
    const datasetId = await fixture.dataset();
    const run = async (more: object): Promise<[job: Job, counts: (number | null)[]]> => {
      const job = await source.run(datasetId, infoOf({ table: 'visits', ...more }));
      assert.equal(outcomeOf(job), completed);
      const { received, written, duplicate } = await source.receiptOf(job);
      return [job, [received, written, duplicate]];
    };
    const incremental = { column: 'changed', key: 'id' };
    const [first, counts] = await run({ incremental });
    assert.deepEqual(counts, [3, 3, 0]);
    // A transaction that took its time 9 minutes before it committed, and one that is beyond the overlap.
    await admin.query(
      "insert into visits values (4, '2026-01-01 10:21:00'), (5, '2026-01-01 10:19:00'), (6, '2026-01-01 10:31:00')",
    );
    const [second, later] = await run({ incremental, changedSinceJob: first.id });
    assert.deepEqual(later, [4, 2, 2]);
    const [third, last] = await run({ incremental, changedSinceJob: second.id });
    assert.deepEqual(last, [4, 0, 4]);
    const wide = { ...incremental, overlapSeconds: 3600 };
    const other = infoOf({ table: 'visits', incremental: wide, changedSinceJob: third.id });
    const failed = outcomeOf(await source.run(datasetId, other));
    assert.match(failed, /incremental\.overlapSeconds is 3600, and was 600 in the job of changedSinceJob/);
  });

  test('values of every type of MariaDB keep all that they say', async () => {
    const columns: [name: string, type: string, value: string, json: string][] = [
      ['big', 'bigint unsigned', '18446744073709551615', '18446744073709551615'],
      ['small', 'tinyint(1)', '-5', '-5'],
      ['padded', 'int(6) zerofill', '42', '42'],
      [
        'exact',
        'decimal(40,10)',
        "'123456789012345678901234567890.1234567890'",
        '123456789012345678901234567890.1234567890',
      ],
      ['dbl', 'double', '0.1', '0.1'],
      ['flt', 'float', '123456.789', '123456.79'],
      ['large_', 'float', '16777217', '16777216'],
      ['tenth', 'float unsigned', '0.1', '0.1'],
      ['least', 'float', '1.5e-39', '1.5e-39'],
      ['most', 'float', '-3.4028234e38', '-3.4028235e+38'],
      ['flags', 'bit(12)', "b'101000000001'", '2561'],
      ['yr', 'year', '2026', '2026'],
      ['moment', 'timestamp(6) null', "'2026-01-31 08:00:00.123456'", '"2026-01-31T08:00:00.123456Z"'],
      ['local', 'datetime(6)', "'2026-01-31 08:00:00.123456'", '"2026-01-31T08:00:00.123456"'],
      ['day', 'date', "'2026-01-31'", '"2026-01-31"'],
      ['span', 'time(1)', "'-101:02:03.5'", '"-101:02:03.5"'],
      ['note', 'varchar(40) character set latin1', "'é\"\\\\\\n'", String.raw`"é\"\\\n"`],
      ['wide', 'text character set utf8mb4', "'😀'", '"😀"'],
      ['choice', "enum('a','b')", "'b'", '"b"'],
      ['bytes', 'varbinary(10)', "x'00ff10'", '"AP8Q"'],
      ['blob_', 'longblob', "x'00'", '"AA=="'],
      ['none_', 'int', 'null', 'null'],
      ['blank', 'text', "''", '""'],
    ];
    await admin.query("set time_zone = '+00:00'");
    await admin.query(`create table typed (${columns.map(([name, type]) => `${name} ${type}`).join(', ')})`);
    await admin.query(`insert into typed values (${columns.map(([, , value]) => value).join(', ')})`);
    const datasetId = await fixture.dataset();
    assert.equal(outcomeOf(await source.run(datasetId, infoOf({ table: 'typed' }))), completed);
    const body = JSON.stringify({ datasetId, batchSize: 10 });
    const { text } = await fixture.post('/readInSequence', body, { token: starter.token });
    for (const [name, , , json] of columns)
      assert.ok(text.includes(`"${name}":${json}`), `${name}: ${json} in ${text}`);
    const queried = await fixture.dataset();
    const query = 'select max(flt) as flt, tenth, big from typed group by tenth, big -- the end';
    assert.equal(outcomeOf(await source.run(queried, infoOf({ query }))), completed);
    const [row] = await uploads.records(queried, starter.token);
    assert.deepEqual([row?.['flt'], row?.['tenth']], [123456.79, 0.1]);
  });

  test('a cut result of MariaDB is read again as a whole, and then stored once', async () => {
    const query = 'select seq, md5(seq) as t from seq_1_to_20000';
    const datasetId = await fixture.dataset();
    gate.left = 300_000;
    const job = await source.run(datasetId, infoOf({ query, port: gate.port }));
    assert.match(
      outcomeOf(job),
      /^failed: DatasourceError: query\.ndjson: Cannot use MySQL at 127\.0\.0\.1:\d+: /,
    );
    assert.equal((await source.receiptOf(job)).written, 0);
    gate.left = Infinity;
    await fixture.call(200, 'PATCH', `/jobs/${job.id}`, { token: starter.token, body: { status: 'queued' } });
    await server.jobsSettled();
    const retried = await fixture.call<Job>(200, 'GET', `/jobs/${job.id}`, { token: starter.token });
    assert.equal(outcomeOf(retried), completed);
    assert.equal((await source.receiptOf(job)).written, 20_000);
  });

  const outcomeWith = async (info: object): Promise<string> =>
    outcomeOf(
      await source.run(
        await fixture.dataset(),
        infoOf({ query: 'select 1 as n', host: 'localhost', tls: { ca: certificate.cert }, ...info }),
      ),
    );

  test('TLS to MariaDB is required unless the request says otherwise, and the certificate is checked', async () => {
    gate.hidesTls = true;
    assert.match(await outcomeWith({ port: gate.port }), /it offers no TLS\. Send tls: false/);
    gate.hidesTls = false;
    assert.match(
      await outcomeWith({ tls: true }),
      /its certificate cannot be trusted \(\w+\)\. Send the certificate of its authority/,
    );
    assert.equal(await outcomeWith({}), completed);
    const other = await makeSelfSigned(['elsewhere.invalid'], new Date(), { bytes: randomBytes });
    await peer.writeCertificate(other);
    await admin.query('flush ssl');
    assert.match(
      await outcomeWith({ tls: { ca: other.cert } }),
      /its certificate cannot be trusted \(ERR_TLS_CERT_ALTNAME_INVALID\)/,
    );
    const refused = await source.send<{ errors: unknown }>(
      await fixture.dataset(),
      infoOf({ query: 'select 1 as n', tls: { ca: certificate.cert } }),
      {},
      400,
    );
    assert.match(
      JSON.stringify(refused),
      /connectionInfo\.host must be a name if the connection is encrypted/,
    );
  });

  test('statements cannot write to MariaDB, and errors name host and code, never the password', async () => {
    await admin.query('create table kept (n int)');
    const failures: [info: object, message: RegExp][] = [
      [{ query: 'select 1; drop table kept' }, /SQLSTATE 42000 \(1064\)/],
      [{ query: 'select * from absent' }, /SQLSTATE 42S02.*Check the table or the statement/],
      [{ query: 'select 1 into @x' }, /returns no columns/],
      [
        { table: 'kept', password: 'wrong-word' },
        /MySQL at 127\.0\.0\.1:\d+ reports SQLSTATE 28000.*password/,
      ],
      [{ table: 'kept', port: 1 }, /Cannot use MySQL at 127\.0\.0\.1:1: it did not respond \(ECONNREFUSED\)/],
    ];
    for (const [info, message] of failures) {
      const job = await source.run(await fixture.dataset(), infoOf(info));
      assert.match(outcomeOf(job), /^failed: DatasourceError: /);
      assert.match(outcomeOf(job), message);
      assert.ok(!outcomeOf(job).includes(peer.password) && !outcomeOf(job).includes('wrong-word'));
    }
    await admin.query('select * from kept');
  });
});

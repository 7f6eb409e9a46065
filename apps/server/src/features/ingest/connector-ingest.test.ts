/* Shows: V-sourceType-OTHER */
import type { Connection, ConnectionTest, IngestOptions } from '@redoubt/contract';
import { startServer, type TestServer } from '@redoubt/server/testing';
import {
  createRecordFixture,
  createSourceFixture,
  createUploadFixture,
  labelField,
  outcomeOf,
  pythonWith,
  type RecordFixture,
  type SourceFixture,
  type TestPerson,
  type UploadFixture,
} from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

const completed = 'completed: : ';
const example = join(import.meta.dirname, '../../../../../examples/connectors/sqlite_connector.py');

/** A connector that misbehaves as its stream says. It reads its task first, like any other. */
const hostile = `
const { spawn } = require('node:child_process');
const { writeFileSync } = require('node:fs');
let text = '';
process.stdin.on('data', (chunk) => (text += chunk)).on('end', () => {
  const { action, stream, config, secrets } = JSON.parse(text);
  const say = (line) => process.stdout.write(line + '\\n');
  const names = ['debug', 'exit', 'unknown', 'json', 'cut', 'long', 'after', 'error', 'leak', 'key', 'flood', 'endless', 'child', 'bad-row', 'environment', 'no-checkpoint', 'Cannot use it'];
  if (action === 'discover') {
    for (const name of names) say('#stream ' + JSON.stringify({ name }));
    return say('#end');
  }
  const row = JSON.stringify({ n: 1 });
  const acts = {
    debug: () => say(row + '\\nconnected to 10.0.0.1\\n#end'),
    exit: () => { say(row); process.exitCode = 3; },
    unknown: () => say('#progress 5\\n#end'),
    json: () => say('#checkpoint {\\n#end'),
    cut: () => process.stdout.write(row),
    long: () => { say(row); for (let n = 0; n < 70; n++) process.stdout.write('x'.repeat(1e6)); say(''); },
    after: () => { say(row + '\\n#end\\n' + JSON.stringify({ n: 2 })); setInterval(() => {}, 1000); },
    error: () => say(row + '\\n#error ' + JSON.stringify({ message: 'the table\\nis locked' })),
    leak: () => say('#error ' + JSON.stringify({ message: 'wrong password ' + secrets.password })),
    key: () => say('#error ' + JSON.stringify({ message: 'bad key: ' + secrets.key.split('\\n')[1] + ' ' + secrets.pin })),
    flood: () => { for (let n = 0; n < 20_000; n++) say('#checkpoint ' + n); },
    endless: () => { say(row); setInterval(() => {}, 1000); },
    child: () => {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      writeFileSync(config.file, String(child.pid));
      say(row + '\\n#end');
    },
    'bad-row': () => say(row + '\\n{"n":\\n#end'),
    environment: () => say(JSON.stringify({ names: Object.keys(process.env).sort(), words: process.argv.slice(2) }) + '\\n#end'),
    'no-checkpoint': () => say('#end'),
    'Cannot use it': () => say('#error ' + JSON.stringify({ message: 'row 42 of Ada' })),
  };
  acts[stream]();
});
`;

const infoOf = (stream: string, more: object = {}): object => ({
  connector: 'sqlite',
  stream,
  config: { file: 'shop.db' },
  ...more,
});

const python = await pythonWith();

describe('ingest from connectors', { skip: 'missing' in python ? python.missing : false }, () => {
  let folder: string;
  let database: DatabaseSync;
  let server: TestServer;
  let fixture: RecordFixture;
  let uploads: UploadFixture;
  let starter: TestPerson;
  let source: SourceFixture;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'redoubt-connectors-'));
    database = new DatabaseSync(join(folder, 'shop.db'));
    const program = join(folder, 'hostile.cjs');
    writeFileSync(program, hostile);
    server = await startServer({
      connectors: {
        sqlite: ['command' in python ? python.command : '', example, folder],
        hostile: [process.execPath, program],
        absent: [join(folder, 'absent')],
      },
    });
    fixture = await createRecordFixture(server);
    uploads = createUploadFixture(fixture, server.jobsSettled);
    starter = await fixture.newReader('A');
    source = createSourceFixture(fixture, server.jobsSettled, 'OTHER', starter.token);
  });
  after(async () => {
    await server.close();
    database.close();
    rmSync(folder, { recursive: true });
  });

  const numbersIn = async (datasetId: string): Promise<number[]> =>
    (await uploads.records(datasetId, starter.token))
      .map(({ n }) => Number(n))
      .toSorted((one, other) => one - other);

  test('rows of a table are stored under the label of each, and the receipt adds up', async () => {
    database.exec('create table orders (n integer, label text, price real, note blob)');
    database.exec(
      "insert into orders values (1, 'A', 1.5, x'0001'), (2, 'B', null, null), (3, 'A&', 9e999, null), (9223372036854775807, 'A', -2, 'é')",
    );
    const datasetId = await fixture.dataset();
    const labels = { securityLabeled: true, securityLabelInfo: labelField };
    const { rows, files } = await source.preview(datasetId, infoOf('orders'), labels);
    assert.deepEqual(
      rows.map(({ label, reason }) => [label, reason === null]),
      [
        ['A', true],
        ['B', true],
        [null, false],
        ['A', true],
      ],
    );
    assert.deepEqual(files, ['orders.ndjson']);
    const job = await source.run(datasetId, infoOf('orders'), labels);
    assert.equal(outcomeOf(job), completed);
    const { received, written, rejected } = await source.receiptOf(job);
    assert.deepEqual([received, written, rejected], [4, 3, 1]);
    const records = await uploads.records(datasetId, starter.token);
    assert.deepEqual(
      records.map(({ price, note }) => [price, note]),
      [
        [1.5, 'AAE='],
        [-2, 'é'],
      ],
    );
    assert.match(JSON.stringify(job.config), /"connector":"sqlite","stream":"orders"/);
  });

  test('a large table is read in ranges, each of them a segment', async () => {
    database.exec('create table ticks (n integer primary key)');
    database.exec('insert into ticks values (1), (100000), (100001), (250000)');
    const datasetId = await fixture.dataset();
    const job = await source.run(datasetId, infoOf('ticks'));
    assert.equal(outcomeOf(job), completed);
    const { files, written } = await source.receiptOf(job);
    assert.deepEqual(
      [written, files.map(({ name, written: rows }) => [name, rows])],
      [
        4,
        [
          ['ticks from row 1.ndjson', 2],
          ['ticks from row 100001.ndjson', 1],
          ['ticks from row 200001.ndjson', 1],
        ],
      ],
    );
    assert.deepEqual(await numbersIn(datasetId), [1, 100_000, 100_001, 250_000]);
  });

  test('tables without a row id, and with a column of that name, are read', async () => {
    database.exec("create table named (rowid text, n int); insert into named values ('x', 1), ('y', 2)");
    database.exec('create table bare (n int primary key) without rowid; insert into bare values (5), (6)');
    for (const [stream, numbers] of [
      ['named', [1, 2]],
      ['bare', [5, 6]],
    ] as const) {
      const datasetId = await fixture.dataset();
      assert.equal(outcomeOf(await source.run(datasetId, infoOf(stream))), completed);
      assert.deepEqual(await numbersIn(datasetId), numbers);
    }
    const job = await source.run(await fixture.dataset(), infoOf('bare', { incremental: true }));
    assert.match(outcomeOf(job), /wrote no #checkpoint/);
  });

  test('an incremental job continues from the checkpoint of an earlier one', async () => {
    database.exec('create table visits (n integer primary key)');
    database.exec('insert into visits values (1), (2)');
    const datasetId = await fixture.dataset();
    const info = infoOf('visits', { incremental: true });
    const first = await source.run(datasetId, info);
    assert.equal(outcomeOf(first), completed);
    database.exec('insert into visits values (3)');
    const second = await source.run(datasetId, { ...info, changedSinceJob: first.id });
    assert.deepEqual([outcomeOf(second), (await source.receiptOf(second)).written], [completed, 1]);
    const third = await source.run(datasetId, { ...info, changedSinceJob: second.id });
    assert.deepEqual([outcomeOf(third), (await source.receiptOf(third)).written], [completed, 0]);
    database.exec('insert into visits values (4)');
    const fourth = await source.run(datasetId, { ...info, changedSinceJob: third.id });
    assert.equal(outcomeOf(fourth), completed);
    assert.deepEqual(await numbersIn(datasetId), [1, 2, 3, 4]);
    const other = infoOf('orders', { incremental: true, changedSinceJob: first.id });
    await source.send(datasetId, other, {}, 400);
  });

  test('requests that no connector can answer are refused, and name the field', async () => {
    const datasetId = await fixture.dataset();
    const refused = async (info: object, more: object = {}): Promise<string> =>
      (await source.send<{ message: string }>(datasetId, info, more, 400)).message;
    assert.match(
      await refused(infoOf('orders', { connector: 'oracle' })),
      /connectionInfo\.connector must be a connector of this server: "sqlite" or "hostile" or "absent", got the string "oracle"/,
    );
    assert.match(
      await refused(infoOf('orders', { connector: 'constructor' })),
      /got the string "constructor"/,
    );
    assert.match(await refused({ connector: 'sqlite' }), /^stream must be present/);
    assert.match(await refused(infoOf('a\nb')), /connectionInfo\.stream/);
    assert.match(await refused(infoOf('orders', { command: ['/bin/sh'] })), /^command is not a known field/);
    assert.match(await refused(infoOf('orders', { config: 'x' })), /^config must be an object/);
    assert.match(
      await refused(infoOf('orders', { changedSinceJob: 'an-id' })),
      /connectionInfo\.changedSinceJob must be sent with incremental: true/,
    );
    assert.match(
      await refused(infoOf('visits', { incremental: true }), { writeMode: 'replace' }),
      /incremental must not be sent with writeMode replace/,
    );
    assert.match(
      await refused(infoOf('orders'), { fileOptions: { delimiter: ';' } }),
      /fileOptions\.delimiter/,
    );
  });

  test('the options name the connectors and languages of the server', async () => {
    const offered = await fixture.call<IngestOptions>(200, 'GET', '/ingest/options', {
      token: starter.token,
    });
    assert.deepEqual(offered.connectors, ['absent', 'hostile', 'sqlite']);
    assert.deepEqual(offered.defaultOcrLanguages, ['eng']);
    assert.ok(['eng', 'fra'].every((code) => offered.ocrLanguages.includes(code)));
    assert.ok(!offered.ocrLanguages.includes('osd'));
    await fixture.call(401, 'GET', '/ingest/options', { token: '' });
    await fixture.call(400, 'GET', '/ingest/options?of=this', { token: starter.token });
  });

  test('a server without connectors answers 501, and says who can add some', async () => {
    const other = await startServer();
    try {
      const plain = await createRecordFixture(other);
      const from = createSourceFixture(plain, other.jobsSettled, 'OTHER', plain.admin);
      const { message } = await from.send<{ message: string }>(await plain.dataset(), {}, {}, 501);
      assert.match(message, /this server has no connectors.*setting CONNECTORS/);
    } finally {
      await other.close();
    }
  });

  test('what a connector reports fails the job, with its words but never its secrets', async () => {
    const datasetId = await fixture.dataset();
    const outcome = async (info: object): Promise<string> => outcomeOf(await source.run(datasetId, info));
    assert.match(
      await outcome(infoOf('nothing')),
      /^failed: DatasourceError: .*"sqlite" has no stream "nothing"/,
    );
    for (const file of ['../shop.db', '/etc/passwd', 'absent.db'])
      assert.match(await outcome(infoOf('orders', { config: { file } })), /reports: there is no database/);
    assert.match(await outcome(infoOf('orders', { config: {} })), /reports: config\.file must be the name/);
    assert.match(await outcome(infoOf('orders', { config: { file: 'hostile.cjs' } })), /not a database/);
    const leak = await outcome({
      connector: 'hostile',
      stream: 'leak',
      secrets: { password: 'pass-word-9' },
    });
    assert.match(leak, /reports: an error without words/);
    const secrets = { key: '-----BEGIN KEY-----\npass-word-9-of-a-key\n-----END KEY-----' };
    const key = await outcome({ connector: 'hostile', stream: 'key', secrets });
    assert.match(key, /reports: an error without words/);
    const stored = await Promise.all(
      (['uploads', 'ingest_files', 'segments', 'jobs'] as const).map((table) =>
        server.db.selectFrom(table).selectAll().execute(),
      ),
    );
    assert.doesNotMatch(JSON.stringify([stored, server.log]), /pass-word-9/);
    assert.deepEqual(await numbersIn(datasetId), []);
  });

  test('a connector that breaks its protocol fails its job, and stores nothing', async () => {
    const datasetId = await fixture.dataset();
    for (const [stream, message] of [
      ['debug', /wrote a line that is neither a JSON object nor a message/],
      ['exit', /ended without the message #end \(it ended with 3\)/],
      ['unknown', /wrote a message #progress that is not part of its protocol/],
      ['flood', /wrote more than 10000 messages without a row/],
      ['json', /wrote a message #checkpoint that is not part of its protocol/],
      ['cut', /a line that is too long, or that has no end/],
      ['long', /a line that is too long, or that has no end/],
      ['error', /reports: the table is locked/],
    ] as const) {
      const job = await source.run(datasetId, { connector: 'hostile', stream });
      assert.match(outcomeOf(job), /^failed: DatasourceError: /);
      assert.match(outcomeOf(job), message);
    }
    const absent = await source.run(datasetId, { connector: 'absent', stream: 'any' });
    assert.match(outcomeOf(absent), /ended without the message #end/);
    const without = await source.run(datasetId, {
      connector: 'hostile',
      stream: 'no-checkpoint',
      incremental: true,
    });
    assert.match(outcomeOf(without), /wrote no #checkpoint/);
    assert.deepEqual(await numbersIn(datasetId), []);
  });

  test('a bad row is rejected alone, and what follows #end is not read', async () => {
    const datasetId = await fixture.dataset();
    const bad = await source.run(datasetId, { connector: 'hostile', stream: 'bad-row' });
    const { written, rejected } = await source.receiptOf(bad);
    assert.deepEqual([outcomeOf(bad), written, rejected], [completed, 1, 1]);
    const after = await source.run(datasetId, { connector: 'hostile', stream: 'after' });
    assert.deepEqual([outcomeOf(after), (await source.receiptOf(after)).written], [completed, 1]);
  });

  test('a connector has no environment of the server, and ends with its children', async () => {
    const datasetId = await fixture.dataset();
    await source.run(datasetId, { connector: 'hostile', stream: 'environment', secrets: { key: 'k' } });
    const [record] = await uploads.records(datasetId, starter.token);
    assert.deepEqual(record, { names: ['LANG', 'PATH', 'PWD'], words: [] });
    const file = join(folder, 'child.pid');
    const job = await source.run(datasetId, { connector: 'hostile', stream: 'child', config: { file } });
    assert.equal(outcomeOf(job), completed);
    const pid = Number(readFileSync(file, 'utf8'));
    const isAlive = (): boolean => {
      try {
        return !/^State:\tZ/m.test(readFileSync(`/proc/${String(pid)}/status`, 'utf8'));
      } catch {
        return false;
      }
    };
    while (isAlive()) await delay(20);
  });

  test('a job whose connector never ends can be canceled', async () => {
    const datasetId = await fixture.dataset();
    const { id } = await source.send(datasetId, { connector: 'hostile', stream: 'endless' });
    while ((await source.jobOf(id)).status !== 'running') await delay(20);
    await fixture.call(200, 'PATCH', `/jobs/${id}`, { token: starter.token, body: { status: 'canceled' } });
    await server.jobsSettled();
    assert.equal((await source.jobOf(id)).status, 'canceled');
    assert.deepEqual(await numbersIn(datasetId), []);
  });

  test('a stored connection holds config and secrets, and allows some streams', async () => {
    const datasetId = await fixture.dataset();
    const body = {
      workspaceId: fixture.workspace.id,
      name: 'Shop',
      type: 'OTHER',
      connectionInfo: { connector: 'sqlite', config: { file: 'shop.db' }, secrets: { key: 'pass-word-8' } },
      allowed: { streams: ['visits', 'ticks'] },
    };
    const create = (more: object, status = 201) =>
      fixture.call<Connection & { message?: string }>(status, 'POST', '/connections', {
        token: fixture.admin,
        body: { ...body, ...more },
      });
    const connection = await create({});
    assert.deepEqual(connection.target, { connector: 'sqlite' });
    assert.doesNotMatch(JSON.stringify(connection), /pass-word|shop\.db/);
    const tested = await fixture.call<ConnectionTest>(200, 'POST', `/connections/${connection.id}/test`, {
      token: fixture.admin,
    });
    assert.deepEqual(tested.found, ['ticks', 'visits']);
    const own = createSourceFixture(fixture, server.jobsSettled, 'OTHER', fixture.admin);
    const through = (connectionInfo: object) => ({
      dataSourceParams: { type: 'OTHER', connectionId: connection.id, connectionInfo },
    });
    const { id } = await own.send(datasetId, {}, through({ stream: 'visits', incremental: true }));
    await server.jobsSettled();
    assert.equal(outcomeOf(await own.jobOf(id)), completed);
    // A match would confirm a guess of the config.
    const answers: string[] = [];
    for (const file of ['shop.db', 'other.db']) {
      const guess = infoOf('visits', { incremental: true, config: { file }, changedSinceJob: id });
      answers.push((await own.send<{ message: string }>(datasetId, guess, {}, 400)).message);
    }
    assert.deepEqual(answers, [answers[1], answers[1]]);
    const next = through({ stream: 'visits', incremental: true, changedSinceJob: id });
    const again = await own.run(datasetId, {}, next);
    assert.equal(outcomeOf(again), completed);
    // Ranges and their number tell how many rows there are.
    const large = await own.send(datasetId, {}, through({ stream: 'ticks' }));
    await server.jobsSettled();
    const { data } = await fixture.call<{ data: unknown[] }>(200, 'GET', `/segments?datasetId=${datasetId}`);
    assert.equal(outcomeOf(await own.jobOf(large.id)), completed);
    assert.equal(data.length, 3);
    assert.doesNotMatch(JSON.stringify(data), /from row/);
    const refused = async (info: object): Promise<string> =>
      (await own.send<{ message: string }>(datasetId, {}, through(info), 400)).message;
    assert.match(await refused({ stream: 'orders' }), /stream must be a stream that the connection allows/);
    assert.match(
      await refused({ stream: 'visits', config: {} }),
      /config must not be sent with connectionId/,
    );
    assert.match(
      String((await create({ connectionInfo: { connector: 'oracle' } }, 400)).message),
      /connectionInfo\.connector must be/,
    );
    assert.match(
      String((await create({ allowed: { tables: ['a.b'] } }, 400)).message),
      /allowed\.tables must not be sent for type OTHER/,
    );
  });

  test('what a connector reports needs the minimum label of the connection, whatever the stream is called', async () => {
    const connection = await fixture.call<Connection>(201, 'POST', '/connections', {
      body: {
        workspaceId: fixture.workspace.id,
        name: 'Errors',
        type: 'OTHER',
        connectionInfo: { connector: 'hostile' },
        minimumLabel: 'M',
      },
    });
    await fixture.call(200, 'POST', `/connections/${connection.id}/test`);
    await fixture.call(201, 'POST', '/connection-permissions', {
      body: { action: 'use', connectionId: connection.id, groupId: fixture.readers.id },
    });
    const datasetId = await fixture.dataset();
    const outcomeFor = async (person: TestPerson): Promise<string> => {
      const own = createSourceFixture(fixture, server.jobsSettled, 'OTHER', person.token);
      const connectionInfo = { stream: 'Cannot use it' };
      const dataSourceParams = { type: 'OTHER', connectionId: connection.id, connectionInfo };
      const previewed = await own.preview<{ message: string }>(datasetId, {}, { dataSourceParams }, 400);
      const job = await own.run(datasetId, {}, { dataSourceParams });
      return `${outcomeOf(job)} ${previewed.message}`;
    };
    assert.doesNotMatch(await outcomeFor(starter), /row 42|Ada/);
    // The preview says what the job does not: a job outlives the attributes of its starter.
    const seen = await outcomeFor(await fixture.newReader('M'));
    assert.match(seen, /^failed: .* in the receipt of their job\. Cannot use it: .*row 42 of Ada$/);
    assert.equal(seen.split('row 42').length, 2);
  });
});

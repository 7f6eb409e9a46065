/* Shows: V-sourceType-KAFKA */
import { Admin, Producer } from '@platformatic/kafka';
import type { Connection, ConnectionTest, Job, JobReceipt, Upload } from '@redoubt/contract';
import { migrateDataFolder, startServer, startServerProcess, type TestServer } from '@redoubt/server/testing';
import {
  createRecordFixture,
  createSourceFixture,
  createUploadFixture,
  labelField,
  outcomeOf,
  readTestEffort,
  startKafka,
  type RecordFixture,
  type SourceFixture,
  type TestKafka,
  type TestPerson,
  type UploadFixture,
} from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeSelfSigned } from '../../platform/tls/self-signed.ts';

const completed = 'completed: : ';

/** The bytes before a value of Avro, with the id of its schema. */
const header = (id: number): Buffer => Buffer.from([0, 0, 0, 0, id]);

/** A schema of a record with one field. */
const schemaOf = (name: string, type: string): string =>
  JSON.stringify({ type: 'record', name, namespace: 'shop', fields: [{ name: 'x', type }] });

const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => JSON.stringify({ n: from + index }));

const killRounds = readTestEffort('REDOUBT_INGEST_ROUNDS', 2);
/** Each kill comes at a random time within this span. */
const killSpanMs = 2500;

/** The broker is started in one step of the tests only. */
const certificate = await makeSelfSigned(['localhost'], new Date(), { bytes: randomBytes });
const kafka = await startKafka(certificate);

describe('ingest from Kafka', { skip: 'missing' in kafka ? kafka.missing : false }, () => {
  let server: TestServer;
  let fixture: RecordFixture;
  let uploads: UploadFixture;
  let starter: TestPerson;
  let source: SourceFixture;
  let registry: Server;
  let producer: Producer;
  let admin: Admin;
  const schemas = new Map<string, unknown>();
  const broker = kafka as TestKafka;

  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
    uploads = createUploadFixture(fixture, server.jobsSettled);
    starter = await fixture.newReader('A');
    source = createSourceFixture(fixture, server.jobsSettled, 'KAFKA', starter.token);
    const client = { clientId: 'test', bootstrapBrokers: [`127.0.0.1:${String(broker.port)}`] };
    admin = new Admin(client);
    // A partition of a broker that is gone gets a new leader after some seconds, on a busy machine after many.
    producer = new Producer({ ...client, retries: 100 });
    registry = createServer((request, response) => {
      const schema = schemas.get(request.url ?? '');
      response.writeHead(schema === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(schema ?? {}));
    }).listen(0, '127.0.0.1');
    await once(registry, 'listening');
  });
  after(async () => {
    await server.close();
    await producer.close();
    await admin.close();
    registry.close();
    await broker.stop();
  });

  const infoOf = (topic: string, more: object = {}): Record<string, unknown> => ({
    bootstrapServers: `127.0.0.1:${String(broker.port)}`,
    topics: [topic],
    format: 'json',
    tls: false,
    until: 'end',
    ...more,
  });
  type Value = Buffer | string | null;
  const send = (topic: string, values: readonly Value[], partition = 0) =>
    producer.send({
      messages: values.map((value) => ({
        topic,
        partition,
        key: Buffer.from('k'),
        ...(value === null ? {} : { value: Buffer.from(value) }),
      })) as never,
    });
  /** Waits until the producer knows a new partition: it sends messages for unknown ones to others. */
  const partitionKnown = async (topic: string, partition: number): Promise<void> => {
    for (;;) {
      const { topics } = await producer.metadata({ topics: [topic], forceUpdate: true });
      if ((topics.get(topic)?.partitionsCount ?? 0) > partition) return;
      await sleep(100);
    }
  };
  /** Sends ten numbers to each of four partitions. */
  const sendForty = async (topic: string, from: number): Promise<void> => {
    for (const partition of [0, 1, 2, 3])
      await send(topic, numbers(from + 10 * partition, from + 10 * partition + 10), partition);
  };
  const newTopic = async (topic: string, partitions = 1): Promise<void> => {
    await admin.createTopics({ topics: [topic], partitions, replicas: 1 });
  };
  const recordsOf = (datasetId: string): Promise<Record<string, unknown>[]> =>
    uploads.records(datasetId, starter.token);

  /** The offsets of a group that the cluster shows, by the partitions of its one topic. */
  const committedOf = async (group: string): Promise<bigint[]> => {
    const [found] = await admin.listConsumerGroupOffsets({ groups: [group] });
    const partitions = found?.topics[0]?.partitions ?? [];
    return partitions
      .toSorted((a, b) => a.partitionIndex - b.partitionIndex)
      .map(({ committedOffset }) => committedOffset);
  };

  /** Starts a job that runs until it is stopped, and stops it after the work. */
  const whileReading = async (
    datasetId: string,
    info: Record<string, unknown>,
    work: (id: string) => Promise<void>,
  ): Promise<void> => {
    const { id } = await source.send(datasetId, { ...info, until: undefined });
    try {
      await work(id);
    } finally {
      await fixture.call(200, 'PATCH', `/jobs/${id}`, { token: starter.token, body: { status: 'canceled' } });
      await server.jobsSettled();
    }
    assert.equal((await source.jobOf(id)).status, 'canceled');
  };

  /** Waits for the end of a job, also while others run that have none. */
  const ended = async (id: string): Promise<Job> => {
    for (;;) {
      const job = await source.jobOf(id);
      if (!['queued', 'running'].includes(job.status)) return job;
      await sleep(100);
    }
  };

  const run = async (datasetId: string, info: object, more?: object): Promise<Job> =>
    ended((await source.send(datasetId, info, more)).id);

  /** Waits until a running job has stored a number of records; fails at once when it ends before. */
  const written = async (id: string, count: number): Promise<void> => {
    for (;;) {
      const job = await source.jobOf(id);
      if ((await source.receiptOf({ id })).written >= count) return;
      assert.ok(['queued', 'running'].includes(job.status), outcomeOf(job));
      await sleep(100);
    }
  };

  test('messages are stored under the label of each with their place, and rejected ones are listed', async () => {
    await newTopic('sales', 2);
    await send('sales', ['{"n":1,"label":"A"}', '{"n":2,"label":"B"}', 'no JSON', null]);
    await send('sales', ['{"n":3,"label":"A"}', '{"_offset":1}', Buffer.from([0xff])], 1);
    const datasetId = await fixture.dataset();
    const job = await run(datasetId, infoOf('sales', { includeOffsets: true }), {
      securityLabeled: true,
      securityLabelInfo: labelField,
    });
    assert.equal(outcomeOf(job), completed);
    const receipt = await source.receiptOf(job);
    assert.deepEqual([receipt.received, receipt.written, receipt.rejected], [6, 3, 3]);
    const own = await recordsOf(datasetId);
    assert.deepEqual(
      own.map(({ n, _topic, _partition, _offset, _key }) => [n, _topic, _partition, _offset, _key]),
      [
        [1, 'sales', 0, 0, 'k'],
        [3, 'sales', 1, 0, 'k'],
      ],
    );
    const other = await fixture.newReader('B');
    assert.deepEqual(
      (await uploads.records(datasetId, other.token)).map(({ n }) => n),
      [2],
    );
    const { rejects } = await uploads.ended(datasetId, job.id, starter.token);
    assert.deepEqual(
      new Set(rejects.map(({ reason }) => /^topic sales, partition \d, offset \d/.exec(reason)?.[0])),
      new Set([
        'topic sales, partition 0, offset 2',
        'topic sales, partition 1, offset 1',
        'topic sales, partition 1, offset 2',
      ]),
    );
    const segments = await fixture.call<{
      data: { config: { number?: number; lag?: string; tombstones?: number } }[];
    }>(200, 'GET', `/segments?datasetId=${datasetId}&jobId=${job.id}`, { token: starter.token });
    const { number, lag, tombstones } = segments.data[0]?.config ?? {};
    assert.deepEqual([number, lag, tombstones], [1, '0', 1]);
  });

  test('JSON and text keep all that they say, and a preview shows what is there', async () => {
    await newTopic('values');
    assert.deepEqual((await source.preview(await fixture.dataset(), infoOf('values'))).rows, []);
    await send('values', ['{ "big": 12345678901234567890,\n "tail": 1.50 }', '[1, 2]', '7', '{}']);
    const json = await fixture.dataset();
    const { rows } = await source.preview(json, infoOf('values', { until: undefined }));
    assert.equal(rows.length, 4);
    assert.equal(outcomeOf(await run(json, infoOf('values'))), completed);
    const read = await fixture.post('/readInSequence', JSON.stringify({ datasetId: json, batchSize: 100 }), {
      token: starter.token,
    });
    for (const part of ['"big":12345678901234567890', '"tail":1.50', '"value":[1,2]', '"value":7'])
      assert.ok(read.text.replaceAll(' ', '').includes(part), `${part} in ${read.text}`);
    const text = await fixture.dataset();
    assert.equal(outcomeOf(await run(text, infoOf('values', { format: 'text' }))), completed);
    assert.deepEqual(
      new Set((await recordsOf(text)).map(({ value }) => value)),
      new Set(['{ "big": 12345678901234567890,\n "tail": 1.50 }', '[1, 2]', '7', '{}']),
    );
  });

  test('values of Avro are read by the schema that each names in the registry', async () => {
    await newTopic('typed');
    const fields = [
      { name: 'id', type: 'long' },
      { name: 'at', type: { type: 'long', logicalType: 'timestamp-millis' } },
      { name: 'note', type: ['null', 'string'] },
    ];
    schemas.set('/schemas/ids/7', { schema: JSON.stringify({ type: 'record', name: 'R', fields }) });
    const value = Buffer.concat([header(7), Buffer.from([0x02, 0x00, 0x02, 0x04]), Buffer.from('hi')]);
    await send('typed', [
      value,
      Buffer.concat([header(8), Buffer.from([2])]),
      'plain',
      value.subarray(0, -1),
    ]);
    const datasetId = await fixture.dataset();
    const { port } = registry.address() as AddressInfo;
    const job = await run(
      datasetId,
      infoOf('typed', { format: 'avro', registry: { url: `http://127.0.0.1:${String(port)}` } }),
    );
    assert.equal(outcomeOf(job), completed);
    assert.deepEqual(
      (await recordsOf(datasetId)).map(({ id, at, note }) => [id, at, note]),
      [[1, '1970-01-01T00:00:00Z', 'hi']],
    );
    const { rejects } = await uploads.ended(datasetId, job.id, starter.token);
    assert.equal(rejects.length, 3);
    assert.match(rejects.map(({ reason }) => reason).join('\n'), /offset 1: .*the registry has no schema 8/);
  });

  test('a schema of Avro can use types of the schemas to which it refers', async () => {
    await newTopic('orders');
    const address = { name: 'shop.Address', subject: 'addresses/v1', version: 2 };
    const city = { name: 'shop.City', subject: 'cities', version: 1 };
    schemas.set('/subjects/cities/versions/1', { schema: schemaOf('City', 'string') });
    schemas.set('/subjects/addresses%2Fv1/versions/2', {
      schema: schemaOf('Address', 'City'),
      references: [city],
    });
    schemas.set('/schemas/ids/20', {
      schema: schemaOf('Order', 'shop.Address'),
      references: [address, city],
    });
    schemas.set('/schemas/ids/21', { schema: schemaOf('Order', 'shop.Absent'), references: [city] });
    schemas.set('/schemas/ids/22', {
      schema: schemaOf('Order', 'City'),
      references: [{ ...city, version: 9 }],
    });
    schemas.set('/schemas/ids/23', {
      schema: schemaOf('Order', 'City'),
      references: [{ ...city, subject: '\ud800' }],
    });
    schemas.set('/subjects/loop/versions/1', {
      schema: schemaOf('Loop', 'City'),
      references: [{ ...city, subject: 'loop' }],
    });
    schemas.set('/schemas/ids/24', {
      schema: schemaOf('Order', 'Loop'),
      references: [{ ...city, subject: 'loop' }],
    });
    const value = Buffer.from([0x04, ...Buffer.from('Os')]);
    await send(
      'orders',
      [20, 21, 22, 23, 24].map((id) => Buffer.concat([header(id), value])),
    );
    const datasetId = await fixture.dataset();
    const { port } = registry.address() as AddressInfo;
    const info = { format: 'avro', registry: { url: `http://127.0.0.1:${String(port)}` } };
    const job = await run(datasetId, infoOf('orders', info));
    assert.equal(outcomeOf(job), completed);
    assert.deepEqual(
      (await recordsOf(datasetId)).map(({ x }) => x),
      [{ x: { x: 'Os' } }],
    );
    const { rejects } = await uploads.ended(datasetId, job.id, starter.token);
    const reasons = rejects.map(({ reason }) => reason).join('\n');
    assert.match(reasons, /offset 1: .*schema 21 cannot be used: .*there is no type shop\.Absent/);
    assert.match(reasons, /offset 2: .*the registry has no version 9 of "cities"/);
    assert.match(reasons, /offset 3: .*schema 23 refers to a schema without its subject and version/);
    assert.match(reasons, /offset 4: .*schema 24 cannot be used: .*there is no type City/);
  });

  test('messages of aborted transactions are not stored, whatever comes between', async () => {
    await newTopic('bank');
    const client = { clientId: 'test', bootstrapBrokers: [`127.0.0.1:${String(broker.port)}`] };
    const bank = new Producer({ ...client, transactionalId: 'bank', idempotent: true });
    const inside = async (values: readonly string[], end: 'abort' | 'commit'): Promise<void> => {
      const transaction = await bank.beginTransaction();
      await transaction.send({
        messages: values.map((value) => ({ topic: 'bank', partition: 0, value: Buffer.from(value) })),
      });
      await transaction[end]();
    };
    try {
      await inside(['{"n":1}'], 'commit');
      await inside(['{"n":2}', '{"n":3}'], 'abort');
      await inside(['{"n":4}'], 'commit');
      await inside(['{"n":5}'], 'abort');
      await send('bank', ['{"n":6}']);
    } finally {
      await bank.close();
    }
    const datasetId = await fixture.dataset();
    const job = await run(datasetId, infoOf('bank'));
    assert.equal(outcomeOf(job), completed);
    assert.deepEqual(new Set((await recordsOf(datasetId)).map(({ n }) => n)), new Set([1, 4, 6]));
  });

  test('jobs of a group continue each other, also where one was canceled', async () => {
    await newTopic('chain', 2);
    await send('chain', numbers(0, 100));
    const datasetId = await fixture.dataset();
    const group = { groupId: 'chain' };
    const first = await run(datasetId, infoOf('chain', group));
    assert.equal(outcomeOf(first), completed);
    await send('chain', numbers(100, 150), 1);
    await whileReading(datasetId, infoOf('chain', group), async (id) => {
      await source.send(datasetId, infoOf('chain', group), {}, 409);
      await written(id, 50);
      await admin.createPartitions({
        topics: [{ name: 'chain', count: 3, assignments: [{ brokerIds: [1] }] }],
      });
      await partitionKnown('chain', 2);
      await send('chain', numbers(150, 200), 2);
      await written(id, 100);
    });
    await send('chain', numbers(200, 220), 1);
    const last = await run(datasetId, infoOf('chain', group));
    assert.equal(outcomeOf(last), completed);
    assert.equal((await source.receiptOf(last)).written, 20);
    const committed = await committedOf('redoubt-chain');
    assert.deepEqual(committed, [100n, 70n, 50n]);
    await source.preview(datasetId, infoOf('chain', group));
    assert.deepEqual(await committedOf('redoubt-chain'), committed);
    assert.deepEqual(
      (await recordsOf(datasetId)).map(({ n }) => Number(n)).toSorted((a, b) => a - b),
      Array.from({ length: 220 }, (_, n) => n),
    );
  });

  test('a broker that starts again does not end a job, which others do not wait for', async () => {
    await newTopic('restarted');
    await newTopic('beside');
    const datasetId = await fixture.dataset();
    await whileReading(datasetId, infoOf('restarted'), async (id) => {
      await send('restarted', ['{"n":1}']);
      await written(id, 1);
      assert.equal(outcomeOf(await run(datasetId, infoOf('beside'))), completed);
      await broker.kill();
      await broker.restart();
      await send('restarted', ['{"n":2}']);
      await written(id, 2);
      assert.equal((await source.jobOf(id)).status, 'running');
    });
  });

  test('TLS to brokers is required unless the request says otherwise, and the certificate is checked', async () => {
    await newTopic('secret');
    await send('secret', ['{"n":1}']);
    const { tlsPort, username, password } = broker;
    const other = await makeSelfSigned(['localhost'], new Date(), { bytes: randomBytes });
    const secure = {
      bootstrapServers: `localhost:${String(tlsPort)}`,
      tls: { ca: certificate.cert },
      sasl: { mechanism: 'SCRAM-SHA-256', username, password },
    };
    const datasetId = await fixture.dataset();
    const outcomeWith = async (more: object): Promise<string> =>
      outcomeOf(await run(datasetId, infoOf('secret', { ...secure, ...more })));
    assert.equal(await outcomeWith({}), completed);
    assert.deepEqual(
      (await recordsOf(datasetId)).map(({ n }) => n),
      [1],
    );
    const untrusted =
      /its certificate cannot be trusted \(\w+\)\. Send the certificate of its authority in tls\.ca/;
    for (const tls of [true, { ca: other.cert }]) assert.match(await outcomeWith({ tls }), untrusted);
    assert.match(
      await outcomeWith({ bootstrapServers: `127.0.0.1:${String(tlsPort)}` }),
      /its certificate cannot be trusted \(ERR_TLS_CERT_ALTNAME_INVALID\)/,
    );
    assert.match(
      await outcomeWith({ bootstrapServers: `127.0.0.1:${String(broker.port)}`, sasl: undefined }),
      /it did not respond .*that they offer TLS \(otherwise send tls: false/,
    );
  });

  test('a job reads all brokers of a cluster, and goes on when one of them is gone', async () => {
    const second = await broker.addBroker();
    await admin.createTopics({ topics: ['spread'], partitions: 4, replicas: 2 });
    await sendForty('spread', 0);
    const datasetId = await fixture.dataset();
    await whileReading(datasetId, infoOf('spread'), async (id) => {
      await written(id, 40);
      await second.kill();
      await sendForty('spread', 40);
      await written(id, 80);
      assert.equal((await source.jobOf(id)).status, 'running');
    });
    assert.deepEqual(
      (await recordsOf(datasetId)).map(({ n }) => Number(n)).toSorted((a, b) => a - b),
      Array.from({ length: 80 }, (_, n) => n),
    );
  });

  test('a server that is killed while it reads a topic stores each message once', async () => {
    await newTopic('killed', 2);
    const folder = await mkdtemp(join(tmpdir(), 'redoubt-topic-'));
    const start = async () =>
      startServerProcess({
        dataDir: join(folder, 'data'),
        environment: { LOG_LEVEL: 'error', ALLOW_PRIVATE_ADDRESSES: 'yes', INGEST_BLOCK_ROWS: '20' },
      });
    await migrateDataFolder(join(folder, 'data'));
    let killed = await start();
    try {
      const address = { url: killed.url };
      const own = await createRecordFixture(address);
      const datasetId = await own.dataset(['read', 'write']);
      const job = await own.call<Job>(202, 'POST', '/ingest?isAsync=true', {
        body: {
          datasetId,
          dataSourceParams: { type: 'KAFKA', connectionInfo: infoOf('killed', { until: undefined }) },
        },
      });
      let sent = 0;
      for (let round = 0; round < killRounds; round++) {
        for (const partition of [0, 1]) await send('killed', numbers(sent, (sent += 100)), partition);
        await sleep(Math.random() * killSpanMs);
        await killed.kill();
        killed = await start();
        address.url = killed.url;
      }
      const found = async (): Promise<number[]> => {
        const body = JSON.stringify({ datasetId, startingRecordId: '', batchSize: -1 });
        const { text } = await own.post('/readInSequence', body);
        return (JSON.parse(text) as { records: { n: number }[] }).records
          .map(({ n }) => n)
          .toSorted((a, b) => a - b);
      };
      while ((await found()).length < sent) {
        const { status, error } = await own.call<Job>(200, 'GET', `/jobs/${job.id}`);
        assert.ok(['queued', 'running'].includes(status), JSON.stringify(error));
        await sleep(200);
      }
      await own.call(200, 'PATCH', `/jobs/${job.id}`, { body: { status: 'canceled' } });
      assert.deepEqual(
        await found(),
        Array.from({ length: sent }, (_, n) => n),
      );
      const { written: stored, duplicate } = await own.call<JobReceipt>(
        200,
        'GET',
        `/jobs/${job.id}/receipt`,
      );
      assert.equal(stored + (duplicate ?? 0), sent);
    } finally {
      await killed.kill();
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('errors name host and port, and never the password', async () => {
    const datasetId = await fixture.dataset();
    const login = { bootstrapServers: [`127.0.0.1:${String(broker.saslPort)}`] };
    const { username, password } = broker;
    const sasl = { mechanism: 'SCRAM-SHA-256', username, password };
    const wrong = { ...sasl, password: 'wrong-pass-word' };
    const outcomes = await Promise.all(
      [
        infoOf('sales', { ...login, sasl: { ...wrong, mechanism: 'PLAIN' } }),
        infoOf('sales', { ...login, sasl: wrong }),
        infoOf('sales', { ...login, sasl }),
        infoOf('absent'),
        infoOf('sales', { bootstrapServers: '127.0.0.1:1' }),
      ].map(async (info) => outcomeOf(await run(datasetId, info))),
    );
    const refused = new RegExp(
      `^failed: DatasourceError: Cannot use Kafka at 127\\.0\\.0\\.1:${String(broker.saslPort)}: .*Check the user name`,
    );
    assert.match(outcomes[0] ?? '', refused);
    assert.match(outcomes[1] ?? '', refused);
    assert.equal(outcomes[2], completed);
    assert.match(outcomes[3] ?? '', /^failed: DatasourceError: .*no topic "absent"/);
    assert.match(outcomes[4] ?? '', /Kafka at 127\.0\.0\.1:1: it did not respond \(ECONNREFUSED\)/);
    const stored = await Promise.all([
      server.db.selectFrom('uploads').selectAll().execute(),
      server.db.selectFrom('ingest_files').selectAll().execute(),
      server.db.selectFrom('segments').selectAll().execute(),
      server.db.selectFrom('jobs').selectAll().execute(),
    ]);
    assert.doesNotMatch(JSON.stringify([stored, server.log]), /wrong-pass-word|pass-word-of-the-topics/);
  });

  test('only the starter sees topics, hosts, segments and lag of a job, and others one name for its files', async () => {
    await newTopic('seen');
    await send('seen', ['{"n":1}', '{"n":2}']);
    const datasetId = await fixture.dataset(['read', 'write', 'manage']);
    const job = await run(datasetId, infoOf('seen', { groupId: 'watch' }));
    assert.equal(outcomeOf(job), completed);
    const manager = await fixture.newReader();
    const seen = async (token: string): Promise<string> => {
      const paths = [`/jobs/${job.id}`, `/jobs?datasetId=${datasetId}`, `/segments?datasetId=${datasetId}`];
      const pages = paths.map((path) => fixture.call<unknown>(200, 'GET', path, { token }));
      const receipt = await source.receiptOf(job, token);
      return JSON.stringify([...(await Promise.all(pages)), receipt]);
    };
    assert.match(await seen(starter.token), /seen\.messages.*"lag":"0"|"lag":"0".*seen\.messages/);
    const others = await seen(manager.token);
    assert.match(others, /"name":"messages"/);
    assert.doesNotMatch(others, /seen|watch|127\.0\.0\.1|"lag"|topic|offset/i);
    const [record] = await recordsOf(datasetId);
    assert.deepEqual(Object.keys(record ?? {}).toSorted(), ['_key', '_timestamp', '_topic', 'n']);
  });

  test('a stored connection reads its allowed topics alone, and its jobs do not tell how much they read', async () => {
    await newTopic('open');
    await newTopic('closed');
    await send('open', ['{"n":1,"label":"A"}', '{"n":2,"label":"B"}', 'no JSON']);
    const { topics: _topics, format: _format, until: _until, ...connectionInfo } = infoOf('open');
    const connection = await fixture.call<Connection>(201, 'POST', '/connections', {
      body: {
        workspaceId: fixture.workspace.id,
        name: 'Cluster',
        type: 'KAFKA',
        connectionInfo,
        allowed: { topics: ['open'] },
        minimumLabel: 'M',
      },
    });
    const test = await fixture.call<ConnectionTest>(200, 'POST', `/connections/${connection.id}/test`);
    assert.deepEqual([test.succeeded, test.found], [true, ['open']]);
    await fixture.call(201, 'POST', '/connection-permissions', {
      body: { action: 'use', connectionId: connection.id, groupId: fixture.readers.id },
    });
    const start = <Result>(status: number, datasetId: string, info: object): Promise<Result> =>
      fixture.call<Result>(status, 'POST', '/ingest?isAsync=true', {
        token: starter.token,
        body: {
          datasetId,
          dataSourceParams: { type: 'KAFKA', connectionId: connection.id, connectionInfo: info },
          securityLabeled: true,
          securityLabelInfo: labelField,
        },
      });
    const datasetId = await fixture.dataset();
    const wanted = { topics: ['open'], format: 'json', until: 'end' };
    for (const [info, message] of [
      [{ ...wanted, topics: ['closed'] }, /topics must be topics that the connection allows, got .*"closed"/],
      [{ ...wanted, topics: ['open', 'closed'] }, /topics must be topics that the connection allows/],
      [{ ...wanted, bootstrapServers: '127.0.0.1:1' }, /bootstrapServers must not be sent with connectionId/],
      [{ ...wanted, sasl: { mechanism: 'PLAIN' } }, /sasl must not be sent with connectionId/],
      [{ ...wanted, format: 'avro' }, /registry must be sent with the format avro/],
    ] as const)
      assert.match((await start<{ message: string }>(400, datasetId, info)).message, message);
    const { id } = await start<Job>(202, datasetId, wanted);
    const job = await ended(id);
    assert.equal(outcomeOf(job), completed);
    assert.equal(job.recordCount, null);
    const receipt = await source.receiptOf(job);
    assert.deepEqual(
      [receipt.files, receipt.received, receipt.written, receipt.rejected],
      [[], null, 0, null],
    );
    const segments = await fixture.call<{ data: unknown[] }>(200, 'GET', `/segments?datasetId=${datasetId}`, {
      token: starter.token,
    });
    assert.deepEqual(segments.data, []);
    const listed = await fixture.call<{ data: Upload[] }>(200, 'GET', `/uploads?datasetId=${datasetId}`, {
      token: starter.token,
    });
    assert.deepEqual(
      listed.data.map(({ files, fileCount }) => [files, fileCount]),
      [[[], 0]],
    );
    const reader = await fixture.newReader('A', 'M');
    assert.deepEqual(
      (await uploads.records(datasetId, reader.token)).map(({ n }) => n),
      [1],
    );
  });
});

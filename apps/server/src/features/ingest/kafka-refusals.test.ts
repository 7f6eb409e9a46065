/* Shows: L30 */
import type { Job } from '@redoubt/contract';
import { startServer, type TestServer } from '@redoubt/server/testing';
import {
  createRecordFixture,
  createSourceFixture,
  type RecordFixture,
  type SourceFixture,
} from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

const infoOf = (more: object = {}): object => ({
  bootstrapServers: '127.0.0.1:1',
  topics: ['t'],
  format: 'json',
  tls: false,
  until: 'end',
  ...more,
});

describe('requests for topics that are refused', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  let source: SourceFixture;

  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
    const { token } = await fixture.newReader('A');
    source = createSourceFixture(fixture, server.jobsSettled, 'KAFKA', token);
  });
  after(() => server.close());

  test('connection information of topics that cannot be right is 400 and names its field', async () => {
    const datasetId = await fixture.dataset();
    const registryInfo = { url: 'http://127.0.0.1:8081' };
    const wrong: [field: string, info: object][] = [
      ['bootstrapServers', { bootstrapServers: 'kafka' }],
      ['bootstrapServers', { bootstrapServers: 'kafka:0' }],
      ['bootstrapServers', { bootstrapServers: [] }],
      ['topics', { topics: [] }],
      ['topics', { topics: ['a b'] }],
      ['topics', { topics: ['a', 'a'] }],
      ['format', { format: 'xml' }],
      ['registry', { format: 'avro' }],
      ['registry', { registry: registryInfo }],
      ['registry', { format: 'avro', registry: { ...registryInfo, username: 'u' } }],
      ['sasl', { sasl: { mechanism: 'PLAIN' } }],
      ['from', { from: 'yesterday' }],
      ['until', { until: 'tomorrow' }],
      ['tls', { tls: 'yes' }],
      ['more', { more: 1 }],
    ];
    for (const [field, info] of wrong) {
      const { errors } = await source.send<{ errors: unknown }>(datasetId, infoOf(info), {}, 400);
      assert.match(JSON.stringify(errors), new RegExp(`\\b${field}\\b`), field);
    }
    for (const more of [
      { writeMode: 'replace' },
      { processAsDocument: true },
      { fileOptions: { format: 'messages' } },
      { fileOptions: { encoding: 'utf-8' } },
    ])
      await source.send(datasetId, infoOf(), more, 400);
    const gssapi = { mechanism: 'GSSAPI', username: 'u', password: 'p' };
    await source.send(datasetId, infoOf({ sasl: gssapi }), {}, 501);
  });

  test('no request can name the format in which messages are kept', async () => {
    const datasetId = await fixture.dataset();
    const { message } = await fixture.call<{ message: string }>(400, 'POST', '/ingest', {
      body: {
        datasetId,
        dataSourceParams: { type: 'URL', connectionInfo: { urls: [{ url: 'http://127.0.0.1:1/a' }] } },
        fileOptions: { format: 'messages' },
      },
    });
    assert.match(message, /^fileOptions\.format must be one of csv, .*got the string "messages"/);
  });

  test('a schedule takes only topics with an end', async () => {
    const datasetId = await fixture.dataset();
    const schedule = (status: number, until: string | undefined): Promise<{ message: string }> =>
      fixture.call(status, 'POST', '/schedules', {
        body: {
          datasetId,
          name: 'Nightly',
          cron: '0 3 * * *',
          timeZone: 'UTC',
          request: { dataSourceParams: { type: 'KAFKA', connectionInfo: infoOf({ until }) } },
        },
      });
    assert.match(
      (await schedule(400, undefined)).message,
      /connectionInfo\.until must be "end" in a schedule/,
    );
    await schedule(201, 'end');
  });
});

test('a server that may not call private addresses reads no topics there', async () => {
  const server = await startServer({ allowsPrivateSources: false });
  try {
    const fixture = await createRecordFixture(server);
    const datasetId = await fixture.dataset();
    const start = <Result = Job>(status: number, connectionInfo: object): Promise<Result> =>
      fixture.call<Result>(status, 'POST', '/ingest?isAsync=true', {
        body: { datasetId, dataSourceParams: { type: 'KAFKA', connectionInfo } },
      });
    for (const host of ['127.0.0.1', '[::1]', 'localhost', '10.0.0.1', '169.254.169.254', '0.0.0.0'])
      await start(400, infoOf({ bootstrapServers: `${host}:9092` }));
    const bootstrapServers = 'kafka.example.org:9092';
    for (const url of ['http://127.0.0.1:8081', 'https://10.0.0.1', 'https://localhost']) {
      const { message } = await start<{ message: string }>(
        400,
        infoOf({ bootstrapServers, format: 'avro', registry: { url } }),
      );
      assert.match(message, /registry\.url/);
    }
    const { id } = await start(202, infoOf({ bootstrapServers: 'localhost.localdomain:9092' }));
    await server.jobsSettled();
    const { error } = await fixture.call<Job>(200, 'GET', `/jobs/${id}`);
    assert.match(
      error?.message ?? '',
      /localhost\.localdomain:9092: .*has addresses that this server may not call/,
    );
  } finally {
    await server.close();
  }
});

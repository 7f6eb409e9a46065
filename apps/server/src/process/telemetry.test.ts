/* Shows: A-metrics, A-traces, A-memory-figures */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { migrateDataFolder, startServerProcess, type ServerProcess } from '@redoubt/server/testing';
import { createRecordFixture, labelField } from '@redoubt/testkit';
import { ConfigError, readConfig } from '../platform/config/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'redoubt-telemetry-'));
const word = `SECRET${randomBytes(6).toString('hex').toUpperCase()}`;
const token = randomUUID();
let traces = '';
const collector = createServer((request, response) => {
  request.setEncoding('utf8').on('data', (text: string) => (traces += text));
  request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
});
let server: ServerProcess | undefined;
let metricsUrl: string;
let ids: string[];

const fetchMetrics = async (sent: string | undefined): Promise<Response> =>
  fetch(metricsUrl, { headers: sent === undefined ? {} : { authorization: `Bearer ${sent}` } });

before(async () => {
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const started = await startServerProcess({
    dataDir: await migrateDataFolder(folder),
    environment: {
      METRICS_PORT: '0',
      METRICS_TOKEN: token,
      MEMORY_LIMIT: '1500000000',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    },
  });
  server = started;
  metricsUrl = /http:\S+\/metrics/.exec(started.output())?.[0] ?? '';
  const fixture = await createRecordFixture(started);
  const id = await fixture.dataset();
  const reader = await fixture.newReader(word);
  await fixture.write(id, [{ label: word, [word]: word }], { labelInfo: labelField });
  const search = { datasetId: id, expression: `${word}:${word}` };
  assert.match(
    (await fixture.post('/query/lucene', JSON.stringify(search), { token: reader.token })).text,
    /"total":1/,
  );
  await fixture.post('/query/lucene', JSON.stringify({ ...search, expression: `${word}:(` }));
  await fetch(`${started.url}/${word}?${word}=${word}`, { headers: { [word]: word } });
  await fetch(`${started.url}/datasets`, { method: 'PROPFIND' });
  ids = [word, id, reader.id, reader.email, reader.token, fixture.admin, fixture.workspace.id];
});
after(async () => {
  await server?.kill();
  collector.closeAllConnections();
  collector.close();
  rmSync(folder, { recursive: true, force: true });
});

test('metrics need the token, and contain nothing that people sent or stored', async () => {
  assert.equal((await fetchMetrics(undefined)).status, 401);
  assert.equal((await fetchMetrics(`${token}x`)).status, 401);
  const response = await fetchMetrics(token);
  const text = await response.text();
  assert.equal(response.status, 200);
  assert.match(
    text,
    /redoubt_http_answer_seconds_count\{method="POST",route="\/query\/lucene",status="200"\} 1/,
  );
  assert.match(text, /redoubt_http_answer_seconds_count\{method="GET",route="site",status="404"\} 1/);
  assert.match(text, /redoubt_http_answer_seconds_count\{method="other",route="unknown",status="404"\} 1/);
  assert.match(text, /redoubt_engine_statement_seconds_count\{lane="write",kind="insert"\} [1-9]/);
  assert.match(text, /redoubt_engine_wait_seconds_count\{lane="short"\} \d+/);
  assert.match(text, /process_cpu_seconds_total/);
  assert.match(text, /redoubt_engine_memory_bytes\{kind="limit"\} 1500000000\n/);
  assert.match(text, /redoubt_engine_memory_bytes\{kind="used"\} [1-9]\d{6,}\n/);
  assert.match(text, /redoubt_process_memory_bytes\{kind="resident"\} [1-9]\d{7,}\n/);
  assert.match(text, /redoubt_process_memory_bytes\{kind="anonymous"\} [1-9]\d{7,}\n/);
  for (const id of ids) assert.ok(!text.includes(id), `the metrics contain ${id}`);
});

test('the API itself serves no metrics', async () => {
  assert.equal(
    (await fetch(`${server?.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).status,
    404,
  );
});

test('traces show requests with their statements, and contain nothing that people sent or stored', async () => {
  await server?.stop();
  interface Sent {
    name: string;
    spanId: string;
    parentSpanId?: string;
  }
  assert.match(traces, /"http.route"/);
  for (const id of ids) assert.ok(!traces.includes(id), `the traces contain ${id}`);
  assert.doesNotMatch(traces, /SELECT|INSERT|127\.0\.0\.1/);
  const spans = [
    ...traces.matchAll(
      /"spanId":"(?<spanId>\w+)"(?:,"parentSpanId":"(?<parentSpanId>\w+)")?[^[]*?"name":"(?<name>[^"]+)"/g,
    ),
  ];
  const all = spans.map(({ groups }) => groups as unknown as Sent);
  const request = all.find(({ name }) => name === '/query/lucene');
  assert.ok(
    all.some(({ name, parentSpanId }) => name.startsWith('engine') && parentSpanId === request?.spanId),
  );
});

test('metrics on other addresses than loopback need a token', () => {
  assert.throws(() => readConfig({ METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' }), ConfigError);
  assert.equal(
    readConfig({ METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0', METRICS_TOKEN: token }).METRICS_PORT,
    9464,
  );
  assert.throws(
    () => readConfig({ METRICS_TOKEN: 'short' }),
    /at least 16 characters long, got 5 characters/,
  );
});

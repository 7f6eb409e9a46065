import type { Job, Segment, UploadResult } from '@redoubt/contract';
import {
  makeHostileFile,
  makeTar,
  makeZip,
  mutateFile,
  writeColumnarFiles,
  type HostileFile,
} from '@redoubt/file-formats/testing';
import { startServer, type TestServer } from '@redoubt/server/testing';
import {
  createRandom,
  createRecordFixture,
  multipartBody,
  readTestEffort,
  type MultipartPart,
  type RecordFixture,
  type TestPerson,
} from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';

const fileCount = readTestEffort('REDOUBT_HOSTILE_FILES', 50);
const filesOfUpload = 10;
/** Maximum memory of a parser process in bytes, including its code and libraries. */
const maxResidentBytes = 1_400_000_000;
const watchMs = 50;

interface SampleFile {
  name: string;
  content: Uint8Array;
}

const table = 'id,name,label\n1,"one, two",A\n2,é,B\n00501,,\n';
const records = '[{"id":1,"tags":["a",{"b":null}]},{"id":2.50,"name":"é\\n"}]';
const feature = '{"type":"Feature","geometry":{"type":"Point","coordinates":[1.5,2]},"properties":{"id":1}}';

const text = (name: string, content: string): SampleFile => ({ name, content: Buffer.from(content) });

/** One file of each text format, and of each archive and compression. */
const makeTextFiles = async (): Promise<SampleFile[]> => {
  const inside = [
    { path: 'a/rows.csv', content: table },
    { path: 'b.json', content: records },
  ];
  return [
    text('rows.csv', table),
    text('rows.tsv', table.replaceAll(',', '\t')),
    text('rows.json', records),
    text('rows.ndjson', '{"id":1}\n{"id":23456789012345678901234567890}\n{"id":[[]]}\n'),
    text('rows.geojson', `{"type":"FeatureCollection","features":[${feature},${feature}]}`),
    text('rows.xml', '<rows><row id="1"><name>é</name></row><row id="2"><name>b</name><name/></row></rows>'),
    text('rows.yaml', '- id: 1\n  name: &n é\n- id: 0x1f\n  name: *n\n'),
    { name: 'rows.csv.gz', content: gzipSync(table) },
    { name: 'rows.csv.zst', content: zstdCompressSync(table) },
    { name: 'rows.zip', content: await makeZip(inside) },
    { name: 'rows.tar', content: await makeTar(inside) },
  ];
};

/** The memory of the largest parser process of this server, in bytes. */
const largestParser = (): number => {
  let largest = 0;
  for (const entry of readdirSync('/proc')) {
    if (!/^[0-9]+$/.test(entry)) continue;
    try {
      const status = readFileSync(`/proc/${entry}/status`, 'utf8');
      if (Number(/^PPid:\s+([0-9]+)/m.exec(status)?.[1]) !== process.pid) continue;
      const resident = Number(/^VmRSS:\s+([0-9]+) kB/m.exec(status)?.[1] ?? 0) * 1024;
      if (readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes('parser-worker')) {
        largest = Math.max(largest, resident);
      }
    } catch {
      // The process has ended meanwhile.
    }
  }
  return largest;
};

const folder = mkdtempSync(join(tmpdir(), 'hostile-files-'));
const { missing: skip, paths } = await writeColumnarFiles(folder, 20);

describe('hostile files', { skip }, () => {
  let server: TestServer;
  let fixture: RecordFixture;
  /** A member who holds the attribute A. */
  let uploader: TestPerson;
  /** A member who does not hold A. */
  let other: TestPerson;

  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
    uploader = await fixture.newReader('A');
    other = await fixture.newReader('B');
  });
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  const label: MultipartPart = {
    name: 'accessControlLabel',
    content: JSON.stringify({
      securityLabeled: true,
      securityLabelInfo: {
        parserClassName: 'apply-label-to-all-records-parser',
        label: 'A',
        labelHandlingPolicy: 'ignore',
      },
    }),
  };

  const countOf = async (datasetId: string, { token }: TestPerson): Promise<number> => {
    const body = JSON.stringify({ expression: `SELECT count(*) AS n FROM "${datasetId}"` });
    const response = await fixture.post('/query', body, { token });
    assert.equal(response.status, 200, response.text);
    return Number((JSON.parse(response.text) as { records: { n: number }[] }).records[0]?.n);
  };

  const uploadAndCheck = async (files: readonly HostileFile[]): Promise<void> => {
    const description = files.map(({ name, mutation }) => `${name} ${mutation}`).join(', ');
    const datasetId = await fixture.dataset();
    const parts = files.map(({ name, content }) => ({ name: 'files', fileName: name, content }));
    const { body, headers } = multipartBody([{ name: 'datasetId', content: datasetId }, label, ...parts]);
    const response = await fixture.post('/uploads', body, { token: uploader.token, headers });
    assert.equal(response.status, 201, `${description}: ${response.text}`);
    const { jobId } = JSON.parse(response.text) as UploadResult;
    await server.jobsSettled();
    const token = uploader.token;
    const job = await fixture.call<Job>(200, 'GET', `/jobs/${jobId}`, { token });
    assert.ok(['completed', 'failed'].includes(job.status), `${description}: ${job.status}`);
    const path = `/segments?datasetId=${datasetId}&jobId=${jobId}&$limit=-1`;
    const { data } = await fixture.call<{ data: Segment[] }>(200, 'GET', path, {
      token,
    });
    assert.equal(data.length, files.length);
    for (const { status, error } of data) {
      if (status === 'completed') continue;
      assert.equal(status, 'failed', description);
      const message = error?.message ?? '';
      assert.ok(
        files.some(({ name }) => message.startsWith(`${name}: `) || message.startsWith(`${name}, line `)),
        `${description}: ${message}`,
      );
    }
    // A job whose files all failed counted nothing.
    assert.equal(await countOf(datasetId, uploader), job.recordCount ?? 0, description);
    assert.equal(await countOf(datasetId, other), 0, description);
  };

  test(`${String(fileCount)} of them get responses, stay within the limits of their processes and get no wider label`, async () => {
    const samples = [
      ...(await makeTextFiles()),
      ...paths.map((path) => ({ name: basename(path), content: readFileSync(path) })),
    ];
    let largest = 0;
    const watch = setInterval(() => (largest = Math.max(largest, largestParser())), watchMs);
    try {
      const random = createRandom(1);
      let batch: HostileFile[] = [];
      for (let index = 0; index < fileCount; index++) {
        const sample = samples[index % samples.length];
        const isWhole = index % 7 === 6 || sample === undefined;
        const file = isWhole
          ? await makeHostileFile((index - 6) / 7)
          : mutateFile(sample.name, sample.content, random.int);
        batch.push({ ...file, name: `${String(index)}-${file.name}` });
        if (batch.length < filesOfUpload && index + 1 < fileCount) continue;
        await uploadAndCheck(batch);
        batch = [];
      }
    } finally {
      clearInterval(watch);
    }
    assert.ok(largest > 0, 'no parser process was seen');
    assert.ok(largest <= maxResidentBytes, `a parser process had ${String(largest)} bytes`);
  });
});

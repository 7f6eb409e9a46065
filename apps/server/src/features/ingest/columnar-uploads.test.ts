/* Shows: A-columnar-files */
import type { Job, RejectedRow, Segment, UploadPreview, UploadResult } from '@redoubt/contract';
import { writeColumnarFiles } from '@redoubt/file-formats/testing';
import { startServer, type TestServer } from '@redoubt/server/testing';
import {
  createRecordFixture,
  labelField,
  multipartBody,
  type MultipartPart,
  type RecordFixture,
} from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';

const folder = mkdtempSync(join(tmpdir(), 'columnar-uploads-'));
const { missing: skip } = await writeColumnarFiles(folder, 60);

const read = (name: string): Buffer => readFileSync(join(folder, name));
const rowsOfFile = (name: string): number => read(`${name}.ndjson`).toString().split('\n').length - 1;

const file = (fileName: string, content: Uint8Array): MultipartPart => ({ name: 'files', fileName, content });

describe('uploads of columnar files', { skip }, () => {
  let server: TestServer;
  let fixture: RecordFixture;

  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
  });
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  const upload = async (parts: readonly MultipartPart[]): Promise<{ datasetId: string; job: Job }> => {
    const datasetId = await fixture.dataset();
    const { body, headers } = multipartBody([{ name: 'datasetId', content: datasetId }, ...parts]);
    const response = await fixture.post('/uploads', body, { headers });
    assert.equal(response.status, 201, response.text);
    const { jobId } = JSON.parse(response.text) as UploadResult;
    await server.jobsSettled();
    return { datasetId, job: await fixture.call<Job>(200, 'GET', `/jobs/${jobId}`) };
  };
  const segmentErrors = async (datasetId: string, jobId: string): Promise<(string | null)[]> => {
    const path = `/segments?datasetId=${datasetId}&jobId=${jobId}&$limit=-1`;
    const { data } = await fixture.call<{ data: Segment[] }>(200, 'GET', path);
    return data.map(({ error }) => error?.message ?? null);
  };
  const recordsOf = async (datasetId: string): Promise<string> => {
    const body = JSON.stringify({ datasetId, batchSize: -1 });
    return (await fixture.post('/readInSequence', body)).text;
  };

  const names = ['snappy.parquet', 'lz4.feather', 'stream.arrow', 'zlib.orc', 'deflate.avro'];

  test('each row of a file becomes a record with the digits of the file', async () => {
    for (const name of names) {
      const { datasetId, job } = await upload([file(name, read(name))]);
      assert.deepEqual([job.status, job.error, job.recordCount], ['completed', null, rowsOfFile(name)], name);
      const records = await recordsOf(datasetId);
      assert.match(records, /[0-9]{18}/, name);
      for (const digits of read(`${name}.ndjson`)
        .toString()
        .match(/(?<=:-?)[0-9]{25,}\.[0-9]+/g) ?? [])
        assert.ok(records.includes(digits), `${name}: ${digits}`);
    }
  });

  test('a compressed file is read like any other', async () => {
    const { job } = await upload([file('rows.parquet.gz', gzipSync(read('zstd.parquet')))]);
    assert.deepEqual([job.status, job.recordCount], ['completed', rowsOfFile('zstd.parquet')]);
  });

  test('a preview shows columns with their types and the first 50 rows', async () => {
    for (const name of names) {
      const { body, headers } = multipartBody([file(name, read(name))]);
      const response = await fixture.post('/uploads/preview', body, { headers });
      assert.equal(response.status, 200, response.text);
      const { columns, rows, error } = JSON.parse(response.text) as UploadPreview;
      assert.deepEqual([rows.length, error], [50, null], name);
      const types = new Map(columns?.map((column) => [column.name, column.type]));
      const [integer, decimal, nested] = name.endsWith('.avro')
        ? ['long', 'decimal', 'tree']
        : ['i64', 'dec', 'struct'];
      assert.deepEqual(
        [types.get(integer ?? ''), types.get(decimal ?? ''), types.get(nested ?? '')],
        ['integer', 'number', 'json'],
        name,
      );
    }
  });

  test('a damaged file fails its segment with an error that names it; the other files are stored', async () => {
    const damaged = read('pages.parquet').fill(0xff, 100, 400);
    const { datasetId, job } = await upload([
      file('damaged.parquet', damaged),
      file('cut.avro', read('null.avro').subarray(0, -500)),
      file('good.arrow', read('lz4.feather')),
    ]);
    assert.equal(job.status, 'failed');
    const errors = (await segmentErrors(datasetId, job.id)).map((error) => error ?? 'none').toSorted();
    assert.equal(errors.length, 3);
    assert.match(errors[0] ?? '', /^cut\.avro: the avro file is damaged or cut off/);
    assert.match(errors[1] ?? '', /^damaged\.parquet: the parquet file is damaged or cut off/);
    assert.equal(errors[2], 'none');
  });

  test('NUL in a name of a hostile file fails its segment like any other error', async () => {
    const schema = JSON.stringify({ type: 'record', name: 'r', fields: [{ name: 'a', type: 'no\0type' }] });
    const long = Buffer.from([((schema.length * 2) & 0x7f) | 0x80, (schema.length * 2) >> 7]);
    const hostile = Buffer.concat([
      Buffer.from('Obj\u0001\u0002'),
      Buffer.from([22]),
      Buffer.from('avro.schema'),
      long,
      Buffer.from(schema),
      Buffer.alloc(17),
    ]);
    const { datasetId, job } = await upload([file('nul.avro', hostile)]);
    assert.equal(job.error?.name, 'FileParseError');
    assert.match((await segmentErrors(datasetId, job.id))[0] ?? '', /there is no type no\uFFFDtype/);
  });

  test('a file without the column of labels is refused whole', async () => {
    const label = {
      name: 'accessControlLabel',
      content: JSON.stringify({ securityLabeled: true, securityLabelInfo: labelField }),
    };
    for (const name of names) {
      const { datasetId, job } = await upload([file(name, read(name)), label]);
      assert.equal(job.status, 'failed');
      const [error] = await segmentErrors(datasetId, job.id);
      assert.match(error ?? '', /it has no column "label"/, name);
      assert.match(await recordsOf(datasetId), /"records":\[\]/);
    }
  });

  test('values that are not valid labels reject their rows', async () => {
    const info = { ...labelField, fields: ['s'], labelHandlingPolicy: 'ignore' };
    const label = {
      name: 'accessControlLabel',
      content: JSON.stringify({ securityLabeled: true, securityLabelInfo: info }),
    };
    const { datasetId, job } = await upload([file('a.parquet', read('snappy.parquet')), label]);
    const path = `/rejected-rows?datasetId=${datasetId}&jobId=${job.id}&$limit=-1`;
    const { data } = await fixture.call<{ data: RejectedRow[] }>(200, 'GET', path);
    assert.ok(data.length > 0);
    assert.ok(data.every(({ reason }) => reason.startsWith('s must be')));
    assert.equal((job.recordCount ?? 0) + data.length, rowsOfFile('snappy.parquet'));
  });
});

/* Shows: F-POST-/uploads-files, F-POST-/uploads-datasetId, F-POST-/uploads-accessControlLabel,
   F-POST-/uploads-customMetadata, F-POST-/uploads-processAsDocument, D-uploads-answer, E-Segment-uploadId,
   X-FileParseError, R-required-upload, V-jobType-ingest, W-uploads-order, W-uploads-label,
   W-uploads-metadata, A-ingest-file-fails, A-ingest-retry, A-ingest-no-replace, A-ingest-attributes,
   A-ingest-files-go */
import type { Job, JobReceipt, RejectedRow, Segment, UploadResult } from '@redoubt/contract';
import {
  createRecordFixture,
  labelField,
  multipartBody,
  type MultipartPart,
  type RecordFixture,
  type TestPerson,
} from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';

interface Page<T> {
  total: number;
  data: T[];
}

const labelled = (info: object = labelField): MultipartPart => ({
  name: 'accessControlLabel',
  content: JSON.stringify({ securityLabeled: true, securityLabelInfo: info }),
});

const file = (content: string | Uint8Array, fileName = 'rows.csv'): MultipartPart => ({
  name: 'files',
  fileName,
  content,
});

const to = (id: string): MultipartPart => ({ name: 'datasetId', content: id });

const text = (name: string, content: string): MultipartPart => ({ name, content });

describe('uploads', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  /** A member who holds the attribute A. */
  let uploader: TestPerson;
  /** A member who holds the attribute B. */
  let other: TestPerson;

  before(async () => {
    server = await startServer({ ingestLimits: { blockRows: 3, maxAttributes: 5 } });
    fixture = await createRecordFixture(server);
    uploader = await fixture.newReader('A');
    other = await fixture.newReader('B');
  });
  after(() => server.close());

  const post = (parts: readonly MultipartPart[], token = uploader.token) => {
    const { body, headers } = multipartBody(parts);
    return fixture.post('/uploads', body, { token, headers });
  };
  const upload = async (parts: readonly MultipartPart[], token = uploader.token): Promise<UploadResult> => {
    const response = await post(parts, token);
    assert.equal(response.status, 201, response.text);
    return JSON.parse(response.text) as UploadResult;
  };
  const jobOf = (id: string, token = uploader.token): Promise<Job> =>
    fixture.call<Job>(200, 'GET', `/jobs/${id}`, { token });
  const receiptOf = (id: string, token = uploader.token): Promise<JobReceipt> =>
    fixture.call<JobReceipt>(200, 'GET', `/jobs/${id}/receipt`, { token });
  const rejectsOf = async (
    datasetId: string,
    jobId: string,
    token = uploader.token,
  ): Promise<RejectedRow[]> => {
    const path = `/rejected-rows?datasetId=${datasetId}&jobId=${jobId}&$limit=-1`;
    return (await fixture.call<Page<RejectedRow>>(200, 'GET', path, { token })).data;
  };
  const segmentsOf = async (datasetId: string, jobId: string, token = uploader.token): Promise<Segment[]> =>
    (
      await fixture.call<Page<Segment>>(
        200,
        'GET',
        `/segments?datasetId=${datasetId}&jobId=${jobId}&$limit=-1`,
        {
          token,
        },
      )
    ).data;
  const rowsOf = async (datasetId: string, token = uploader.token): Promise<Record<string, unknown>[]> => {
    const body = JSON.stringify({ datasetId, batchSize: -1 });
    const response = await fixture.post('/readInSequence', body, { token });
    return (JSON.parse(response.text) as { records: Record<string, unknown>[] }).records;
  };
  /** Records that are written together have no fixed order. */
  const numbersOf = async (datasetId: string, token = uploader.token): Promise<number[]> =>
    (await rowsOf(datasetId, token)).map(({ n }) => Number(n)).toSorted((a, b) => a - b);
  const spooled = async (): Promise<string[]> => {
    const entries = await readdir(server.filesFolder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  };

  test('a CSV is stored row by row under the label of each, and two people see different rows and receipts', async () => {
    const id = await fixture.dataset();
    const content = 'n,label\n1,\n2,A\n3,B\n4,A&B\n5,A|B\n';
    const made = await upload([to(id), file(content), labelled()]);
    assert.deepEqual(
      made.files.map(({ name, size }) => [name, size]),
      [['rows.csv', content.length]],
    );
    await server.jobsSettled();
    const job = await jobOf(made.jobId);
    assert.deepEqual(
      [job.type, job.status, job.error, job.recordCount, job.progress],
      ['ingest', 'completed', null, 5, 100],
    );
    const seen = (token: string): Promise<number[]> => numbersOf(id, token);
    assert.deepEqual(
      [await seen(uploader.token), await seen(other.token)],
      [
        [1, 2, 5],
        [1, 3, 5],
      ],
    );
    const whole = await receiptOf(made.jobId);
    assert.deepEqual(whole.files, [
      {
        id: made.files[0]?.id,
        name: 'rows.csv',
        status: 'completed',
        error: null,
        size: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
        received: 5,
        written: 5,
        rejected: 0,
        dropped: 0,
        duplicate: 0,
        replayed: 0,
        replaced: 0,
        isUnchanged: false,
        containers: [],
      },
    ]);
    const partial = await receiptOf(made.jobId, other.token);
    assert.deepEqual(
      [
        partial.written,
        partial.received,
        partial.uploadId,
        partial.files.map(({ name, written, sha256, size }) => [name, written, sha256, size]),
      ],
      [3, null, null, [['rows.csv', 3, null, null]]],
    );
  });

  test('parts that come after the file count, and nothing of it is stored without them', async () => {
    const id = await fixture.dataset();
    const info = { parserClassName: 'apply-label-to-all-records-parser', label: 'A' };
    await upload([
      to(id),
      file('n\n1\n'),
      labelled(info),
      { name: 'customMetadata', content: '{"from":"x"}' },
    ]);
    await server.jobsSettled();
    assert.deepEqual([(await rowsOf(id)).length, (await rowsOf(id, other.token)).length], [1, 0]);
  });

  test('a request that is cut stores nothing and leaves nothing behind', async () => {
    const id = await fixture.dataset();
    const before = await spooled();
    const { body, headers } = multipartBody([to(id), file('n\n1\n'.repeat(50_000)), labelled()]);
    const { port } = new URL(server.url);
    for (const sent of [body.length - 3, body.length - 200, 60_000]) {
      const socket = connect(Number(port), '127.0.0.1');
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.write(
        `POST /uploads HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${uploader.token}\r\ncontent-type: ${headers['content-type']}\r\ncontent-length: ${String(body.length)}\r\n\r\n`,
      );
      await new Promise((resolve) => socket.write(body.subarray(0, sent), resolve));
      while (!(await server.db.selectFrom('object_drops').select('object_name').executeTakeFirst()))
        await new Promise((resolve) => setTimeout(resolve, 5));
      socket.destroy();
      await closed;
      while (await server.db.selectFrom('object_drops').select('object_name').executeTakeFirst())
        await new Promise((resolve) => setTimeout(resolve, 5));
      assert.deepEqual(await spooled(), before);
    }
    assert.equal(
      (await fixture.call<Page<Job>>(200, 'GET', `/jobs?datasetId=${id}`, { token: uploader.token })).total,
      0,
    );
    assert.deepEqual(await rowsOf(id), []);
  });

  test('a body that ends before its last boundary is 400 and stores nothing', async () => {
    const id = await fixture.dataset();
    const { body, headers } = multipartBody([to(id), file('n\n1\n')]);
    const response = await fixture.post('/uploads', body.subarray(0, body.length - 10), {
      token: uploader.token,
      headers,
    });
    assert.equal(response.status, 400, response.text);
    assert.deepEqual(await rowsOf(id), []);
  });

  test('parts that are unknown, repeated, of the wrong kind or say two things are 400, and nothing is left of the file', async () => {
    const id = await fixture.dataset();
    const info = { ...labelField };
    const good = file('n\n1\n');
    const before = await spooled();
    const cases: [string, number, MultipartPart[]][] = [
      ['no files', 400, [to(id)]],
      ['no dataset', 400, [good]],
      ['unknown part', 400, [to(id), good, text('workspace', 'x')]],
      ['unknown file', 400, [to(id), { ...good, name: 'file' }]],
      ['repeated text', 400, [to(id), to(id), good]],
      ['files as text', 400, [to(id), text('files', 'n')]],
      ['text as file', 400, [{ ...to(id), fileName: 'id.txt' }, good]],
      ['label as file', 400, [to(id), good, { ...labelled(), fileName: 'label.json' }]],
      ['typed as JSON', 400, [to(id), good, { ...labelled(), contentType: 'application/json' }]],
      [
        'a file without a name',
        400,
        [to(id), { ...good, fileName: '', contentType: 'application/octet-stream' }],
      ],
      ['label of no JSON', 400, [to(id), good, text('accessControlLabel', 'A')]],
      ['label of a list', 400, [to(id), good, text('accessControlLabel', '[]')]],
      ['empty label', 400, [to(id), good, text('accessControlLabel', '')]],
      [
        'unknown key',
        400,
        [to(id), good, text('accessControlLabel', '{"securityLabeled":false,"label":"A"}')],
      ],
      [
        'key twice',
        400,
        [to(id), good, text('accessControlLabel', '{"securityLabeled":true,"securityLabeled":false}')],
      ],
      [
        'true without information',
        400,
        [to(id), good, text('accessControlLabel', '{"securityLabeled":true}')],
      ],
      [
        'information beside false',
        400,
        [
          to(id),
          good,
          text('accessControlLabel', JSON.stringify({ securityLabeled: false, securityLabelInfo: info })),
        ],
      ],
      [
        'information alone',
        400,
        [to(id), good, text('accessControlLabel', JSON.stringify({ securityLabelInfo: info }))],
      ],
      ['unknown parser', 400, [to(id), good, labelled({ ...info, parserClassName: 'other' })]],
      [
        'replace without replacement',
        400,
        [to(id), good, labelled({ ...info, labelHandlingPolicy: 'replace' })],
      ],
      ['metadata of no object', 400, [to(id), good, text('customMetadata', '7')]],
      ['unclear flag', 400, [to(id), good, text('processAsDocument', 'yes')]],
      ['text too long', 413, [to(id), good, text('customMetadata', `{"a":"${'x'.repeat(1_100_000)}"}`)]],
      ['too many files', 413, [to(id), ...Array.from({ length: 101 }, () => good)]],
      ['another dataset', 404, [to('00000000-0000-4000-8000-000000000000'), good]],
      ['another dataset, said last', 400, [good, to('00000000-0000-4000-8000-000000000000')]],
    ];
    for (const [name, status, parts] of cases) {
      const response = await post(parts);
      assert.equal(response.status, status, `${name}: ${response.text}`);
      assert.deepEqual(await spooled(), before, name);
    }
    const gzip = multipartBody([to(id), good]);
    const packed = await fixture.post('/uploads', gzip.body, {
      token: uploader.token,
      headers: { ...gzip.headers, 'content-encoding': 'gzip' },
    });
    assert.equal(packed.status, 400, packed.text);
    await fixture.call(400, 'POST', '/uploads', { token: uploader.token, body: {} });
    await server.jobsSettled();
    assert.deepEqual(await rowsOf(id), []);
  });

  test('a file that cannot be read fails its segment with its name and line; the good files of the upload are stored', async () => {
    const id = await fixture.dataset();
    const made = await upload([
      to(id),
      file('[{"n":1},\n{"n":2},\n{"n":', 'cut.json'),
      file('n\n3\n4\n', 'good.csv'),
    ]);
    await server.jobsSettled();
    const job = await jobOf(made.jobId);
    assert.equal(job.status, 'failed');
    assert.match(job.error?.message ?? '', /^1 of 2 files could not be read to their end.*cut\.json, line 3/);
    const segments = await segmentsOf(id, made.jobId);
    assert.deepEqual(
      new Set(
        segments.map(
          ({ config, status, recordCount }) => `${String(config?.['name'])} ${status} ${recordCount}`,
        ),
      ),
      new Set(['cut.json failed 2', 'good.csv completed 2']),
    );
    assert.match(String(segments[0]?.processedBy), /^[0-9a-f-]{36}$/);
    assert.equal(segments[0]?.uploadId, made.uploadId);
    assert.deepEqual(await numbersOf(id), [1, 2, 3, 4]);
    const { files } = await receiptOf(made.jobId);
    assert.deepEqual(
      files.map(({ received, written, status }) => [received, written, status]),
      [
        [2, 2, 'failed'],
        [2, 2, 'completed'],
      ],
    );
  });

  test('a retried job stores missing rows once and counts rows that it stored before as duplicates', async () => {
    const id = await fixture.dataset();
    const made = await upload([to(id), file('[{"n":1},{"n":2},\n{"n":', 'cut.json')]);
    await server.jobsSettled();
    await fixture.call(200, 'PATCH', `/jobs/${made.jobId}`, {
      token: uploader.token,
      body: { status: 'queued' },
    });
    await server.jobsSettled();
    const receipt = await receiptOf(made.jobId);
    assert.deepEqual([receipt.received, receipt.written, receipt.duplicate], [2, 0, 2]);
    assert.equal((await rowsOf(id)).length, 2);
  });

  test('rejected rows are listed with line, reason and text for the uploader only, and the sums of the receipt add up', async () => {
    const id = await fixture.dataset();
    const made = await upload([to(id), file('n,label\n1,A\n2,A&\n3,A,too many\n4,B\n5,\n'), labelled()]);
    await server.jobsSettled();
    assert.equal((await jobOf(made.jobId)).status, 'completed');
    const receipt = await receiptOf(made.jobId);
    assert.deepEqual(
      [receipt.received, receipt.written, receipt.rejected, receipt.dropped, receipt.duplicate],
      [5, 3, 2, 0, 0],
    );
    const rejects = await rejectsOf(id, made.jobId);
    assert.deepEqual(
      rejects.map(({ row, line }) => [row, line]),
      [
        [1, 3],
        [2, 4],
      ],
    );
    assert.match(rejects[0]?.reason ?? '', /label/);
    assert.match(rejects[0]?.text ?? '', /"A&"/);
    assert.match(rejects[1]?.text ?? '', /too many/);
    for (const token of [other.token, fixture.admin]) {
      assert.deepEqual(await rejectsOf(id, made.jobId, token), []);
      assert.deepEqual(await segmentsOf(id, made.jobId, token), []);
    }
    const [segment] = await segmentsOf(id, made.jobId);
    await fixture.call(404, 'GET', `/segments/${String(segment?.id)}`, { token: fixture.admin });
  });

  test('the policies drop and replace do what they say, row by row', async () => {
    const id = await fixture.dataset();
    const content = 'n,label\n1,A\n2,\n3,A&\n';
    const dropped = await upload([
      to(id),
      file(content),
      labelled({ ...labelField, labelHandlingPolicy: 'drop' }),
    ]);
    await server.jobsSettled();
    const receipt = await receiptOf(dropped.jobId);
    assert.deepEqual([receipt.received, receipt.written, receipt.dropped], [3, 1, 2]);
    const replace = { ...labelField, labelHandlingPolicy: 'replace', replacementString: 'B' };
    await upload([to(id), file(content), labelled(replace)]);
    await server.jobsSettled();
    assert.deepEqual(await numbersOf(id, other.token), [2, 3]);
  });

  test('an upload is hidden from people who see none of its rows; managers of the dataset see that there is a job', async () => {
    const id = await fixture.dataset();
    const info = { parserClassName: 'apply-label-to-all-records-parser', label: 'A' };
    const { jobId } = await upload([to(id), file('n\n1\n'), labelled(info)]);
    await server.jobsSettled();
    await fixture.call(404, 'GET', `/jobs/${jobId}/receipt`, { token: other.token });
    await fixture.call(404, 'GET', `/jobs/${jobId}`, { token: other.token });
    await fixture.call(404, 'GET', `/jobs/${jobId}/receipt`);
    const job = await jobOf(jobId, fixture.admin);
    assert.deepEqual(
      [job.status, job.config, job.recordCount, job.progress, job.error],
      ['completed', null, null, null, null],
    );
  });

  test('a file that would replace records, or lacks a label column, is rejected completely', async () => {
    const id = await fixture.dataset();
    for (const [content, message] of [
      ['n,_koverse_record_id\n1,0198a5b2-7c1e-7a31-9d20-5e0f6a1b2c3d\n', /_koverse_record_id/],
      ['n,lable\n1,A\n', /no column "label"/],
    ] as const) {
      const made = await upload([to(id), file(content), ...(content.includes('lable') ? [labelled()] : [])]);
      await server.jobsSettled();
      const job = await jobOf(made.jobId);
      assert.equal(job.status, 'failed');
      assert.match(job.error?.message ?? '', message);
    }
    assert.deepEqual(await rowsOf(id), []);
  });

  test('a job names at most so many attributes that its starter does not hold', async () => {
    const id = await fixture.dataset();
    const rows = Array.from({ length: 9 }, (_, n) => `${n},NEW-${n}`).join('\n');
    const made = await upload([to(id), file(`n,label\n${rows}\n`), labelled()]);
    await server.jobsSettled();
    const job = await jobOf(made.jobId);
    assert.deepEqual([job.status, job.recordCount], ['failed', 3]);
    assert.match(job.error?.message ?? '', /more than 5 attributes that you do not hold/);
  });

  test('a file of several reads is stored to its last row', async () => {
    const id = await fixture.dataset();
    const long = 'word '.repeat(10_000);
    const content = `n,text\n${Array.from({ length: 20 }, (_, n) => `${String(n)},${long}\n`).join('')}`;
    const { jobId } = await upload([to(id), file(content)]);
    await server.jobsSettled();
    const { status, error, recordCount } = await jobOf(jobId);
    assert.deepEqual([status, error, recordCount], ['completed', null, 20]);
    assert.deepEqual(
      await numbersOf(id),
      Array.from({ length: 20 }, (_, n) => n),
    );
  });

  test('the files of a dataset are deleted from the object store with the dataset', async () => {
    const id = await fixture.dataset();
    const before = await spooled();
    await upload([to(id), file('n\n1\n')]);
    await server.jobsSettled();
    assert.equal((await spooled()).length, before.length + 1);
    await fixture.call(200, 'DELETE', `/datasets/${id}`);
    assert.deepEqual((await spooled()).toSorted(), before.toSorted());
  });
});

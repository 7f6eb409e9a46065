/* Shows: A-rejects-kept */
import type { Job, JobReceipt, RejectedRow, UploadResult } from '@redoubt/contract';
import {
  createRecordFixture,
  labelField,
  multipartBody,
  type RecordFixture,
  type TestPerson,
} from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

describe('mended rows', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  /** A member who holds the attribute A. */
  let uploader: TestPerson;
  /** A member who holds the attribute A. */
  let other: TestPerson;

  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
    uploader = await fixture.newReader('A');
    other = await fixture.newReader('A');
  });
  after(() => server.close());

  const upload = async (
    datasetId: string,
    fileName: string,
    content: string,
    label: object = labelField,
    fileOptions: object = {},
  ): Promise<UploadResult> => {
    const { body, headers } = multipartBody([
      { name: 'datasetId', content: datasetId },
      {
        name: 'accessControlLabel',
        content: JSON.stringify({ securityLabeled: true, securityLabelInfo: label }),
      },
      { name: 'fileOptions', content: JSON.stringify(fileOptions) },
      { name: 'files', fileName, content },
    ]);
    const { text, status } = await fixture.post('/uploads', body, { token: uploader.token, headers });
    assert.equal(status, 201, text);
    await server.jobsSettled();
    return JSON.parse(text) as UploadResult;
  };
  const rejectsOf = async (jobId: string, datasetId: string): Promise<RejectedRow[]> => {
    const path = `/rejected-rows?datasetId=${datasetId}&jobId=${jobId}&$limit=-1`;
    return (await fixture.call<{ data: RejectedRow[] }>(200, 'GET', path, { token: uploader.token })).data;
  };
  const receiptOf = (jobId: string): Promise<JobReceipt> =>
    fixture.call(200, 'GET', `/jobs/${jobId}/receipt`, { token: uploader.token });
  const replay = <Result = Job>(
    status: number,
    jobId: string,
    rows: readonly { id: string | undefined; text: string }[],
    token = uploader.token,
  ): Promise<Result> =>
    fixture.call(status, 'POST', `/jobs/${jobId}/rejected-rows/replay`, { body: { rows }, token });
  const numbersOf = async (datasetId: string, token: string): Promise<unknown[]> => {
    const { text } = await fixture.post('/readInSequence', JSON.stringify({ datasetId, batchSize: -1 }), {
      token,
    });
    return (JSON.parse(text) as { records: { n: unknown }[] }).records.map(({ n }) => n);
  };

  test('a rejected row is stored once as it was mended, under the rule of its upload, and the receipt says so', async () => {
    const id = await fixture.dataset();
    const { jobId } = await upload(id, 'a.csv', 'n,label\n1,A\n2,A&\n3,A,more\n');
    const [first, second] = await rejectsOf(jobId, id);
    const job = await replay(202, jobId, [
      { id: first?.id, text: '{"n":12345678901234567890123,\n"label":"B"}' },
      { id: second?.id, text: '{"n":3,"label":"A"}' },
    ]);
    await server.jobsSettled();
    const { files, ...receipt } = await receiptOf(job.id);
    assert.deepEqual([receipt.received, receipt.written, receipt.rejected], [2, 2, 0]);
    assert.equal(files[0]?.name, 'a.csv (mended rows).ndjson');
    // The first row gets a label that the uploader does not satisfy.
    assert.deepEqual(await numbersOf(id, uploader.token), [1, 3]);
    const reader = await fixture.newReader('B');
    const body = JSON.stringify({ datasetId: id, batchSize: -1 });
    assert.match(
      (await fixture.post('/readInSequence', body, { token: reader.token })).text,
      /12345678901234567890123/,
    );
    assert.equal((await receiptOf(jobId)).replayed, 2);
    assert.deepEqual(
      (await rejectsOf(jobId, id)).map(({ replayJobId }) => replayJobId),
      [job.id, job.id],
    );
    const { message } = await replay<{ message: string }>(409, jobId, [
      { id: second?.id, text: '{"n":3,"label":"A"}' },
    ]);
    assert.match(message, new RegExp(job.id));
    await server.jobsSettled();
    assert.equal((await numbersOf(id, uploader.token)).length, 2);
  });

  test('of requests that race for a row one stores it', async () => {
    const id = await fixture.dataset();
    const { jobId } = await upload(id, 'a.csv', 'n,label\n2,A&\n');
    const [row] = await rejectsOf(jobId, id);
    const body = JSON.stringify({ rows: [{ id: row?.id, text: '{"n":2,"label":"A"}' }] });
    const responses = await Promise.all(
      Array.from({ length: 4 }, () =>
        fixture.post(`/jobs/${jobId}/rejected-rows/replay`, body, { token: uploader.token }),
      ),
    );
    assert.deepEqual(
      responses.map(({ status }) => status).toSorted((a, b) => a - b),
      [202, 409, 409, 409],
    );
    await server.jobsSettled();
    assert.deepEqual(await numbersOf(id, uploader.token), [2]);
    assert.equal((await receiptOf(jobId)).replayed, 1);
  });

  test('a row whose label was decided keeps it, and one label for all covers mended rows', async () => {
    const id = await fixture.dataset();
    // The second row is rejected for its repeated key, and has a label.
    const { jobId } = await upload(id, 'a.ndjson', '{"n":1,"label":"A"}\n{"n":2,"n":3,"label":"B"}\n');
    const [row] = await rejectsOf(jobId, id);
    for (const text of ['{"n":2}', '{"n":2,"label":""}', '{"n":2,"label":"A|B"}']) {
      const error: { name: string } = await replay(400, jobId, [{ id: row?.id, text }]);
      assert.equal(error.name, 'SecurityError', text);
    }
    await replay(202, jobId, [{ id: row?.id, text: '{"n":2,"label":"B"}' }]);
    const all = { parserClassName: 'apply-label-to-all-records-parser', label: 'A' };
    const whole = await upload(id, 'b.csv', 'n,m\n5,6\n7,8,9\n', all);
    const [ragged] = await rejectsOf(whole.jobId, id);
    await replay(202, whole.jobId, [{ id: ragged?.id, text: '{"n":77,"label":""}' }]);
    await server.jobsSettled();
    const nobody = await fixture.newReader();
    assert.deepEqual(await numbersOf(id, nobody.token), []);
    assert.ok((await numbersOf(id, uploader.token)).includes(77));
  });

  test('the label is decided by the columns as they are stored', async () => {
    const id = await fixture.dataset();
    const columns = [
      { name: 'n', type: 'integer' },
      { name: 'secret', rename: 'label' },
    ];
    for (const [name, content] of [
      ['a.csv', 'n,secret\nx,A\n'],
      ['a.ndjson', '{"n":"x","secret":"A"}\n'],
    ] as const) {
      const { jobId } = await upload(id, name, content, labelField, { columns });
      const [row] = await rejectsOf(jobId, id);
      for (const text of ['{"n":1}', '{"n":1,"label":""}', '{"n":1,"secret":"A"}', '{"n":1,"label":"A|B"}']) {
        const error: { name: string } = await replay(400, jobId, [{ id: row?.id, text }]);
        assert.equal(error.name, 'SecurityError', text);
      }
      await replay(202, jobId, [{ id: row?.id, text: '{"n":1,"label":"A"}' }]);
      await server.jobsSettled();
    }
    assert.deepEqual(await numbersOf(id, uploader.token), [1, 1]);
    assert.deepEqual(await numbersOf(id, (await fixture.newReader()).token), []);
  });

  test('a row whose label could not be read has to be mended with one', async () => {
    for (const label of [
      labelField,
      { ...labelField, labelHandlingPolicy: 'replace', replacementString: 'B' },
      { ...labelField, labelHandlingPolicy: 'drop' },
    ]) {
      const id = await fixture.dataset();
      const { jobId } = await upload(id, 'a.csv', 'n,label\n1,A,more\n', label);
      const [row] = await rejectsOf(jobId, id);
      for (const text of ['{"n":1}', '{"n":1,"label":""}', '{"n":1,"label":null}']) {
        const error: { message: string } = await replay(400, jobId, [{ id: row?.id, text }]);
        assert.match(error.message, /must have a label of its own/);
      }
      await replay(202, jobId, [{ id: row?.id, text: '{"n":1,"label":"A"}' }]);
      await server.jobsSettled();
      assert.deepEqual(await numbersOf(id, uploader.token), [1]);
      assert.deepEqual(await numbersOf(id, (await fixture.newReader()).token), []);
    }
  });

  test('a mended row that is rejected again belongs to the new job and can be mended again', async () => {
    const id = await fixture.dataset();
    const { jobId } = await upload(id, 'a.csv', 'n,label\n2,A&\n');
    const [row] = await rejectsOf(jobId, id);
    const job = await replay(202, jobId, [{ id: row?.id, text: '{"n":2,"label":"(A"}' }]);
    await server.jobsSettled();
    const [again] = await rejectsOf(job.id, id);
    assert.equal((await receiptOf(job.id)).rejected, 1);
    await replay(202, job.id, [{ id: again?.id, text: '{"n":2,"label":"A"}' }]);
    await server.jobsSettled();
    assert.deepEqual(await numbersOf(id, uploader.token), [2]);
  });

  test('rows of a replace that has not replaced the records cannot be replayed, as it would delete them again', async () => {
    const datasetId = await fixture.dataset();
    const { body, headers } = multipartBody([
      { name: 'datasetId', content: datasetId },
      { name: 'writeMode', content: 'replace' },
      { name: 'files', fileName: 'a.csv', content: 'n,m\n1,2\n3\n' },
      { name: 'files', fileName: 'b.json', content: '[{"n":4},' },
    ]);
    const { token } = uploader;
    const { text } = await fixture.post('/uploads', body, { token, headers });
    const { jobId } = JSON.parse(text) as UploadResult;
    await server.jobsSettled();
    const [reject] = await rejectsOf(jobId, datasetId);
    const { message } = await replay<{ message: string }>(409, jobId, [{ id: reject?.id, text: '{"n":3}' }]);
    assert.match(message, /has not replaced the records/);
    assert.deepEqual(await numbersOf(datasetId, token), []);
    await fixture.call(200, 'PATCH', `/jobs/${jobId}`, { token, body: { status: 'queued' } });
    await server.jobsSettled();
    const { rejected, replayed } = await receiptOf(jobId);
    assert.deepEqual([rejected, replayed], [1, 0]);
  });

  test('rows of other people count as absent, and a row that is not a record is rejected before anything is stored', async () => {
    const id = await fixture.dataset();
    const { jobId } = await upload(id, 'a.csv', 'n,label\n2,A&\n');
    const [row] = await rejectsOf(jobId, id);
    const good = { id: row?.id, text: '{"n":2,"label":"A"}' };
    await replay(404, jobId, [good], other.token);
    await replay(404, 'none', [good]);
    await replay(404, jobId, [{ ...good, id: 'none' }]);
    for (const text of ['[]', '{"n":1', '{"n":1,"n":2}', '{"_koverse_record_id":"x"}', '"n"'])
      await replay(400, jobId, [{ ...good, text }]);
    await replay(400, jobId, [good, good]);
    assert.equal((await receiptOf(jobId)).replayed, 0);
    await replay(202, jobId, [good]);
  });

  test('rejected rows are kept as long as the setting says', async () => {
    const id = await fixture.dataset();
    const { jobId, uploadId } = await upload(id, 'a.csv', 'n,label\n2,A&\n');
    const [row] = await rejectsOf(jobId, id);
    const thirtyDays = 30 * 24 * 60 * 60 * 1000;
    await server.db
      .updateTable('uploads')
      .set({ created_at: new Date(server.runtime.clock.now().getTime() - thirtyDays - 1000) } as never)
      .where('id', '=', uploadId)
      .execute();
    await upload(id, 'b.csv', 'n,label\n3,A\n');
    assert.deepEqual(await rejectsOf(jobId, id), []);
    await replay(404, jobId, [{ id: row?.id, text: '{"n":2,"label":"A"}' }]);
  });
});

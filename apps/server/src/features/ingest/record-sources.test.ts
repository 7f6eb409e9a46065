/* Shows: A-record-sources, A-receipt-relabelled */
import type { Job, JobReceipt, RecordSource, UploadResult } from '@redoubt/contract';
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

interface Row extends Record<string, unknown> {
  _koverse_record_id: string;
}

const pathOf = (datasetId: string, recordId: string): string =>
  `/datasets/${datasetId}/records/${recordId}/source`;

/** A receipt without its ids. */
const shape = ({ files, ...rest }: JobReceipt): unknown => ({
  ...rest,
  jobId: '',
  datasetId: '',
  files: files.map((file) => ({ ...file, id: '' })),
});

describe('where records come from', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  /** A member who holds the attribute A. */
  let uploader: TestPerson;
  /** A member who holds the attributes A and B. */
  let other: TestPerson;

  before(async () => {
    server = await startServer({ ingestLimits: { blockRows: 2 } });
    fixture = await createRecordFixture(server);
    uploader = await fixture.newReader('A');
    other = await fixture.newReader('A', 'B');
  });
  after(() => server.close());

  const upload = async (datasetId: string, content: string): Promise<UploadResult> => {
    const { body, headers } = multipartBody([
      { name: 'datasetId', content: datasetId },
      {
        name: 'accessControlLabel',
        content: JSON.stringify({ securityLabeled: true, securityLabelInfo: labelField }),
      },
      { name: 'files', fileName: 'rows.csv', content },
    ]);
    const { text, status } = await fixture.post('/uploads', body, { token: uploader.token, headers });
    assert.equal(status, 201, text);
    await server.jobsSettled();
    return JSON.parse(text) as UploadResult;
  };
  const rowsOf = async (datasetId: string, token: string): Promise<Row[]> => {
    const body = JSON.stringify({ datasetId, batchSize: -1, includeInternalFields: true });
    return (JSON.parse((await fixture.post('/readInSequence', body, { token })).text) as { records: Row[] })
      .records;
  };
  const idOf = async (datasetId: string, n: number): Promise<string> =>
    String((await rowsOf(datasetId, other.token)).find((row) => row['n'] === n)?.['_koverse_record_id']);
  const sourceOf = (datasetId: string, recordId: string, token: string): Promise<RecordSource> =>
    fixture.call(200, 'GET', pathOf(datasetId, recordId), { token });

  test('readers of a record get its file and job, and only the uploader its place in the file', async () => {
    const id = await fixture.dataset();
    const { jobId, files } = await upload(id, 'n,label\n0,\n1,B\n2,A&\n3,A\n');
    const record = await idOf(id, 3);
    const file = { recordId: record, fileId: files[0]?.id, fileName: 'rows.csv', jobId };
    assert.deepEqual(await sourceOf(id, record, uploader.token), {
      ...file,
      row: 3,
      line: 5,
      offset: 20,
      batch: 2,
    });
    const hiddenPlace = { row: null, line: null, offset: null, batch: null };
    assert.deepEqual(await sourceOf(id, record, other.token), { ...file, ...hiddenPlace });
  });

  test('a hidden record gets the same response as an absent one', async () => {
    const id = await fixture.dataset();
    await upload(id, 'n,label\n0,\n1,B\n');
    const hidden = await idOf(id, 1);
    const absent = `${hidden.slice(0, -4)}0000`;
    const [first, second] = await Promise.all(
      [hidden, absent].map((each) =>
        fixture.call<{ message: string }>(404, 'GET', pathOf(id, each), { token: uploader.token }),
      ),
    );
    assert.equal(first?.message.replace(hidden, ''), second?.message.replace(absent, ''));
  });

  test('fields that writers send do not claim a file', async () => {
    const id = await fixture.dataset();
    const { files } = await upload(id, 'n,label\n0,\n');
    const fileId = files[0]?.id;
    const claim = { n: 9, source_file: fileId, fileId, _koverse_source_file: fileId };
    assert.equal((await fixture.write(id, [claim])).status, 200);
    const record = await idOf(id, 9);
    const nothing = {
      fileId: null,
      fileName: null,
      jobId: null,
      row: null,
      line: null,
      offset: null,
      batch: null,
    };
    assert.deepEqual(await sourceOf(id, record, uploader.token), { recordId: record, ...nothing });
  });

  test('a record that is replaced still comes from its file, and has no place in it', async () => {
    const id = await fixture.dataset();
    const { files } = await upload(id, 'n,label\n0,\n1,\n');
    const record = await idOf(id, 1);
    assert.equal(
      (await fixture.write(id, [{ _koverse_record_id: record, n: 1, changed: true }])).status,
      200,
    );
    const { fileId, line } = await sourceOf(id, record, uploader.token);
    assert.deepEqual([fileId, line], [files[0]?.id, null]);
  });

  test('after a relabelling the receipt of readers counts the records that they see now', async () => {
    const receiptOf = async (jobId: string, token: string): Promise<JobReceipt> =>
      fixture.call(200, 'GET', `/jobs/${jobId}/receipt`, { token });
    const reader = await fixture.newReader('A');
    const id = await fixture.dataset();
    const { jobId } = await upload(id, 'n,label\n0,\n1,\n2,A\n');
    assert.equal((await receiptOf(jobId, reader.token)).written, 3);
    const relabel = async (n: number): Promise<void> => {
      const body = { label: 'B', recordIds: [await idOf(id, n)] };
      const job = await fixture.call<Job>(202, 'PATCH', `/storage/datasets/${id}/labels`, { body });
      await server.jobsSettled();
      assert.equal((await fixture.call<Job>(200, 'GET', `/jobs/${job.id}`)).status, 'completed');
    };
    await relabel(1);
    // The receipt is the same as if the hidden row had never been stored.
    const never = await fixture.dataset();
    const { jobId: without } = await upload(never, 'n,label\n0,\n2,A\n');
    assert.deepEqual(
      shape(await receiptOf(jobId, reader.token)),
      shape(await receiptOf(without, reader.token)),
    );
    assert.equal((await receiptOf(jobId, uploader.token)).written, 3);
    const plain = await fixture.newReader();
    assert.equal((await receiptOf(jobId, plain.token)).written, 1);
    await relabel(0);
    await fixture.call(404, 'GET', `/jobs/${jobId}/receipt`, { token: plain.token });
  });
});

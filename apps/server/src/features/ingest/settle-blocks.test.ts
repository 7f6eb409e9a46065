/* Shows: A-ingest-once */
import type { Job, JobReceipt, UploadResult } from '@redoubt/contract';
import { startServer, type TestServer } from '@redoubt/server/testing';
import { createRecordFixture, multipartBody, type RecordFixture } from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

interface StoredRow {
  _koverse_record_id: string;
  _koverse_timestamp: string;
  n: number;
}

describe('blocks of a process that died before it recorded that they were stored', () => {
  let server: TestServer;
  let fixture: RecordFixture;

  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
  });
  after(() => server.close());

  const rowsOf = async (datasetId: string): Promise<StoredRow[]> => {
    const body = JSON.stringify({ datasetId, batchSize: -1, includeInternalFields: true });
    const response = await fixture.post('/readInSequence', body);
    return (JSON.parse(response.text) as { records: StoredRow[] }).records;
  };

  /** Creates a job in the state in which a process leaves it if it dies after announcing a block, with the stored records of that block. */
  const unsettled = async (isStored: boolean): Promise<{ datasetId: string; jobId: string }> => {
    const datasetId = await fixture.dataset();
    const { body, headers } = multipartBody([
      { name: 'datasetId', content: datasetId },
      { name: 'files', fileName: 'rows.csv', content: 'n\n1\n2\n3\n' },
    ]);
    const response = await fixture.post('/uploads', body, { headers });
    const { jobId, files } = JSON.parse(response.text) as UploadResult;
    await server.jobsSettled();
    const [record] = await rowsOf(datasetId);
    const fileId = files[0]?.id ?? '';
    await server.db
      .updateTable('ingest_files')
      .set({ next_row: 0, written: 0 })
      .where('id', '=', fileId)
      .execute();
    const outcome = { nextRow: 3, written: 3, rejected: 0, dropped: 0 };
    await server.db
      .insertInto('ingest_blocks')
      .values({
        file_id: fileId,
        dataset_id: datasetId,
        seed: 'any',
        first_row: 0,
        record_id: isStored ? String(record?.['_koverse_record_id']) : '0198a5b2-7c1e-7a31-9d20-5e0f6a1b2c3d',
        outcome: JSON.stringify(outcome),
      })
      .execute();
    await server.db.updateTable('jobs').set({ status: 'failed' }).where('id', '=', jobId).execute();
    await server.db.updateTable('segments').set({ status: 'failed' }).where('job_id', '=', jobId).execute();
    return { datasetId, jobId };
  };
  const retry = async (jobId: string): Promise<JobReceipt> => {
    await fixture.call(200, 'PATCH', `/jobs/${jobId}`, { body: { status: 'queued' } });
    await server.jobsSettled();
    const { status, error } = await fixture.call<Job>(200, 'GET', `/jobs/${jobId}`);
    assert.deepEqual([status, error], ['completed', null]);
    return fixture.call<JobReceipt>(200, 'GET', `/jobs/${jobId}/receipt`);
  };

  test('a block that was stored is counted when the job goes on, and not stored again', async () => {
    const { datasetId, jobId } = await unsettled(true);
    const receipt = await retry(jobId);
    assert.deepEqual([receipt.received, receipt.written], [3, 3]);
    assert.equal((await rowsOf(datasetId)).length, 3);
  });

  test('a block that was not stored is stored when the job goes on', async () => {
    const { datasetId, jobId } = await unsettled(false);
    const receipt = await retry(jobId);
    assert.deepEqual([receipt.received, receipt.written], [3, 3]);
    // Three records that replaced others, and three of the block.
    assert.equal((await rowsOf(datasetId)).length, 6);
  });

  test('records of such a block that are deleted before the job goes on do not come back', async () => {
    const { datasetId, jobId } = await unsettled(true);
    await fixture.call(202, 'POST', `/storage/datasets/${datasetId}/deleteRecords/query`, {
      body: { query: 'n:*' },
    });
    await server.jobsSettled();
    assert.equal((await rowsOf(datasetId)).length, 0);
    const receipt = await retry(jobId);
    assert.equal(receipt.received, 3);
    assert.equal((await rowsOf(datasetId)).length, 0);
  });

  test('records of such a block that are cleared do not come back, and the files of the job are gone', async () => {
    const { datasetId, jobId } = await unsettled(true);
    await fixture.call(202, 'POST', `/storage/datasets/${datasetId}/clear`, { body: {} });
    await server.jobsSettled();
    assert.equal((await rowsOf(datasetId)).length, 0);
    await fixture.call(200, 'PATCH', `/jobs/${jobId}`, { body: { status: 'queued' } });
    await server.jobsSettled();
    const { status, error } = await fixture.call<Job>(200, 'GET', `/jobs/${jobId}`);
    assert.equal(status, 'failed');
    assert.match(error?.message ?? '', /^The files of this job were deleted/);
    assert.equal((await rowsOf(datasetId)).length, 0);
  });

  test('records of such a block that are replaced before the job goes on are not stored again', async () => {
    const { datasetId, jobId } = await unsettled(true);
    const records = (await rowsOf(datasetId)).map(({ _koverse_record_id, n }) => ({
      _koverse_record_id,
      n: n + 10,
    }));
    assert.equal((await fixture.write(datasetId, records)).status, 200);
    await retry(jobId);
    const found = (await rowsOf(datasetId)).map(({ n }) => n).toSorted((a, b) => a - b);
    assert.deepEqual(found, [11, 12, 13]);
  });

  test('a block that only replaces records was stored when its first record has the time of the block', async () => {
    for (const isStored of [false, true]) {
      const { datasetId, jobId } = await unsettled(true);
      const [record] = await rowsOf(datasetId);
      const time = Date.parse(String(record?.['_koverse_timestamp']));
      await server.db
        .updateTable('ingest_blocks')
        .set({ stored_at: isStored ? time : time + 1 } as object)
        .where('dataset_id', '=', datasetId)
        .execute();
      const receipt = await retry(jobId);
      assert.deepEqual([receipt.received, receipt.written], [3, 3]);
      assert.equal((await rowsOf(datasetId)).length, isStored ? 3 : 6);
    }
  });
});

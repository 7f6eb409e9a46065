import { startServer, type TestServer } from '@redoubt/server/testing';
import {
  createRecordFixture,
  createUploadFixture,
  type RecordFixture,
  type TestPerson,
  type UploadFixture,
} from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

const upsert = { writeMode: 'upsert', keyColumns: ['id'] };

describe('ingests that go on after rights changed', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  let uploads: UploadFixture;
  let uploader: TestPerson;

  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
    uploads = createUploadFixture(fixture, server.jobsSettled);
    uploader = await fixture.newReader('A');
  });
  after(() => server.close());

  const revokeRead = async (datasetId: string): Promise<void> => {
    const { data } = await fixture.call<{ data: { id: string; groupId: string }[] }>(
      200,
      'GET',
      `/dataset-permissions?datasetId=${datasetId}&action=read`,
    );
    for (const { id, groupId } of data)
      if (groupId === fixture.readers.id) await fixture.call(200, 'DELETE', `/dataset-permissions/${id}`);
  };
  const recordCount = async (datasetId: string): Promise<number> => {
    const reader = await fixture.call<{ recordCount: number }>(200, 'GET', `/datasets/${datasetId}`);
    return reader.recordCount;
  };
  const fail = async (jobId: string): Promise<void> => {
    await server.db.updateTable('jobs').set({ status: 'failed' }).where('id', '=', jobId).execute();
  };
  const retry = (jobId: string): Promise<unknown> =>
    fixture.call(200, 'PATCH', `/jobs/${jobId}`, { token: uploader.token, body: { status: 'queued' } });

  test('an upsert that is retried or replayed by a person who may no longer read adds no rows', async () => {
    const id = await fixture.dataset();
    await fixture.write(id, [{ id: 1, n: 'old' }]);
    const { jobId } = await uploads.upload(id, { 'a.csv': 'id,n\n1,new\n,none\n' }, upsert, uploader.token);
    const path = `/rejected-rows?datasetId=${id}&jobId=${jobId}`;
    const { data } = await fixture.call<{ data: { id: string }[] }>(200, 'GET', path, {
      token: uploader.token,
    });
    assert.equal(await recordCount(id), 1);
    await revokeRead(id);
    const rows = [{ id: data[0]?.id, text: '{"id":1,"n":"newer"}' }];
    const refused = await fixture.call<{ message: string }>(
      403,
      'POST',
      `/jobs/${jobId}/rejected-rows/replay`,
      {
        token: uploader.token,
        body: { rows },
      },
    );
    assert.match(refused.message, /You may not read the dataset/);

    await server.db
      .updateTable('ingest_files')
      .set({ next_row: 0, written: 0 })
      .where('segment_id', 'in', (from) =>
        from.selectFrom('segments').where('job_id', '=', jobId).select('segments.id'),
      )
      .execute();
    await server.db.updateTable('segments').set({ status: 'failed' }).where('job_id', '=', jobId).execute();
    await fail(jobId);
    await retry(jobId);
    await server.jobsSettled();
    const job = await server.db
      .selectFrom('jobs')
      .where('id', '=', jobId)
      .select(['status', 'error'])
      .executeTakeFirstOrThrow();
    assert.equal(job.status, 'failed');
    assert.match(JSON.stringify(job.error), /You may not read the dataset/);
    assert.equal(await recordCount(id), 1);
  });

  test('a replace that was made, and whose job failed afterwards, is not made again by a retry', async () => {
    const id = await fixture.dataset();
    await fixture.write(id, [{ n: 1 }]);
    const { jobId } = await uploads.upload(
      id,
      { 'a.csv': 'n\n2\n' },
      { writeMode: 'replace' },
      uploader.token,
    );
    await fixture.write(id, [{ n: 3 }]);
    await fail(jobId);
    await retry(jobId);
    const { job, receipt } = await uploads.ended(id, jobId, uploader.token);
    const seen = (await uploads.records(id, uploader.token)).map(({ n }) => n);
    assert.deepEqual([job.status, seen, receipt.replaced], ['completed', [2, 3], 1]);
    // As with other retries, rows that were stored before count as duplicates.
    assert.deepEqual([receipt.written, receipt.duplicate], [0, 1]);
  });
});

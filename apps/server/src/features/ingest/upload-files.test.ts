/* Shows: A-upload-files-go */
import type { Job, JobReceipt, RejectedRow, Segment, Upload, UploadResult } from '@redoubt/contract';
import {
  createRecordFixture,
  labelField,
  multipartBody,
  type RecordFixture,
  type TestPerson,
} from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

interface Page<T> {
  total: number;
  data: T[];
}

describe('uploads of a dataset', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  /** A member who holds the attribute A. */
  let uploader: TestPerson;
  /** A member who holds the attribute B. */
  let other: TestPerson;
  /** A member who holds no attribute. */
  let plain: TestPerson;

  before(async () => {
    server = await startServer({ ingestLimits: { blockRows: 2 } });
    fixture = await createRecordFixture(server);
    uploader = await fixture.newReader('A');
    other = await fixture.newReader('B');
    plain = await fixture.newReader();
  });
  after(() => server.close());

  const upload = async (
    datasetId: string,
    files: Readonly<Record<string, string>>,
    token = uploader.token,
  ): Promise<UploadResult> => {
    const { body, headers } = multipartBody([
      { name: 'datasetId', content: datasetId },
      {
        name: 'accessControlLabel',
        content: JSON.stringify({ securityLabeled: true, securityLabelInfo: labelField }),
      },
      ...Object.entries(files).map(([fileName, content]) => ({ name: 'files', fileName, content })),
    ]);
    const { text, status } = await fixture.post('/uploads', body, { token, headers });
    assert.equal(status, 201, text);
    await server.jobsSettled();
    return JSON.parse(text) as UploadResult;
  };
  const listOf = async (datasetId: string, token: string): Promise<Upload[]> =>
    (await fixture.call<Page<Upload>>(200, 'GET', `/uploads?datasetId=${datasetId}&$limit=-1`, { token }))
      .data;
  const namesOf = async (datasetId: string, token: string): Promise<[string, number | null, number][]> =>
    (await listOf(datasetId, token)).flatMap(({ files }) =>
      files.map(({ name, size, recordCount }): [string, number | null, number] => [name, size, recordCount]),
    );
  const rejectsOf = async (datasetId: string, token: string): Promise<number> =>
    (await fixture.call<Page<RejectedRow>>(200, 'GET', `/rejected-rows?datasetId=${datasetId}`, { token }))
      .total;
  const numbersOf = async (datasetId: string, token: string): Promise<number[]> => {
    const { text } = await fixture.post('/readInSequence', JSON.stringify({ datasetId, batchSize: -1 }), {
      token,
    });
    return (JSON.parse(text) as { records: { n: number }[] }).records
      .map(({ n }) => n)
      .toSorted((a, b) => a - b);
  };
  const remove = async (uploadId: string, token: string): Promise<Job> => {
    const job = await fixture.call<Job>(202, 'DELETE', `/uploads/${uploadId}`, { token });
    await server.jobsSettled();
    return fixture.call<Job>(200, 'GET', `/jobs/${job.id}`, { token });
  };
  const storedFiles = async (uploadId: string): Promise<number> => {
    const files = await readdir(join(server.filesFolder, 'uploads', uploadId)).catch(() => []);
    return files.length;
  };
  const isKept = async (uploadId: string): Promise<boolean> =>
    (await server.db.selectFrom('uploads').where('id', '=', uploadId).select('id').execute()).length > 0;

  test('people see their own uploads, and files of other people if they see a record of them', async () => {
    const id = await fixture.dataset();
    const { uploadId, jobId } = await upload(id, {
      'a.csv': 'n,label\n1,\n2,A\n',
      'b.csv': 'n,label\n3,A\n',
      'c.csv': 'n,label\n4,A&\n',
    });
    assert.deepEqual(await namesOf(id, uploader.token), [
      ['a.csv', 15, 2],
      ['b.csv', 12, 1],
      ['c.csv', 13, 0],
    ]);
    assert.deepEqual(await namesOf(id, other.token), [['a.csv', null, 1]]);
    const [seen] = await listOf(id, other.token);
    assert.deepEqual([seen?.id, seen?.jobId, seen?.recordCount, seen?.fileCount], [uploadId, jobId, 1, 1]);
    const receipt = async (page: string, token: string) => {
      const path = `/jobs/${jobId}/receipt?${page}`;
      const { files, ...sums } = await fixture.call<JobReceipt>(200, 'GET', path, { token });
      return { names: files.map(({ name }) => name), sums };
    };
    const whole = await receipt('', uploader.token);
    assert.deepEqual(whole.names, ['a.csv', 'b.csv', 'c.csv']);
    assert.deepEqual([whole.sums.fileCount, whole.sums.received, whole.sums.written], [3, 4, 3]);
    const pages = ['$limit=2', '$limit=2&$skip=2', '$limit=0', '$skip=3'];
    const names = [['a.csv', 'b.csv'], ['c.csv'], [], []];
    for (const [at, page] of pages.entries())
      assert.deepEqual(await receipt(page, uploader.token), { names: names[at], sums: whole.sums });
    const { sums: othersSums } = await receipt('', other.token);
    assert.deepEqual(await receipt('$skip=1', other.token), { names: [], sums: othersSums });
    assert.deepEqual([othersSums.fileCount, othersSums.written], [1, 1]);
    for (const page of ['$limit=1001', '$limit=-1', '$limit=x', '$skip=-1', 'limit=1']) {
      const path = `/jobs/${jobId}/receipt?${page}`;
      const { message } = await fixture.call<{ message: string }>(400, 'GET', path, {
        token: uploader.token,
      });
      assert.ok(message.includes(page.split('=')[0] ?? ''), message);
    }
    const segments = await fixture.call<Page<Segment>>(
      200,
      'GET',
      `/segments?datasetId=${id}&$sort[number]=-1`,
      { token: uploader.token },
    );
    assert.deepEqual(
      segments.data.map(({ number, config }) => [number, config?.['name']]),
      [
        [2, 'c.csv'],
        [1, 'b.csv'],
        [0, 'a.csv'],
      ],
    );
    await upload(id, { 'd.csv': 'n,label\n5,B\n' }, other.token);
    assert.equal((await listOf(id, uploader.token)).length, 1);
    const stranger = await fixture.newReader('C');
    assert.deepEqual(await listOf('nowhere', stranger.token), []);
  });

  test('deleting an upload takes the records that the person sees, and the files with the last of them', async () => {
    const id = await fixture.dataset();
    const { uploadId, jobId } = await upload(id, { 'a.csv': 'n,label\n1,\n2,A\n3,B\n4,A&\n' });
    assert.equal((await fixture.write(id, [{ n: 9 }])).status, 200);
    assert.equal((await remove(uploadId, uploader.token)).status, 'completed');
    assert.deepEqual(await numbersOf(id, uploader.token), [9]);
    assert.deepEqual(await numbersOf(id, other.token), [3, 9]);
    assert.deepEqual([await storedFiles(uploadId), await isKept(uploadId)], [1, true]);
    // The person who sees a record of it still sees where it comes from, and may delete it.
    assert.deepEqual(await namesOf(id, other.token), [['a.csv', null, 1]]);
    assert.equal((await remove(uploadId, other.token)).recordCount, 1);
    assert.deepEqual(await numbersOf(id, other.token), [9]);
    assert.deepEqual([await storedFiles(uploadId), await isKept(uploadId)], [0, false]);
    await fixture.call(404, 'GET', `/jobs/${jobId}/receipt`, { token: uploader.token });
  });

  test('the response to deleting an upload does not disclose whether hidden records of it are left', async () => {
    const views: unknown[] = [];
    for (const deletesFirst of [true, false]) {
      const id = await fixture.dataset();
      const { uploadId, jobId } = await upload(id, { 'a.csv': 'n,label\n1,\n2,B\n3,A&\n' });
      if (deletesFirst) await remove(uploadId, other.token);
      const job = await remove(uploadId, uploader.token);
      // Only the record of B is left in one of the two, where `other` did not delete first.
      assert.equal(await isKept(uploadId), !deletesFirst);
      const receipt = await fixture.call<{ message: string }>(404, 'GET', `/jobs/${jobId}/receipt`, {
        token: uploader.token,
      });
      const again = await fixture.call<{ message: string }>(404, 'DELETE', `/uploads/${uploadId}`, {
        token: uploader.token,
      });
      views.push({
        status: job.status,
        uploads: await listOf(id, uploader.token),
        rejects: await rejectsOf(id, uploader.token),
        receipt: receipt.message.replace(jobId, ''),
        again: again.message.replace(uploadId, ''),
      });
    }
    assert.deepEqual(views[0], views[1]);
    assert.deepEqual((views[0] as { uploads: unknown }).uploads, []);
  });

  test('the uploader cannot tell that others deleted the last records', async () => {
    const id = await fixture.dataset();
    const { uploadId, jobId } = await upload(id, { 'a.csv': 'n,label\n1,B\n2,A&\n' });
    const view = async (): Promise<unknown> => [
      await listOf(id, uploader.token),
      await rejectsOf(id, uploader.token),
      await fixture.call<JobReceipt>(200, 'GET', `/jobs/${jobId}/receipt`, { token: uploader.token }),
    ];
    const earlier = await view();
    await remove(uploadId, other.token);
    assert.deepEqual(await view(), earlier);
    assert.equal(await storedFiles(uploadId), 0);
  });

  test('a hidden upload gets the same response as an absent one', async () => {
    const id = await fixture.dataset();
    const { uploadId } = await upload(id, { 'a.csv': 'n,label\n1,A\n2,A&\n' });
    const absent = `${uploadId.slice(0, -4)}0000`;
    const messages = await Promise.all(
      [uploadId, absent].map(async (each) => {
        const { message } = await fixture.call<{ message: string }>(404, 'DELETE', `/uploads/${each}`, {
          token: plain.token,
        });
        return message.replace(each, '');
      }),
    );
    assert.equal(messages[0], messages[1]);
  });

  test('deleting the last records in another way, and clearing, delete the stored files', async () => {
    const id = await fixture.dataset();
    const first = await upload(id, { 'a.csv': 'n,label\n1,\n' });
    const second = await upload(id, { 'b.csv': 'n,label\n2,B\n3,A&\n' });
    await fixture.call(202, 'POST', `/storage/datasets/${id}/deleteRecords`, {
      token: uploader.token,
      body: { recordIds: [], deleteAll: true },
    });
    await server.jobsSettled();
    assert.deepEqual([await storedFiles(first.uploadId), await storedFiles(second.uploadId)], [0, 1]);
    await fixture.call(202, 'POST', `/storage/datasets/${id}/clear`, { body: {} });
    await server.jobsSettled();
    assert.deepEqual([await storedFiles(second.uploadId), await isKept(second.uploadId)], [0, false]);
    assert.equal(await rejectsOf(id, uploader.token), 0);
    assert.deepEqual(await listOf(id, uploader.token), []);
  });

  test('deleting an upload whose source could not be listed, and clearing, remove its sealed connection', async () => {
    const id = await fixture.dataset();
    const { token } = uploader;
    const fail = async (): Promise<string> => {
      const connectionInfo = { endpoint: 'http://127.0.0.1:1', region: 'us-east-1', bucket: 'absent' };
      const body = { datasetId: id, dataSourceParams: { type: 'S3', connectionInfo } };
      await fixture.call<Job>(202, 'POST', '/ingest?isAsync=true', { token, body });
      await server.jobsSettled();
      const [{ id: uploadId, fileCount } = { id: '', fileCount: 1 }] = await listOf(id, token);
      assert.equal(fileCount, 0);
      return uploadId;
    };
    const removed = await fail();
    await remove(removed, token);
    assert.equal(await isKept(removed), false);
    const cleared = await fail();
    await fixture.call(202, 'POST', `/storage/datasets/${id}/clear`, { body: {} });
    await server.jobsSettled();
    assert.deepEqual([await isKept(cleared), await listOf(id, token)], [false, []]);
  });

  test('whether an upload stays that ends while the dataset is cleared does not depend on hidden records', async () => {
    const views: unknown[] = [];
    for (const rows of ['1,B\n2,A&\n', '1,A&\n2,A&\n']) {
      const id = await fixture.dataset();
      const clear = await fixture.call<Job>(202, 'POST', `/storage/datasets/${id}/clear`, { body: {} });
      await server.jobsSettled();
      // The state after a process died between the clear and the deletion of the uploads, while these rows arrived.
      const { uploadId } = await upload(id, { 'a.csv': `n,label\n${rows}` });
      await server.db
        .updateTable('jobs')
        .set({ status: 'queued', ended_at: null } as never)
        .where('id', '=', clear.id)
        .execute();
      await fixture.call(202, 'POST', `/storage/datasets/${await fixture.dataset()}/clear`, { body: {} });
      await server.jobsSettled();
      assert.equal((await fixture.call<Job>(200, 'GET', `/jobs/${clear.id}`)).status, 'completed');
      const [seen] = await listOf(id, uploader.token);
      views.push([seen?.id === uploadId, seen?.recordCount, (await numbersOf(id, other.token)).length]);
    }
    assert.deepEqual(views, [
      [true, 0, 1],
      [true, 0, 0],
    ]);
  });
});

/* Shows: F-GET-/segments-datasetId, F-GET-/segments-jobId, A-jobs-per-workspace, F-GET-/jobs-userId,
   D-jobs-post, D-jobs-patch, D-jobs-privacy, D-lists-need-dataset, E-Job-id, E-Job-type, E-Job-status,
   E-Job-config, E-Job-error, E-Job-stage, E-Job-totalStages, E-Job-datasetId, E-Job-workspaceId,
   E-Job-userId, E-Segment-id, E-Segment-config, E-Segment-stage, E-Segment-status, E-Segment-error,
   E-Segment-datasetId, E-Segment-workspaceId, E-Segment-jobId, E-Segment-processedBy, L29, L-hazard-splits,
   R-job-cancel, R-job-retry, R-list-jobs-needs-dataset, R-list-segments-needs-dataset, V-jobStatus-queued,
   V-jobStatus-running, V-jobStatus-canceled, V-jobStatus-failed */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Job, Segment } from '@redoubt/contract';
import {
  bodyOf,
  createRecordFixture,
  labelField,
  type RecordFixture,
  type TestPerson,
} from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';

interface Page<T> {
  total: number;
  data: T[];
}

describe('jobs and their segments', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  let starter: TestPerson;
  /** Reads and writes the same datasets as the starter, and manages none. */
  let colleague: TestPerson;

  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
    starter = await fixture.newReader('A');
    colleague = await fixture.newReader('A');
  });
  after(() => server.close());

  const filled = async (): Promise<string> => {
    const id = await fixture.dataset();
    const records = Array.from({ length: 10 }, (_, n) => ({ n, label: n < 6 ? 'A' : 'B' }));
    bodyOf(200, await fixture.write(id, records, { labelInfo: labelField }));
    return id;
  };
  const countOf = async (id: string): Promise<number> =>
    (await fixture.call<{ recordCount: number }>(200, 'GET', `/datasets/${id}`, { token: starter.token }))
      .recordCount;
  const start = async (id: string, body: object = { recordIds: [], deleteAll: true }): Promise<Job> =>
    fixture.call<Job>(202, 'POST', `/storage/datasets/${id}/deleteRecords`, { token: starter.token, body });
  const get = async (id: string, token = starter.token): Promise<Job> =>
    fixture.call<Job>(200, 'GET', `/jobs/${id}`, { token });
  const list = async (query: string, token = starter.token): Promise<Page<Job>> =>
    fixture.call<Page<Job>>(200, 'GET', `/jobs?${query}`, { token });
  const patch = async (status: number, id: string, to: string, token = starter.token): Promise<Job> =>
    fixture.call<Job>(status, 'PATCH', `/jobs/${id}`, { token, body: { status: to } });

  const stateOf = async (job: Job | undefined): Promise<string> => (await get(job?.id ?? '')).status;

  test('a job has its configuration, starter, progress, start and end', async () => {
    const id = await filled();
    const queued = await start(id, { recordIds: ['x', 'x'] });
    assert.deepEqual(Object.keys(queued).toSorted(), [
      'config',
      'createdAt',
      'datasetId',
      'endedAt',
      'error',
      'id',
      'progress',
      'recordCount',
      'stage',
      'startedAt',
      'status',
      'totalStages',
      'type',
      'userId',
      'workspaceId',
    ]);
    assert.deepEqual(
      [queued.config, queued.userId, queued.datasetId, queued.workspaceId, queued.progress],
      [{ recordIds: ['x'], deleteAll: false }, starter.id, id, fixture.workspace.id, 0],
    );
    await server.jobsSettled();
    const ended = await get(queued.id);
    assert.deepEqual([ended.status, ended.progress, ended.recordCount], ['completed', 100, 0]);
    assert.ok(String(ended.startedAt) > ended.createdAt && String(ended.endedAt) > String(ended.startedAt));
  });

  test('a person lists their own jobs on all datasets, and those of nobody else', async () => {
    const own = await fixture.newReader('A');
    const started: string[] = [];
    for (const id of [await filled(), await filled()]) {
      const path = `/storage/datasets/${id}/deleteRecords`;
      const body = { recordIds: ['none'] };
      started.push((await fixture.call<Job>(202, 'POST', path, { token: own.token, body })).id);
    }
    const mine = await list(`userId=${own.id}&$limit=-1`, own.token);
    assert.deepEqual(mine.data.map(({ id }) => id).toSorted(), started.toSorted());
    const other = await fixture.newReader('A');
    assert.deepEqual((await list(`userId=${other.id}`, other.token)).data, []);
    const refused = (query: string) =>
      fixture.call<{ message: string }>(400, 'GET', `/jobs?${query}`, { token: other.token });
    assert.deepEqual(await refused(`userId=${own.id}`), await refused('userId=unknown'));
    await refused(`userId[$ne]=${own.id}`);
  });

  test('listing jobs without a datasetId is 400, and the list of an absent or hidden dataset is empty', async () => {
    await fixture.call(400, 'GET', '/jobs', { token: starter.token });
    const id = await filled();
    await start(id);
    await server.jobsSettled();
    const outsider = await fixture.newReader('A');
    const hidden = await fixture.dataset([]);
    await fixture.call<Job>(202, 'POST', `/storage/datasets/${hidden}/clear`);
    await server.jobsSettled();
    for (const dataset of [hidden, 'no-such-dataset']) {
      assert.deepEqual((await list(`datasetId=${dataset}`, outsider.token)).total, 0);
    }
    assert.equal((await list(`datasetId=${id}`)).total, 1);
    assert.equal((await list(`datasetId=${hidden}`, fixture.admin)).total, 1);
  });

  test('managers of the dataset see type, status and times of a job, and it is hidden from others', async () => {
    const id = await filled();
    const job = await start(id);
    await server.jobsSettled();
    const { createdAt, startedAt, endedAt } = await get(job.id);
    assert.deepEqual(await get(job.id, fixture.admin), {
      id: job.id,
      type: 'delete-record',
      status: 'completed',
      config: null,
      error: null,
      stage: null,
      totalStages: null,
      progress: null,
      recordCount: null,
      datasetId: id,
      workspaceId: fixture.workspace.id,
      userId: starter.id,
      createdAt,
      startedAt,
      endedAt,
    });
    await fixture.call(404, 'GET', `/jobs/${job.id}`, { token: colleague.token });
    assert.equal((await list(`datasetId=${id}`, colleague.token)).total, 0);
    await patch(404, job.id, 'canceled', colleague.token);
    await fixture.call(404, 'GET', '/jobs/no-such-job', { token: starter.token });
  });

  test('filters and sort keys of jobs use only what is visible to the reader', async () => {
    const id = await filled();
    const ids = [];
    for (const body of [{ recordIds: ['x'] }, { recordIds: [], deleteAll: true }])
      ids.push((await start(id, body)).id);
    await server.jobsSettled();
    const of = `datasetId=${id}&$sort[createdAt]=-1`;
    assert.deepEqual(
      (await list(of)).data.map((job) => job.id),
      ids.toReversed(),
    );
    assert.deepEqual(
      (await list(`${of}&recordCount=6&type=delete-record&status[$in][]=completed`)).data.map(
        (job) => job.id,
      ),
      [ids[1]],
    );
    for (const query of ['recordCount=6', 'stage=2', 'progress[$gt]=0', 'totalStages=2', 'error[$ne]=null']) {
      assert.equal((await list(`${of}&${query}`, fixture.admin)).total, 0, query);
    }
    assert.equal((await list(`${of}&recordCount=null`, fixture.admin)).total, 2);
    for (const query of ['config=x', 'datasetId[$ne]=x', 'status=done']) {
      await fixture.call(400, 'GET', `/jobs?datasetId=${id}&${query}`, { token: starter.token });
    }
  });

  test('a queued job that is canceled never runs', async () => {
    const id = await filled();
    const letGo = server.holdChanges();
    const first = await start(id, { recordIds: ['x'] });
    const second = await start(id);
    const canceled = await patch(200, second.id, 'canceled');
    assert.deepEqual([canceled.status, canceled.startedAt, canceled.error], ['canceled', null, null]);
    assert.deepEqual((await patch(200, second.id, 'canceled')).status, 'canceled');
    letGo();
    await server.jobsSettled();
    assert.deepEqual([(await get(first.id)).status, await countOf(id)], ['completed', 6]);
    await patch(400, first.id, 'canceled');
  });

  test('a running job that is canceled stops and changes nothing', async () => {
    const id = await filled();
    const letGo = server.holdChanges();
    const job = await start(id);
    const canceled = await patch(200, job.id, 'canceled');
    assert.deepEqual([canceled.status, canceled.error], ['canceled', null]);
    letGo();
    await server.jobsSettled();
    assert.equal(await countOf(id), 6);
  });

  test('a manager of the dataset can cancel a job of another person, and cannot retry it', async () => {
    const id = await filled();
    const letGo = server.holdChanges();
    const job = await start(id);
    assert.equal((await patch(200, job.id, 'canceled', fixture.admin)).status, 'canceled');
    letGo();
    await patch(403, job.id, 'queued', fixture.admin);
    await server.jobsSettled();
    assert.equal(await countOf(id), 6);
  });

  test('retrying a canceled job restarts it, and a completed job cannot be retried', async () => {
    const id = await filled();
    const letGo = server.holdChanges();
    const job = await start(id);
    await patch(200, job.id, 'canceled');
    letGo();
    await server.jobsSettled();
    bodyOf(200, await fixture.write(id, [{ n: 11, label: 'A' }], { labelInfo: labelField }));
    const again = await patch(200, job.id, 'queued');
    assert.deepEqual(
      [again.status, again.stage, again.recordCount, again.startedAt, again.endedAt],
      ['queued', 0, null, null, null],
    );
    await server.jobsSettled();
    assert.deepEqual([(await get(job.id)).recordCount, await countOf(id)], [7, 0]);
    await patch(400, job.id, 'queued');
    for (const status of ['completed', 'running', 'failed', '']) await patch(400, job.id, status);
  });

  test('a failed job shows its error to the person who started it, and can be retried', async () => {
    const id = await filled();
    const letGo = server.holdChanges();
    const job = await start(id);
    const permissions = await fixture.call<Page<{ id: string; action: string }>>(
      200,
      'GET',
      `/dataset-permissions?datasetId=${id}&action=write`,
    );
    for (const { id: permission } of permissions.data) {
      await fixture.call(200, 'DELETE', `/dataset-permissions/${permission}`);
    }
    letGo();
    await server.jobsSettled();
    const failed = await get(job.id);
    assert.deepEqual([failed.status, await countOf(id)], ['failed', 6]);
    assert.ok(failed.error);
    assert.deepEqual([failed.error.name, failed.error.code], ['ForbiddenError', 403]);
    assert.match(failed.error.message, /You may not write the dataset/);
    assert.equal((await get(job.id, fixture.admin)).error, null);
    const message = encodeURIComponent(failed.error.message);
    for (const list of ['/jobs', '/segments']) {
      for (const [filter, count] of [
        [`error=${message}`, 1],
        ['error[$ne]=null', 1],
        ['error=null', 0],
        ['error=another', 0],
      ] as const) {
        const path = `${list}?datasetId=${id}&${filter}`;
        const found = await fixture.call<Page<Job>>(200, 'GET', path, { token: starter.token });
        assert.deepEqual(
          found.data.map(({ error }) => error),
          Array.from({ length: count }, () => failed.error),
          path,
        );
      }
    }
    const others = await fixture.call<Page<Job>>(200, 'GET', `/jobs?datasetId=${id}&error=${message}`);
    assert.equal(others.total, 0);
    const body = { action: 'write', datasetId: id, groupId: fixture.readers.id };
    await fixture.call(201, 'POST', '/dataset-permissions', { body });
    await patch(200, job.id, 'queued');
    await server.jobsSettled();
    assert.deepEqual(
      [(await get(job.id)).status, (await get(job.id)).error, await countOf(id)],
      ['completed', null, 0],
    );
  });

  test('POST /jobs starts the same work as the call for its type, with the same permissions and errors', async () => {
    const id = await filled();
    const post = async <T = Job>(status: number, body: object, token = starter.token): Promise<T> =>
      fixture.call<T>(status, 'POST', '/jobs', { token, body: { datasetId: id, ...body } });
    const job = await post(202, { type: 'delete-record', config: { query: 'n:[0 TO 2]' } });
    assert.deepEqual(
      [job.type, job.status, job.config],
      ['delete-record', 'queued', { query: 'n:[0 TO 2]' }],
    );
    await post(202, { type: 'delete-document', config: { query: 'n:3' } });
    await post(202, { type: 'delete-record', config: { recordIds: ['x'] } });
    await server.jobsSettled();
    assert.equal(await countOf(id), 3);
    for (const config of [
      {},
      undefined,
      null,
      { recordIds: [] },
      { query: 1 },
      { query: 'n:1', recordIds: [] },
      { any: 1 },
    ]) {
      await post(400, { type: 'delete-record', config });
    }
    await post(400, { type: 'clear-dataset', config: { any: 1 } }, fixture.admin);
    await post(403, { type: 'clear-dataset' });
    await post(404, { type: 'clear-dataset', datasetId: 'no-such-dataset' });
    await post(400, { type: 'no-such-type' });
    await post(400, { type: 'ingest', config: { any: 1 } });
    const { name } = await post<{ name: string }>(501, { type: 'relabel-record', config: { any: 1 } });
    assert.equal(name, 'NotImplementedError');
    assert.equal(
      (await post(202, { type: 'clear-dataset', config: {} }, fixture.admin)).type,
      'clear-dataset',
    );
    await server.jobsSettled();
    assert.equal(await countOf(id), 0);
  });

  test('jobs of a dataset run one after another, and those of a workspace up to its limit', async () => {
    const ids = [await filled(), await filled(), await filled()];
    const letGo = server.holdChanges();
    const [first, second] = [await start(ids[0] ?? ''), await start(ids[0] ?? '')];
    const others = [await start(ids[1] ?? ''), await start(ids[2] ?? '')];
    await until(async () => (await stateOf(others[0])) === 'running');
    assert.deepEqual(
      [await stateOf(first), await stateOf(second), await stateOf(others[0]), await stateOf(others[1])],
      ['running', 'queued', 'running', 'queued'],
    );
    letGo();
    await server.jobsSettled();
    for (const job of [first, second, ...others]) assert.equal(await stateOf(job), 'completed');
  });

  test('only the starter of a job sees its segments; managers of the dataset do not', async () => {
    const id = await filled();
    const job = await start(id);
    const other = await start(id, { recordIds: ['x'] });
    await server.jobsSettled();
    await fixture.call(400, 'GET', '/segments', { token: starter.token });
    const path = `/segments?datasetId=${id}&jobId=${job.id}`;
    const { data } = await fixture.call<Page<Segment>>(200, 'GET', path, { token: starter.token });
    const [segment] = data;
    assert.ok(segment !== undefined && data.length === 1);
    assert.match(String(segment.processedBy), /^[0-9a-f-]{36}$/);
    assert.deepEqual(segment, {
      id: segment.id,
      number: 0,
      config: {},
      stage: 2,
      status: 'completed',
      error: null,
      datasetId: id,
      workspaceId: fixture.workspace.id,
      jobId: job.id,
      processedBy: segment.processedBy,
      uploadId: null,
      bytesRead: null,
      bytesTotal: null,
      recordCount: null,
    });
    assert.deepEqual(
      await fixture.call(200, 'GET', `/segments/${segment.id}`, { token: starter.token }),
      segment,
    );
    await fixture.call(404, 'GET', `/segments/${segment.id}`);
    assert.equal((await fixture.call<Page<Segment>>(200, 'GET', path)).total, 0);
    await fixture.call(404, 'GET', `/segments/${segment.id}`, { token: colleague.token });
    const all = await fixture.call<Page<Segment>>(200, 'GET', `/segments?datasetId=${id}`, {
      token: starter.token,
    });
    assert.deepEqual(all.data.map(({ jobId }) => jobId).toSorted(), [job.id, other.id].toSorted());
    const none = await fixture.call<Page<Segment>>(200, 'GET', path, { token: colleague.token });
    assert.equal(none.total, 0);
  });

  test('jobs are deleted with their dataset', async () => {
    const id = await filled();
    const job = await start(id);
    await server.jobsSettled();
    await fixture.call(200, 'DELETE', `/datasets/${id}`);
    await fixture.call(404, 'GET', `/jobs/${job.id}`, { token: starter.token });
  });
});

/** Polls until the condition holds. */
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds()));
};

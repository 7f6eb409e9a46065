/* Shows: F-POST-/storage/datasets/{datasetId}/deleteRecords-recordIds,
   F-POST-/storage/datasets/{datasetId}/deleteRecords-deleteAll,
   F-POST-/storage/datasets/{datasetId}/deleteRecords/query-query, V-jobType-relabel-record, D-delete-needs,
   D-manage-needs-clear, D-clear-container, E-Job-type, E-Job-status, E-Job-stage, E-Job-totalStages,
   R-status-job, L17, L18, L29, R-required-delete-by-ids, R-required-delete-by-query, R-deleteAll,
   V-jobStatus-completed, V-jobType-clear-dataset, V-jobType-delete-record, V-jobType-delete-document */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Job } from '@redoubt/contract';
import {
  sendRequest,
  bodyOf,
  createRecordFixture,
  labelField,
  type RecordFixture,
  type TestPerson,
} from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';

interface Kept {
  id: string;
  n: number;
  label: string;
}

const storage = (id: string, call: string): string => `/storage/datasets/${id}/${call}`;
const page = (document: string, n: number, label: string, text: string) => ({
  document_id: document,
  n,
  label,
  text,
});

describe('deleting, clearing and relabelling records', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  /** A member who holds both attributes, so nothing in this file is hidden from them. */
  let all: string;
  /** A member who holds only A. */
  let onlyA: string;

  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
    all = await fixture.reader('A', 'B', 'C');
    onlyA = await fixture.reader('A');
  });
  after(() => server.close());

  const kept = async (id: string, token = all): Promise<Kept[]> => {
    const body = JSON.stringify({ datasetId: id, includeInternalFields: true, batchSize: -1 });
    const { records } = bodyOf(200, await fixture.post('/readInSequence', body, { token }));
    return records
      .map((record) => ({
        id: String(record['_koverse_record_id']),
        n: Number(record['n']),
        label: String(record['_koverse_security_label']),
      }))
      .toSorted((a, b) => a.n - b.n);
  };
  const numbers = async (id: string, token = all): Promise<number[]> =>
    (await kept(id, token)).map(({ n }) => n);
  const countOf = async (id: string, token = all): Promise<unknown> =>
    (await sendRequest(server, 'GET', `/datasets/${id}`, { token })).body['recordCount'];
  /** Creates a dataset of records 0 to 9: below 6 with the label A, the others with B. */
  const filled = async (actions: ('read' | 'write' | 'manage')[] = ['read', 'write']): Promise<string> => {
    const id = await fixture.dataset(actions);
    const records = Array.from({ length: 10 }, (_, n) => ({
      n,
      label: n < 6 ? 'A' : 'B',
      word: `w${n % 2}`,
    }));
    bodyOf(200, await fixture.write(id, records, { labelInfo: labelField }));
    return id;
  };
  /** Starts a job, waits until it ends, and returns it as its starter sees it. */
  const run = async (token: string, path: string, body?: unknown, method: 'PATCH' | 'POST' = 'POST') => {
    const started = await fixture.call<Job>(202, method, path, {
      token,
      ...(body === undefined ? {} : { body }),
    });
    assert.deepEqual([started.status, started.stage, started.endedAt], ['queued', 0, null]);
    await server.jobsSettled();
    return fixture.call<Job>(200, 'GET', `/jobs/${started.id}`, { token });
  };

  test('deleting by ids removes the listed records that are visible to the requester, and skips all others', async () => {
    const id = await filled();
    const ids = (await kept(id)).filter(({ n }) => [1, 2, 7].includes(n)).map((record) => record.id);
    const job = await run(onlyA, storage(id, 'deleteRecords'), {
      recordIds: [...ids, 'no-such-record', ids[0]],
    });
    assert.deepEqual(
      [job.type, job.status, job.error, job.recordCount, job.stage, job.totalStages, job.progress],
      ['delete-record', 'completed', null, 2, 2, 2, 100],
    );
    assert.deepEqual(await numbers(id), [0, 3, 4, 5, 6, 7, 8, 9]);
    assert.deepEqual([await countOf(id), await countOf(id, onlyA)], [8, 4]);
  });

  test('deleteAll with an empty list deletes exactly the records that are visible to the requester', async () => {
    const id = await filled();
    const job = await run(onlyA, storage(id, 'deleteRecords'), { recordIds: [], deleteAll: true });
    assert.equal(job.recordCount, 6);
    assert.deepEqual(await numbers(id), [6, 7, 8, 9]);
    assert.deepEqual(await numbers(id, onlyA), []);
  });

  test('an empty list without deleteAll, and deleteAll with ids, are rejected', async () => {
    const id = await filled();
    for (const body of [
      { recordIds: [] },
      { recordIds: [], deleteAll: false },
      { recordIds: ['x'], deleteAll: true },
      { deleteAll: true },
      { recordIds: 'x' },
    ]) {
      await fixture.call(400, 'POST', storage(id, 'deleteRecords'), { token: all, body });
    }
    await server.jobsSettled();
    assert.equal((await numbers(id)).length, 10);
  });

  test('a delete with neither ids nor a query is rejected with the name of the field', async () => {
    const id = await filled();
    for (const [call, field] of [
      ['deleteRecords', 'recordIds'],
      ['deleteRecords/query', 'query'],
      ['deleteDocuments/query', 'query'],
    ] as const) {
      const refused = await fixture.call<{ message: string }>(400, 'POST', storage(id, call), {
        token: all,
        body: {},
      });
      assert.ok(refused.message.includes(field), refused.message);
    }
    await server.jobsSettled();
    assert.equal((await numbers(id)).length, 10);
  });

  test('deleting by a query removes the matching records that are visible to the requester', async () => {
    const id = await filled();
    const job = await run(onlyA, storage(id, 'deleteRecords/query'), { query: 'n: [4 TO 8]' });
    assert.deepEqual([job.status, job.recordCount], ['completed', 2]);
    assert.deepEqual(await numbers(id), [0, 1, 2, 3, 6, 7, 8, 9]);
    const encoded = await run(all, storage(id, 'deleteRecords/query'), { query: 'word%3Aw1' });
    assert.equal(encoded.recordCount, 4);
    assert.deepEqual(await numbers(id), [0, 2, 6, 8]);
  });

  test('a query that does not parse, or has no field where that is turned off, starts no job', async () => {
    const id = await fixture.dataset(['read', 'write'], { searchAnyField: false });
    for (const call of ['deleteRecords/query', 'deleteDocuments/query']) {
      for (const [query, name] of [
        ['n:[1 TO', 'LuceneParseError'],
        ['', 'BadRequestError'],
        ['word', 'MissingIndexError'],
      ] as const) {
        const result = await fixture.call<{ name: string }>(400, 'POST', storage(id, call), {
          token: all,
          body: { query },
        });
        assert.equal(result.name, name);
      }
    }
    const { total } = await fixture.call<{ total: number }>(200, 'GET', `/jobs?datasetId=${id}`, {
      token: all,
    });
    assert.equal(total, 0);
  });

  test('deleting documents removes their visible records, whichever of them matched', async () => {
    const id = await fixture.dataset();
    const records = [
      page('d1', 1, 'A', 'needle'),
      page('d1', 2, 'A', 'hay'),
      page('d1', 3, 'B', 'hay'),
      page('d2', 4, 'A', 'hay'),
      page('d2', 5, 'B', 'needle'),
      { n: 6, label: 'A', text: 'needle' },
    ];
    bodyOf(200, await fixture.write(id, records, { labelInfo: labelField }));
    const job = await run(onlyA, storage(id, 'deleteDocuments/query'), { query: 'text:needle' });
    assert.deepEqual([job.type, job.status, job.recordCount], ['delete-document', 'completed', 2]);
    assert.deepEqual(await numbers(id), [3, 4, 5, 6]);
  });

  test('clearing empties the dataset including hidden records, and its job has no count', async () => {
    const id = await filled();
    const job = await run(fixture.admin, storage(id, 'clear'));
    assert.deepEqual(
      [job.type, job.status, job.recordCount, job.config],
      ['clear-dataset', 'completed', null, {}],
    );
    assert.deepEqual([await numbers(id), await countOf(id)], [[], 0]);
    bodyOf(200, await fixture.write(id, [{ n: 1, label: 'A' }], { labelInfo: labelField }));
    assert.deepEqual([await numbers(id), await countOf(id)], [[1], 1]);
  });

  test('relabelling changes the selected records that are visible to the requester, and no others', async () => {
    const id = await filled(['manage']);
    const job = await run(onlyA, storage(id, 'labels'), { label: 'c', query: 'n:[5 TO 7]' }, 'PATCH');
    assert.deepEqual([job.type, job.status, job.recordCount], ['relabel-record', 'completed', 1]);
    const asPython = { token: onlyA, headers: { 'user-agent': 'OpenAPI-Generator/4.177.0/python' } };
    const jobs = await fixture.call<{ data: { type: string }[] }>(
      200,
      'GET',
      `/jobs?datasetId=${id}`,
      asPython,
    );
    assert.deepEqual(
      jobs.data.map(({ type }) => type),
      ['reindex'],
    );
    assert.equal(
      (await fixture.call<{ type: string }>(200, 'GET', `/jobs/${job.id}`, asPython)).type,
      'reindex',
    );
    assert.deepEqual(
      (await kept(id)).map(({ label }) => label),
      ['A', 'A', 'A', 'A', 'A', 'C', 'B', 'B', 'B', 'B'],
    );
    assert.deepEqual([await countOf(id, onlyA), await countOf(id)], [5, 10]);
    const [first] = await kept(id);
    const byId = await run(
      all,
      storage(id, 'labels'),
      { label: 'B&(A|C)', recordIds: [first?.id, 'none'] },
      'PATCH',
    );
    assert.equal(byId.recordCount, 1);
    assert.equal((await kept(id))[0]?.label, '(A|C)&B');
    assert.deepEqual(await numbers(id, onlyA), [1, 2, 3, 4]);
  });

  test('an invalid label, the empty label, and none or two selections are rejected', async () => {
    const id = await filled(['manage']);
    for (const [body, name] of [
      [{ label: 'A&', query: 'n:1' }, 'SecurityError'],
      [{ label: '', query: 'n:1' }, 'BadRequestError'],
      [{ label: ' ', query: 'n:1' }, 'SecurityError'],
      [{ label: 'A' }, 'BadRequestError'],
      [{ label: 'A', query: 'n:1', recordIds: ['x'] }, 'BadRequestError'],
      [{ label: 'A', recordIds: [] }, 'BadRequestError'],
      [{ query: 'n:1' }, 'BadRequestError'],
    ] as const) {
      const problem = await fixture.call<{ name: string }>(400, 'PATCH', storage(id, 'labels'), {
        token: all,
        body,
      });
      assert.equal(problem.name, name, JSON.stringify(body));
    }
  });

  test('a label may contain attributes that nobody holds, and they are created', async () => {
    const id = await filled(['manage']);
    await run(all, storage(id, 'labels'), { label: 'NEW-ONE', query: 'n:0' }, 'PATCH');
    assert.deepEqual(await numbers(id), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const { total } = await fixture.call<{ total: number }>(200, 'GET', '/attributes?token=NEW-ONE');
    assert.equal(total, 1);
  });

  test('deleting takes read and write, clearing and relabelling take manage', async () => {
    const calls = [
      ['POST', 'deleteRecords', { recordIds: ['x'] }, ['read', 'write']],
      ['POST', 'deleteRecords/query', { query: 'n:1' }, ['read', 'write']],
      ['POST', 'deleteDocuments/query', { query: 'n:1' }, ['read', 'write']],
      ['POST', 'clear', undefined, ['manage']],
      ['PATCH', 'labels', { label: 'A', query: 'n:1' }, ['manage']],
    ] as const;
    for (const granted of [['read'], ['write'], ['read', 'write'], ['manage'], []] as const) {
      const id = await filled([...granted]);
      for (const [method, call, body, needed] of calls) {
        const may =
          granted.some((each) => each === 'manage') ||
          needed.every((each) => granted.some((one) => one === each));
        const status = granted.length === 0 ? 404 : may ? 202 : 403;
        await fixture.call(status, method, storage(id, call), { token: all, ...(body && { body }) });
      }
      await server.jobsSettled();
    }
    for (const [method, call, body] of calls) {
      await fixture.call(404, method, storage('no-such-dataset', call), {
        token: all,
        ...(body && { body }),
      });
    }
  });

  test('L17: a job runs with the permissions that its starter has when it runs', async () => {
    const id = await filled();
    const leaving: TestPerson = await fixture.newReader('A');
    const disabled: TestPerson = await fixture.newReader('A');
    const former: TestPerson = await fixture.newReader('A', 'B');
    const assignments = await fixture.call<{ data: { id: string; attributeId: string }[] }>(
      200,
      'GET',
      `/attribute-assignments?userId=${former.id}&attribute=B`,
    );
    const memberships = await fixture.call<{ data: { id: string }[] }>(
      200,
      'GET',
      `/group-memberships?userId=${leaving.id}`,
    );
    const letGo = server.holdChanges();
    const jobs: [TestPerson, Job][] = [];
    for (const person of [leaving, disabled, former]) {
      const job = await fixture.call<Job>(202, 'POST', storage(id, 'deleteRecords'), {
        token: person.token,
        body: { recordIds: [], deleteAll: true },
      });
      jobs.push([person, job]);
    }
    for (const { id: membership } of memberships.data) {
      await fixture.call(200, 'DELETE', `/groups-memberships/${membership}`);
    }
    await fixture.call(200, 'DELETE', `/users/${disabled.id}`);
    for (const { id: assignment } of assignments.data) {
      await fixture.call(200, 'DELETE', `/attribute-assignments/${assignment}`);
    }
    letGo();
    await server.jobsSettled();
    assert.deepEqual(await numbers(id), [6, 7, 8, 9]);
    const ends = await fixture.call<{ data: Job[] }>(200, 'GET', `/jobs?datasetId=${id}&$limit=-1`);
    const endOf = (job: Job): unknown => ends.data.find((each) => each.id === job.id)?.status;
    assert.deepEqual(
      jobs.map(([, job]) => endOf(job)),
      ['failed', 'failed', 'completed'],
    );
    const [, lost] = jobs[0] ?? assert.fail();
    const seen = await fixture.call<Job>(200, 'GET', `/jobs/${lost.id}`, { token: leaving.token });
    assert.match(seen.error?.message ?? '', /no dataset with id/);
  });
});

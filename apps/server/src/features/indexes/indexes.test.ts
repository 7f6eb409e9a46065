/* Shows: F-GET-/indexes-fields, A-index-same, A-index-automatic, A-index-fill, D-manage-needs-indexes,
   D-jobs-of-indexes, D-lists-need-dataset, E-Index-id, E-Index-datasetId, E-Index-fields,
   R-status-index-management, R-list-indexes-needs-dataset, V-jobType-reindex, W-status-index-management,
   W-index-management */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dataset, Index, Job } from '@redoubt/contract';
import { bodyOf, createRecordFixture, labelField, type RecordFixture } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';

interface Page {
  total: number;
  data: Index[];
}

const absentId = '00000000-0000-4000-8000-000000000000';

describe('indexes', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
  });
  after(() => server.close());

  const records = Array.from({ length: 20 }, (_, n) => ({
    n,
    city: `city ${n}`,
    at: new Date(1.7e12 + n).toISOString(),
    flag: true,
    tags: [n],
    place: { lat: n / 2 },
    label: '',
  }));
  const dataset = async (fields: Record<string, unknown> = {}): Promise<string> => {
    const id = await fixture.dataset(['read', 'write'], fields);
    const hidden = { n: 1, secret: 'hidden', label: 'A' };
    bodyOf(200, await fixture.write(id, [...records, hidden], { labelInfo: labelField }));
    return id;
  };
  const fieldsOf = async (datasetId: string, token = fixture.admin): Promise<string[]> => {
    const path = `/indexes?datasetId=${datasetId}&$limit=-1`;
    const { data, total } = await fixture.call<Page>(200, 'GET', path, { token });
    assert.equal(total, data.length);
    return data.map(({ fields = [] }) => fields.join('+')).toSorted((a, b) => (a < b ? -1 : 1));
  };
  const create = (datasetId: string, ...fields: string[]): Promise<Index> =>
    fixture.call<Index>(201, 'POST', '/indexes', { body: { datasetId, fields } });
  const inEngine = async (datasetId: string): Promise<number> =>
    Number(
      await server.engine.text(
        `SELECT count() FROM system.data_skipping_indices WHERE endsWith(table, '${datasetId.replaceAll('-', '_')}') AND startsWith(name, 'field_')`,
        { lane: 'short' },
      ),
    );
  const hasWords = async (datasetId: string): Promise<boolean> =>
    (
      await server.engine.text(
        `SELECT count() FROM system.data_skipping_indices WHERE endsWith(table, '${datasetId.replaceAll('-', '_')}') AND name = 'words_by_path'`,
        { lane: 'short' },
      )
    ).trim() === '1';
  const manage = (datasetId: string, body: object): Promise<Job> =>
    fixture.call<Job>(201, 'POST', '/index-management', {
      body: { action: 'modifyIndexes', datasetId, ...body },
    });
  const ended = async ({ id }: Job): Promise<Job> => {
    for (;;) {
      const job = await fixture.call<Job>(200, 'GET', `/jobs/${id}`);
      if (job.status !== 'queued' && job.status !== 'running') return job;
      await sleep(20);
    }
  };

  test('visible fields get indexes as they appear, and no other indexes are listed', async () => {
    const id = await dataset();
    assert.deepEqual(await fieldsOf(id), ['at', 'city', 'label', 'n', 'place.lat']);
    assert.ok((await inEngine(id)) >= 6);
    bodyOf(200, await fixture.write(id, [{ fresh: 1, label: '' }], { labelInfo: labelField }));
    assert.ok((await fieldsOf(id)).includes('fresh'));
    const off = await dataset({ autoCreateIndexes: false });
    assert.deepEqual(await fieldsOf(off), []);
    assert.equal(await inEngine(off), 0);
  });

  test('an index over one or several fields is created, read, changed and dropped, and the engine has it meanwhile', async () => {
    const id = await dataset({ autoCreateIndexes: false });
    const one = await create(id, 'n');
    assert.deepEqual(one, { id: one.id, datasetId: id, fields: ['n'] });
    assert.equal(await inEngine(id), 2);
    const both = await create(id, 'city', 'at');
    assert.deepEqual(await fieldsOf(id), ['city+at', 'n']);
    assert.equal(await inEngine(id), 4);
    assert.deepEqual(await fixture.call(200, 'GET', `/indexes/${both.id}`), both);
    const patched = await fixture.call<Index>(200, 'PATCH', `/indexes/${both.id}`, {
      body: { fields: ['city'] },
    });
    assert.deepEqual(patched, { ...both, fields: ['city'] });
    assert.equal(await inEngine(id), 3);
    assert.deepEqual(await fixture.call(200, 'DELETE', `/indexes/${both.id}`), patched);
    await fixture.call(200, 'DELETE', `/indexes/${one.id}`);
    assert.deepEqual(await fieldsOf(id), []);
    assert.equal(await inEngine(id), 0);
    await fixture.call(404, 'GET', `/indexes/${one.id}`);
  });

  test('an index is rejected if it is a duplicate, has no or too many fields, or belongs to another dataset', async () => {
    const id = await dataset({ autoCreateIndexes: false });
    const one = await create(id, 'n');
    const other = await create(id, 'city');
    await fixture.call(409, 'POST', '/indexes', { body: { datasetId: id, fields: ['n'] } });
    await fixture.call(409, 'PATCH', `/indexes/${one.id}`, { body: { fields: other.fields } });
    await fixture.call(403, 'PATCH', `/indexes/${one.id}`, { body: { datasetId: absentId } });
    for (const fields of [[], ['n', 'n'], [''], Array.from({ length: 9 }, (_, n) => `f${n}`), 'n', [1]]) {
      await fixture.call(400, 'POST', '/indexes', { body: { datasetId: id, fields } });
    }
    await fixture.call(404, 'POST', '/indexes', { body: { datasetId: absentId, fields: ['n'] } });
  });

  test('an automatic index cannot be changed, and once dropped stays so unless a person creates it again', async () => {
    const id = await dataset();
    const { data } = await fixture.call<Page>(200, 'GET', `/indexes?datasetId=${id}&$limit=-1`);
    const found = data.find(({ fields }) => fields?.join() === 'n');
    await fixture.call(400, 'PATCH', `/indexes/${found?.id}`, { body: { fields: ['city', 'n'] } });
    const before = await inEngine(id);
    await fixture.call(200, 'DELETE', `/indexes/${found?.id}`);
    assert.equal(await inEngine(id), before - 2);
    bodyOf(200, await fixture.write(id, [{ n: 5, another: 1, label: '' }], { labelInfo: labelField }));
    assert.ok(!(await fieldsOf(id)).includes('n'));
    await create(id, 'n');
    assert.ok((await fieldsOf(id)).includes('n'));
  });

  test('an index over a field that is hidden from another manager is hidden from them, even when they create the same one', async () => {
    const id = await fixture.dataset(['read', 'write', 'manage'], { autoCreateIndexes: false });
    const hidden = { n: 1, secret: 'hidden', label: 'A' };
    bodyOf(200, await fixture.write(id, [...records, hidden], { labelInfo: labelField }));
    const [seeing, blind] = await Promise.all([fixture.reader('A'), fixture.reader()]);
    const make = (token: string, fields: string[], status = 201) =>
      fixture.call<Index>(status, 'POST', '/indexes', { token, body: { datasetId: id, fields } });
    const first = await make(seeing, ['secret']);
    await make(seeing, ['n', 'secret']);
    await make(seeing, ['city']);
    assert.deepEqual(await fieldsOf(id, blind), ['city']);
    await fixture.call(404, 'GET', `/indexes/${first.id}`, { token: blind });
    await fixture.call(404, 'DELETE', `/indexes/${first.id}`, { token: blind });
    await make(blind, ['city'], 409);
    const second = await make(blind, ['secret']);
    await make(blind, ['secret'], 409);
    assert.deepEqual(await fieldsOf(id, blind), ['city', 'secret']);
    const inUse = await inEngine(id);
    await fixture.call(200, 'DELETE', `/indexes/${second.id}`, { token: blind });
    assert.deepEqual(await fieldsOf(id, blind), ['city']);
    assert.deepEqual(await fieldsOf(id, seeing), ['city', 'n+secret', 'secret']);
    assert.equal(await inEngine(id), inUse);
  });

  test('a job about indexes that are hidden from another manager is hidden from them, in the audit log too', async () => {
    const id = await fixture.dataset(['read', 'write', 'manage'], { autoCreateIndexes: false });
    const hidden = { n: 1, secret: 'hidden', label: 'A' };
    bodyOf(200, await fixture.write(id, [...records, hidden], { labelInfo: labelField }));
    const [seeing, blind] = await Promise.all([fixture.newReader('A'), fixture.newReader()]);
    for (const { id: userId } of [seeing, blind]) {
      const code = 'manage-audit-log';
      await fixture.call(201, 'POST', '/workspace-permissions-assignments', {
        body: {
          workspacePermissionsId: code,
          workspacePermissionsCode: code,
          userId,
          workspaceId: fixture.workspace.id,
        },
      });
    }
    const { token } = seeing;
    const make = (fields: string[]) =>
      fixture.call<Index>(201, 'POST', '/indexes', { token, body: { datasetId: id, fields } });
    const arrange = (body: object) =>
      fixture.call<Job>(201, 'POST', '/index-management', {
        token,
        body: { action: 'modifyIndexes', datasetId: id, ...body },
      });
    const list = (path: string, by = blind) =>
      fixture.call<{ total: number; data: { id: string }[] }>(
        200,
        'GET',
        `${path}?datasetId=${id}&$limit=-1`,
        {
          token: by.token,
        },
      );
    const events = async (by: typeof blind): Promise<string[]> => {
      const body = { expression: 'type:DatasetManagement', datasetId: id, limit: -1 };
      const found = await fixture.call<{ data: { description: string; details: Record<string, unknown> }[] }>(
        200,
        'POST',
        '/audit-log/query',
        { token: by.token, body },
      );
      for (const { details } of found.data) assert.ok(!('recordCount' in details));
      return found.data
        .map(({ description }) => description)
        .filter((description) => /index|job/.test(description))
        .toReversed();
    };
    const descriptions = await events(blind);
    const one = await make(['secret']);
    await fixture.call(200, 'PATCH', `/indexes/${one.id}`, { token, body: { fields: ['secret', 'n'] } });
    await make(['city', 'secret']);
    const unseen = await arrange({ create: ['secret'], remove: [one.id] });
    await fixture.call(200, 'DELETE', `/indexes/${(await make(['secret', 'at'])).id}`, { token });
    assert.equal((await list('/jobs', seeing)).total, 5);
    assert.deepEqual(await list('/jobs'), { total: 0, limit: -1, skip: 0, data: [] });
    assert.equal((await list('/segments')).total, 0);
    await fixture.call(404, 'GET', `/jobs/${unseen.id}`, { token: blind.token });
    await fixture.call(404, 'PATCH', `/jobs/${unseen.id}`, {
      token: blind.token,
      body: { status: 'canceled' },
    });
    const segment = (await list('/segments', seeing)).data[0]?.id ?? 'none';
    await fixture.call(404, 'GET', `/segments/${segment}`, { token: blind.token });
    assert.deepEqual(await events(blind), descriptions);
    assert.equal((await events(seeing)).length, descriptions.length + 11);

    // Work on a field that both see, or on no particular field, is visible to both.
    await make(['city']);
    await arrange({ create: ['secret', 'at'] });
    await arrange({ create: ['secret'], searchAnyField: true });
    await fixture.call(202, 'POST', '/jobs', { token, body: { type: 'reindex', datasetId: id } });
    assert.equal((await list('/jobs')).total, 4);
    // Segments are for the starter alone, who is another person.
    assert.equal((await list('/segments')).total, 0);
    assert.equal((await list('/jobs', seeing)).total, 9);
    for (const { id: jobId } of (await list('/jobs')).data)
      await fixture.call(200, 'GET', `/jobs/${jobId}`, { token: blind.token });
    assert.equal((await events(blind)).filter((description) => description === 'started a job').length, 4);
  });

  test('an index that a person created replaces the automatic one', async () => {
    const id = await dataset();
    const fields = await fieldsOf(id);
    const made = await create(id, 'n');
    assert.deepEqual(await fieldsOf(id), fields);
    await fixture.call(200, 'DELETE', `/indexes/${made.id}`);
    assert.deepEqual(
      await fieldsOf(id),
      fields.filter((field) => field !== 'n'),
    );
  });

  test('the list of indexes follows the list conventions, needs a dataset, and leaves out fields on request', async () => {
    const id = await dataset({ autoCreateIndexes: false });
    const made = [await create(id, 'n'), await create(id, 'city'), await create(id, 'at')];
    const list = (query: string) => fixture.call<Page>(200, 'GET', `/indexes?datasetId=${id}${query}`);
    assert.deepEqual((await list(`&id=${made[1]?.id}`)).data, [made[1]]);
    const sorted = (await list('&$sort[id]=-1&$limit=2&$skip=1')).data.map((index) => index.id);
    assert.deepEqual(
      sorted,
      made
        .map((index) => index.id)
        .toSorted()
        .toReversed()
        .slice(1),
    );
    assert.deepEqual(Object.keys((await list('&fields=False')).data[0] ?? {}), ['id', 'datasetId']);
    await fixture.call(400, 'GET', '/indexes');
    assert.deepEqual((await fixture.call<Page>(200, 'GET', `/indexes?datasetId=${absentId}`)).data, []);
  });

  test('index-management returns 201 with a job that fills the indexes, and changes the settings of indexes and searches', async () => {
    const id = await dataset({ autoCreateIndexes: false });
    const composite = await create(id, 'n', 'city');
    const job = await manage(id, {
      remove: [composite.id],
      create: ['city', ['n', 'at'], { fields: ['place.lat'] }],
      autoCreateIndexes: false,
      searchAnyField: false,
    });
    assert.deepEqual([job.type, job.status, job.datasetId, job.totalStages], ['reindex', 'queued', id, 2]);
    const { status, stage, progress } = await ended(job);
    assert.deepEqual([status, stage, progress], ['completed', 2, 100]);
    assert.deepEqual(await fieldsOf(id), ['city', 'n+at', 'place.lat']);
    const { searchAnyField, autoCreateIndexes } = await fixture.call<Dataset>(200, 'GET', `/datasets/${id}`);
    assert.deepEqual([searchAnyField, autoCreateIndexes], [false, false]);
    const search = { body: { datasetId: id, expression: 'city' } };
    assert.equal(
      (await fixture.call<{ name: string }>(400, 'POST', '/query/lucene', search)).name,
      'MissingIndexError',
    );
    await manage(id, { remove: [], create: [], searchAnyField: true, autoCreateIndexes: true });
    assert.equal((await fixture.call<{ total: number }>(200, 'POST', '/query/lucene', search)).total, 20);
    assert.ok((await fieldsOf(id)).includes('n'));
    await fixture.call(400, 'POST', '/index-management', {
      body: { action: 'modifyIndexes', datasetId: id, remove: ['none'] },
    });
    await fixture.call(400, 'POST', '/index-management', { body: { action: 'other', datasetId: id } });
  });

  test('a manager of the dataset can start a job of the type reindex', async () => {
    const id = await dataset();
    const body = { type: 'reindex', datasetId: id };
    assert.equal((await ended(await fixture.call<Job>(202, 'POST', '/jobs', { body }))).status, 'completed');
    await fixture.call(403, 'POST', '/jobs', { body, token: await fixture.reader() });
    await fixture.call(400, 'POST', '/jobs', { body: { ...body, config: { any: 1 } } });
  });

  test('columns labelled by the first write or later get the word index by path, and keep it with new fields', async () => {
    const written = await fixture.dataset(['read', 'write']);
    const body = { records: [{ city: 'one', secret: 'two' }] };
    const labels = { columnSecurityLabelInfo: { secret: { securityLabel: 'A' } } };
    await fixture.call(200, 'POST', `/v2/write/${written}`, { body: { ...body, ...labels } });
    assert.equal(await hasWords(written), true, 'written with labels');
    const made = await fixture.dataset(['read', 'write']);
    await fixture.call(200, 'POST', `/v2/write/${made}`, { body });
    const index = await create(made, 'city');
    assert.equal(await hasWords(made), true, 'an index of a text');
    await fixture.call(200, 'DELETE', `/indexes/${index.id}`);
    assert.equal(await hasWords(made), false);
    await fixture.call(201, 'PATCH', `/write/schema/${made}`, { body: labels.columnSecurityLabelInfo });
    assert.equal(await hasWords(made), true, 'labelled later');
  });

  test('searches and statements return the same with and without indexes', async () => {
    const id = await dataset({ autoCreateIndexes: false });
    const query = async (): Promise<unknown[]> => [
      await fixture.call(200, 'POST', '/query/lucene', {
        body: { datasetId: id, expression: 'n:[3 TO 7] OR city:"city 9"' },
      }),
      await fixture.call(200, 'POST', '/query', {
        body: { expression: `SELECT * FROM "${id}" WHERE n = 4 OR at > '2023-11-14T22:13:20.015Z'` },
      }),
    ];
    const before = await query();
    await ended(await manage(id, { create: ['n', 'city', 'at', ['n', 'city']] }));
    assert.deepEqual(await query(), before);
  });
});

/* Shows: F-POST-/uploads-writeMode, F-POST-/uploads-keyColumns, F-POST-/uploads-columnSecurityLabelInfo */
import { startServer, type TestServer } from '@redoubt/server/testing';
import {
  createRecordFixture,
  createUploadFixture,
  labelField,
  type RecordFixture,
  type TestPerson,
  type UploadFixture,
} from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

const accessControlLabel = { securityLabeled: true, securityLabelInfo: labelField };
const replace = { writeMode: 'replace', accessControlLabel };
const upsert = { writeMode: 'upsert', keyColumns: ['id'] };

const counts = ({
  received,
  written,
  rejected,
  dropped,
  duplicate,
  replaced,
}: Awaited<ReturnType<UploadFixture['upload']>>['receipt']) => ({
  received,
  written,
  rejected,
  dropped,
  duplicate,
  replaced,
});

describe('write modes', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  let uploads: UploadFixture;
  /** A member who holds the attribute A. */
  let uploader: TestPerson;
  /** The token of a member who holds the attributes A and B. */
  let both: string;

  before(async () => {
    server = await startServer({ ingestLimits: { blockRows: 3 } });
    fixture = await createRecordFixture(server);
    uploads = createUploadFixture(fixture, server.jobsSettled);
    uploader = await fixture.newReader('A');
    both = await fixture.reader('A', 'B');
  });
  after(() => server.close());

  const dataset = async (records: readonly unknown[]): Promise<string> => {
    const id = await fixture.dataset();
    const { status, text } = await fixture.write(id, records, { labelInfo: labelField });
    assert.equal(status, 200, text);
    return id;
  };
  const seen = async (id: string, token = uploader.token): Promise<unknown[]> =>
    (await uploads.records(id, token)).map(({ n }) => n);

  test('replace puts the rows of all files in the place of the visible records; hidden ones stay, and the receipt is the same without them', async () => {
    const visible = [{ n: 1 }, { n: 2, label: 'A' }];
    const receipts = [];
    for (const hidden of [
      [],
      [
        { n: 3, label: 'B' },
        { n: 1, label: 'A&B' },
      ],
    ]) {
      const id = await dataset([...visible, ...hidden]);
      const files = { 'a.csv': 'n,label\n11,\n12,A\n13,B\n14,A&\n15,A\n', 'b.csv': 'n,label\n16,\n' };
      const { receipt, job } = await uploads.upload(id, files, replace, uploader.token);
      assert.deepEqual([job.status, job.error, job.config?.['writeMode']], ['completed', null, 'replace']);
      receipts.push(counts(receipt));
      assert.deepEqual(await seen(id), [11, 12, 15, 16]);
      assert.deepEqual(
        await seen(id, both),
        hidden.length === 0 ? [11, 12, 13, 15, 16] : [1, 11, 12, 13, 15, 16, 3],
      );
    }
    assert.deepEqual(receipts, [
      { received: 6, written: 5, rejected: 1, dropped: 0, duplicate: 0, replaced: 2 },
      { received: 6, written: 5, rejected: 1, dropped: 0, duplicate: 0, replaced: 2 },
    ]);
  });

  test('other readers see the receipt of a replace once its records are visible, without the number that it replaced', async () => {
    const id = await dataset([{ n: 1 }]);
    const { jobId } = await uploads.upload(id, { 'a.csv': 'n,label\n2,\n3,B\n' }, replace, uploader.token);
    const theirs = await fixture.call<{ written: number; replaced: number | null }>(
      200,
      'GET',
      `/jobs/${jobId}/receipt`,
      {
        token: await fixture.reader('C'),
      },
    );
    assert.deepEqual([theirs.written, theirs.replaced], [1, null]);
  });

  test('while a replace runs, a reader sees the old records or the new ones, never both or none', async () => {
    const id = await dataset([{ n: 0 }, { n: 0 }]);
    const content = `n\n${'1\n'.repeat(60)}`;
    await uploads.send(
      '/uploads',
      201,
      { 'a.csv': content },
      { datasetId: id, writeMode: 'replace' },
      uploader.token,
    );
    const states = new Set<string>();
    const isOpen = async (): Promise<boolean> => {
      const path = `/jobs?datasetId=${id}&status[$in][]=queued&status[$in][]=running`;
      return (await fixture.call<{ total: number }>(200, 'GET', path)).total > 0;
    };
    while (await isOpen()) states.add((await seen(id)).join(''));
    states.add((await seen(id)).join(''));
    for (const state of states) assert.ok(state === '00' || state === '1'.repeat(60), state);
  });

  test('a replace with an unreadable file, or without a stored row, replaces nothing and can be retried', async () => {
    const id = await dataset([{ n: 1 }]);
    const broken = await uploads.upload(
      id,
      { 'a.csv': 'n\n2\n3\n', 'b.json': '[{"n":4},' },
      { writeMode: 'replace' },
      uploader.token,
    );
    assert.equal(broken.job.status, 'failed');
    assert.match(
      broken.job.error?.message ?? '',
      /1 of 2 files could not be read to their end; no record was replaced/,
    );
    assert.deepEqual(await seen(id), [1]);
    assert.deepEqual([broken.receipt.written, broken.receipt.replaced], [0, 0]);
    await fixture.call(200, 'PATCH', `/jobs/${broken.jobId}`, {
      token: uploader.token,
      body: { status: 'queued' },
    });
    const again = await uploads.ended(id, broken.jobId, uploader.token);
    assert.deepEqual([again.job.status, await seen(id)], ['failed', [1]]);
    const empty = await uploads.upload(id, { 'a.csv': 'n,label\n2,A&\n' }, replace, uploader.token);
    assert.match(
      empty.job.error?.message ?? '',
      /No row of the files could be stored, so no record was replaced/,
    );
    assert.deepEqual(
      [await seen(id), counts(empty.receipt)],
      [[1], { received: 1, written: 0, rejected: 1, dropped: 0, duplicate: 0, replaced: 0 }],
    );
    assert.equal(
      await server.db
        .selectFrom('ingest_replacements')
        .where('dataset_id', '=', id)
        .where('slot', 'is not', null)
        .select('slot')
        .executeTakeFirst(),
      undefined,
    );
  });

  test('a replace that was made before its process died is not made again', async () => {
    const id = await dataset([{ n: 1 }]);
    const { jobId } = await uploads.upload(
      id,
      { 'a.csv': 'n\n2\n' },
      { writeMode: 'replace' },
      uploader.token,
    );
    await fixture.write(id, [{ n: 3 }]);
    await server.db
      .updateTable('ingest_replacements')
      .set({ state: 'switching', slot: 0 })
      .where('job_id', '=', jobId)
      .execute();
    await server.db
      .updateTable('jobs')
      .set({ status: 'queued', ended_at: null })
      .where('id', '=', jobId)
      .execute();
    // Starts the queued jobs.
    await uploads.upload(await fixture.dataset(), { 'a.csv': 'n\n1\n' });
    const { job, receipt } = await uploads.ended(id, jobId, uploader.token);
    assert.deepEqual(
      [job.status, await seen(id), receipt.written, receipt.replaced],
      ['completed', [2, 3], 1, 1],
    );
  });

  test('upsert replaces the visible record with the key, or adds one; a hidden record with the same key stays and is not disclosed', async () => {
    const visible = [
      { id: 1, n: 'old 1', label: 'A' },
      { id: 2, n: 'old 2' },
    ];
    const receipts = [];
    for (const hidden of [
      [],
      [
        { id: 2, n: 'hidden 2', label: 'B' },
        { id: 3, n: 'hidden 3', label: 'A&B' },
      ],
    ]) {
      const id = await dataset([...visible, ...hidden]);
      const before = await uploads.records(id, uploader.token);
      const { receipt, rejects, job } = await uploads.upload(
        id,
        { 'a.csv': 'id,n\n2,new 2\n3,new 3\n4,new 4\n5,new 5\n,none\n' },
        upsert,
        uploader.token,
      );
      assert.deepEqual([job.status, job.error, job.config?.['keyColumns']], ['completed', null, ['id']]);
      receipts.push(
        counts(receipt),
        rejects.map(({ line, reason }) => [line, reason]),
      );
      assert.deepEqual(
        await seen(id),
        ['old 1', 'new 2', 'new 3', 'new 4', 'new 5']
          .toSorted((a, b) => (a < b ? -1 : 1))
          .toSorted((a, b) => Number(a.at(-1)) - Number(b.at(-1))),
      );
      assert.equal((await seen(id, both)).length, 5 + hidden.length);
      assert.equal(before.length, 2);
    }
    assert.deepEqual(receipts.slice(0, 2), receipts.slice(2));
    assert.deepEqual(receipts.slice(0, 2), [
      { received: 5, written: 4, rejected: 1, dropped: 0, duplicate: 0, replaced: 1 },
      [[6, 'it has no value in the key column "id".']],
    ]);
  });

  test('of rows with the same key the last one is left, in one block and in several', async () => {
    const id = await fixture.dataset();
    const { receipt } = await uploads.upload(
      id,
      { 'a.csv': 'id,n\n1,a\n2,b\n1,c\n3,d\n3,e\n2,f\n2,g\n' },
      upsert,
      uploader.token,
    );
    assert.deepEqual(await seen(id), ['c', 'g', 'e']);
    assert.deepEqual(counts(receipt), {
      received: 7,
      written: 7,
      rejected: 0,
      dropped: 0,
      duplicate: 0,
      replaced: 4,
    });
  });

  test('rows of a block with the same key take one write, unless one of them would not be stored like the last one', async () => {
    const id = await fixture.dataset();
    const writes = async (jobId: string): Promise<number> => {
      const { text } = await fixture.post(
        '/audit-log/query',
        JSON.stringify({ expression: 'type:WriteRecords' }),
      );
      return text.split(jobId).length - 1;
    };
    const same = await uploads.upload(id, { 'a.csv': 'id,n\n1,a\n1,b\n1,c\n' }, upsert, uploader.token);
    assert.deepEqual([same.receipt.written, same.receipt.replaced, await seen(id)], [3, 2, ['c']]);
    assert.equal(await writes(same.jobId), 1);
    const labelled = await uploads.upload(
      id,
      { 'a.csv': 'id,n,label\n2,d,A\n2,e,A\n2,f,A&\n2,g,\n2,h,A\n' },
      { ...upsert, accessControlLabel },
      uploader.token,
    );
    // The label that cannot be read, and the one that would change without the permission, leave the rows before them.
    assert.deepEqual(
      labelled.rejects.map(({ line }) => line),
      [4, 5],
    );
    assert.deepEqual([labelled.receipt.written, labelled.receipt.replaced], [3, 2]);
    assert.deepEqual(await seen(id), ['c', 'h']);
  });

  test('of rows with the same key, a hidden column keeps the value of the first', async () => {
    const id = await fixture.dataset();
    await fixture.call(201, 'PATCH', `/write/schema/${id}`, { body: { pay: { securityLabel: 'PAY' } } });
    await uploads.upload(id, { 'a.ndjson': '{"id":1,"pay":7}\n{"id":1,"n":2}\n' }, upsert, uploader.token);
    const records = await uploads.records(id, await fixture.reader('A', 'PAY'));
    assert.deepEqual(
      records.map(({ n, pay }) => [n, pay]),
      [[2, 7]],
    );
  });

  test('a replaced record keeps its id, its label and the columns that are hidden from the uploader', async () => {
    const id = await fixture.dataset();
    await fixture.write(id, [{ id: 'x', n: 1, pay: 100, note: 'goes' }], {
      labelInfo: { parserClassName: 'apply-label-to-all-records-parser', label: 'A' },
    });
    await fixture.call(201, 'PATCH', `/write/schema/${id}`, { body: { pay: { securityLabel: 'PAY' } } });
    const read = async (): Promise<Record<string, unknown>[]> => {
      const { text } = await fixture.post(
        '/readInSequence',
        JSON.stringify({ datasetId: id, batchSize: -1, includeInternalFields: true }),
        { token: await fixture.reader('A', 'PAY') },
      );
      return (JSON.parse(text) as { records: Record<string, unknown>[] }).records;
    };
    const [old] = await read();
    await uploads.upload(id, { 'a.ndjson': '{"id":"x","n":2,"pay":7}\n' }, upsert, uploader.token);
    const [now, ...more] = await read();
    assert.deepEqual(more, []);
    assert.deepEqual(
      [now?.['_koverse_record_id'], now?.['_koverse_security_label']],
      [old?.['_koverse_record_id'], 'A'],
    );
    assert.deepEqual([now?.['n'], now?.['pay'], now?.['note']], [2, 100, undefined]);
  });

  test('a hidden key column counts as absent, and changing the label of a record needs manage', async () => {
    const id = await dataset([{ id: 1, n: 'old', label: 'A' }]);
    const sent = { ...upsert, accessControlLabel };
    const relabelled = await uploads.upload(
      id,
      { 'a.csv': 'id,n,label\n1,new,\n2,other,A\n' },
      sent,
      uploader.token,
    );
    assert.deepEqual(
      relabelled.rejects.map(({ line, reason }) => [line, reason]),
      [
        [
          2,
          'the record with its key ["1"] would get another label, which needs the permission to manage the dataset.',
        ],
      ],
    );
    await fixture.call(201, 'PATCH', `/write/schema/${id}`, { body: { id: { securityLabel: 'KEY' } } });
    const { receipt } = await uploads.upload(id, { 'a.csv': 'id,n,label\n1,more,A\n' }, sent, uploader.token);
    assert.deepEqual([receipt.written, receipt.replaced, (await seen(id)).length], [1, 0, 3]);
  });

  test('a key that several visible records have, an object as key and numbers written otherwise', async () => {
    const id = await dataset([
      { id: 1, n: 'a' },
      { id: 1, n: 'b' },
      { id: 1.5, n: 'c' },
    ]);
    const { rejects, receipt } = await uploads.upload(
      id,
      {
        'a.ndjson':
          '{"id":1,"n":"x"}\n{"id":{"a":1},"n":"x"}\n{"id":1.50,"n":"new"}\n{"id":"1.5","n":"d"}\n{"x":{"id":1.5},"id":1.5,"n":"e"}\n',
      },
      upsert,
      uploader.token,
    );
    assert.deepEqual(
      rejects.map(({ line }) => line),
      [1, 2],
    );
    assert.match(rejects[0]?.reason ?? '', /several records that you see have its key/);
    assert.deepEqual([receipt.written, receipt.replaced], [3, 2]);
  });

  test('replace and upsert need read as well as write, and their options are checked before anything is stored', async () => {
    const dropBox = await fixture.dataset(['write']);
    for (const parts of [{ writeMode: 'replace' }, upsert]) {
      const { message } = (await uploads.send(
        '/uploads',
        403,
        { 'a.csv': 'id\n1\n' },
        { datasetId: dropBox, ...parts },
        uploader.token,
      )) as { message: string };
      assert.match(message, /read/);
    }
    const id = await fixture.dataset();
    const refused = async (parts: object): Promise<string> =>
      (
        (await uploads.send(
          '/uploads',
          400,
          { 'a.csv': 'id\n1\n' },
          { datasetId: id, ...parts },
          uploader.token,
        )) as { message: string }
      ).message;
    assert.match(await refused({ writeMode: 'merge' }), /writeMode/);
    assert.match(await refused({ writeMode: 'upsert' }), /^keyColumns must be sent with writeMode upsert/);
    assert.match(
      await refused({ keyColumns: ['id'] }),
      /^keyColumns must be left out unless writeMode is upsert/,
    );
    assert.match(await refused({ writeMode: 'upsert', keyColumns: [] }), /keyColumns/);
    assert.match(
      await refused({ writeMode: 'upsert', keyColumns: ['id', 'id'] }),
      /^keyColumns\.1 must be named once/,
    );
    assert.match(
      await refused({ writeMode: 'upsert', keyColumns: ['a.b'] }),
      /^keyColumns\.0 must be a field at the top/,
    );
    assert.match(
      await refused({ writeMode: 'upsert', keyColumns: ['_koverse_record_id'] }),
      /^keyColumns\.0/,
    );
    assert.match(
      await refused({ ...upsert, fileOptions: { columns: [{ name: 'id', skip: true }] } }),
      /has skipped/,
    );
    const missing = await uploads.upload(id, { 'a.csv': 'n\n1\n' }, upsert, uploader.token);
    assert.match(missing.job.error?.message ?? '', /it has no column "id", which keyColumns names/);
  });

  test('labels on columns hold before a row is stored, and need manage', async () => {
    const id = await fixture.dataset();
    const columnSecurityLabelInfo = { pay: { securityLabel: 'PAY' } };
    const files = { 'a.csv': 'n,pay\n1,100\n' };
    const sent = { datasetId: id, columnSecurityLabelInfo };
    await uploads.send('/uploads', 403, files, sent, uploader.token);
    await uploads.send('/uploads', 400, files, { ...sent, columnSecurityLabelInfo: { pay: 'PAY' } });
    await uploads.upload(id, files, { columnSecurityLabelInfo });
    assert.deepEqual(await uploads.records(id, uploader.token), [{ n: 1 }]);
    assert.deepEqual(await uploads.records(id, await fixture.reader('PAY')), [{ n: 1, pay: 100 }]);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Job } from '@redoubt/contract';
import { bodyOf, createRecordFixture, labelField, type RecordFixture } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';

describe('replacing a record beside other changes', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
  });
  after(() => server.close());

  const read = async (id: string, token: string): Promise<Record<string, unknown>[]> =>
    bodyOf(
      200,
      await fixture.post('/readInSequence', JSON.stringify({ datasetId: id, includeInternalFields: true }), {
        token,
      }),
    ).records;

  /** Creates a dataset with one record under a label that nothing else in it has. */
  const makeRecord = async (actions: ('read' | 'write' | 'manage')[], token: string) => {
    const datasetId = await fixture.dataset(actions);
    bodyOf(200, await fixture.write(datasetId, [{ n: 1, label: 'A' }], { labelInfo: labelField }));
    const [record] = await read(datasetId, token);
    return { datasetId, recordId: String(record?.['_koverse_record_id']) };
  };

  /** Starts a replacement, changes something after it is prepared, and lets it go on. */
  const replaceAround = async (
    { datasetId, recordId }: { datasetId: string; recordId: string },
    options: Parameters<RecordFixture['write']>[2],
    change: () => Promise<unknown>,
  ) => {
    const held = server.holdWrite();
    const written = fixture.write(datasetId, [{ _koverse_record_id: recordId, n: 2 }], options);
    await held.reached;
    try {
      await change();
    } finally {
      held.letGo();
    }
    return written;
  };

  const relabel = async (datasetId: string, label: string): Promise<void> => {
    const job = await fixture.call<Job>(202, 'PATCH', `/storage/datasets/${datasetId}/labels`, {
      token: await fixture.reader('A', 'B'),
      body: { label, query: 'n:1' },
    });
    await server.jobsSettled();
    assert.equal((await fixture.call<Job>(200, 'GET', `/jobs/${job.id}`)).status, 'completed');
  };

  test('a record that gets a label new to the dataset meanwhile is replaced by who sees it, and absent for who does not', async () => {
    const [both, onlyA] = [await fixture.reader('A', 'B'), await fixture.reader('A')];
    for (const [token, status] of [
      [both, 200],
      [onlyA, 404],
    ] as const) {
      const made = await makeRecord(['read', 'write', 'manage'], both);
      bodyOf(status, await replaceAround(made, { token }, () => relabel(made.datasetId, 'B')));
      assert.deepEqual(
        (await read(made.datasetId, both)).map(({ n, _koverse_security_label }) => [
          n,
          _koverse_security_label,
        ]),
        [[status === 200 ? 2 : 1, 'B']],
      );
      assert.deepEqual(await read(made.datasetId, onlyA), []);
    }
  });

  test('a writer who loses the right to change labels meanwhile changes none', async () => {
    const token = await fixture.reader('A', 'B');
    const made = await makeRecord(['read', 'write', 'manage'], token);
    const { data } = await fixture.call<{ data: { id: string }[] }>(
      200,
      'GET',
      `/dataset-permissions?datasetId=${made.datasetId}&action=manage`,
    );
    const labelInfo = { parserClassName: 'apply-label-to-all-records-parser', label: 'B' };
    const response = await replaceAround(made, { token, labelInfo }, async () => {
      for (const { id } of data) await fixture.call(200, 'DELETE', `/dataset-permissions/${id}`);
    });
    assert.match(bodyOf(403, response).message, /needs the permission to manage/);
    assert.deepEqual(
      (await read(made.datasetId, token)).map(({ n, _koverse_security_label }) => [
        n,
        _koverse_security_label,
      ]),
      [[1, 'A']],
    );
  });
});

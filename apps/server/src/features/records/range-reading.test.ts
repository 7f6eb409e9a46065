/* Shows: D-read-range, D-splits, E-SplitPoint, E-Query-excludeStartingRecordId, L-hazard-splits, W-read,
   W-splits */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  bodyOf,
  createRecordFixture,
  labelField,
  type RecordResponse,
  type RecordFixture,
} from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';

interface Split {
  startRecordId: string;
  endRecordId: string;
}

const splitRecords = 10;

const idsOf = ({ records }: Pick<RecordResponse, 'records'>): string[] =>
  records.map((record) => String(record['_koverse_record_id']));

describe('reading ranges of record ids', () => {
  let server: TestServer;
  let fixture: RecordFixture;

  before(async () => {
    server = await startServer({ storeLimits: { splitRecords, maxSplits: 20 } });
    fixture = await createRecordFixture(server);
  });
  after(() => server.close());

  const post = async (
    path: string,
    datasetId: string,
    options: object,
    token: string,
  ): Promise<RecordResponse> => {
    const body = JSON.stringify({ datasetId, includeInternalRecordId: true, ...options });
    return bodyOf(200, await fixture.post(path, body, { token }));
  };
  const read = async (
    datasetId: string,
    options: object = {},
    token = fixture.admin,
  ): Promise<RecordResponse> => post('/read', datasetId, options, token);
  const splitsOf = async (datasetId: string, token = fixture.admin): Promise<Split[]> =>
    fixture.call(200, 'GET', `/splits/${datasetId}`, { token });
  const inSequence = async (datasetId: string, token = fixture.admin): Promise<string[]> =>
    idsOf(await post('/readInSequence', datasetId, { batchSize: -1 }, token));
  /** Reads the records of all splits, one after another. */
  const unionOf = async (datasetId: string, splits: readonly Split[], token: string): Promise<string[]> => {
    const ids: string[] = [];
    for (const { startRecordId, endRecordId } of splits) {
      const bounds = { startingRecordId: startRecordId, endingRecordId: endRecordId, batchSize: -1 };
      ids.push(...idsOf(await read(datasetId, bounds, token)));
    }
    return ids;
  };
  /** A dataset of records `{n}`; those with `n` divisible by three are labelled A. */
  const dataset = async (size: number): Promise<string> => {
    const id = await fixture.dataset();
    const records = Array.from({ length: size }, (_, n) => ({ n, label: n % 3 === 2 ? 'A' : '' }));
    bodyOf(200, await fixture.write(id, records, { labelInfo: labelField }));
    return id;
  };

  test('a range includes both ends unless the start is excluded, and an empty end is open', async () => {
    const id = await dataset(6);
    const token = await fixture.reader('A');
    const ids = await inSequence(id, token);
    assert.equal(ids.length, 6);
    const of = async (options: object): Promise<number[]> =>
      idsOf(await read(id, options, token)).map((one) => ids.indexOf(one));
    const [, second, third, , fifth] = ids;
    assert.deepEqual(await of({}), [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(await of({ startingRecordId: '', endingRecordId: '' }), [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(await of({ startingRecordId: '', excludeStartingRecordId: true }), [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(await of({ startingRecordId: second, endingRecordId: fifth }), [1, 2, 3, 4]);
    assert.deepEqual(
      await of({ startingRecordId: second, endingRecordId: fifth, excludeStartingRecordId: true }),
      [2, 3, 4],
    );
    assert.deepEqual(await of({ startingRecordId: third, endingRecordId: third }), [2]);
    assert.deepEqual(await of({ startingRecordId: fifth, endingRecordId: second }), []);
    assert.deepEqual(await of({ startingRecordId: "zz' OR 1=1 --" }), []);
  });

  test('a range is limited by the smaller of batchSize and limit, and more says that it continues', async () => {
    const id = await dataset(6);
    const token = await fixture.reader('A');
    const ids = await inSequence(id, token);
    for (const [options, length, more] of [
      [{ batchSize: 2 }, 2, true],
      [{ limit: 2 }, 2, true],
      [{ limit: 2, batchSize: 4 }, 2, true],
      [{ limit: 4, batchSize: 2 }, 2, true],
      [{ limit: -1, batchSize: 2 }, 2, true],
      [{ limit: 0, batchSize: 6 }, 6, false],
      [{ limit: -1 }, 6, false],
      [{ batchSize: -1 }, 6, false],
    ] as const) {
      const response = await read(id, options, token);
      assert.deepEqual([response.records.length, response.more], [length, more], JSON.stringify(options));
      assert.equal(response.lastRecordId, ids[length - 1]);
      assert.equal(response.total, 6);
    }
    const cut = await read(id, { endingRecordId: ids[3], batchSize: 3 }, token);
    assert.deepEqual([cut.more, cut.lastRecordId], [true, ids[2]]);
    const rest = await read(
      id,
      { startingRecordId: cut.lastRecordId, excludeStartingRecordId: true, endingRecordId: ids[3] },
      token,
    );
    assert.deepEqual([idsOf(rest), rest.more], [[ids[3]], false]);
  });

  test('L5: splits are ranges that contain each visible record once, whatever is hidden in between', async () => {
    const id = await dataset(95);
    const all = await fixture.reader('A');
    for (const [token, visible] of [
      [all, 95],
      [fixture.admin, 64],
    ] as const) {
      const ids = await inSequence(id, token);
      assert.equal(ids.length, visible);
      const splits = await splitsOf(id, token);
      assert.equal(splits.length, Math.ceil(visible / splitRecords));
      for (const [index, { startRecordId, endRecordId }] of splits.entries()) {
        assert.equal(startRecordId, ids[index * splitRecords]);
        assert.equal(endRecordId, ids[Math.min((index + 1) * splitRecords, visible) - 1]);
      }
      assert.deepEqual(await unionOf(id, splits, token), ids);
    }
  });

  test('the generated Python client gets splits in the object that it expects, with the same ranges', async () => {
    const id = await dataset(5);
    const splits = await splitsOf(id);
    const asPython = { token: fixture.admin, headers: { 'user-agent': 'OpenAPI-Generator/4.177.0/python' } };
    assert.deepEqual(await fixture.call(200, 'GET', `/splits/${id}`, asPython), {
      ranges: splits.map(({ startRecordId, endRecordId }) => [startRecordId, endRecordId]),
    });
    const other = { token: fixture.admin, headers: { 'user-agent': 'curl OpenAPI-Generator/1/python' } };
    assert.deepEqual(await fixture.call(200, 'GET', `/splits/${id}`, other), splits);
  });

  test('a dataset has at most the allowed number of splits, and none without visible records', async () => {
    const many = await dataset(450);
    const splits = await splitsOf(many, await fixture.reader('A'));
    assert.equal(splits.length, 20);
    assert.deepEqual(
      await unionOf(many, splits, await fixture.reader('A')),
      await inSequence(many, await fixture.reader('A')),
    );
    const hidden = await fixture.dataset();
    bodyOf(200, await fixture.write(hidden, [{ label: 'A' }], { labelInfo: labelField }));
    assert.deepEqual(await splitsOf(hidden), []);
    assert.deepEqual(await splitsOf(await fixture.dataset()), []);
  });

  test('splits made during writes contain every record of that time, and later records follow the last split', async () => {
    const id = await dataset(60);
    const token = await fixture.reader('A');
    const stop = new AbortController();
    const writing = (async () => {
      for (let n = 0; !stop.signal.aborted; n += 1) bodyOf(200, await fixture.write(id, [{ n, late: true }]));
    })();
    for (let round = 0; round < 4; round += 1) {
      const before = await inSequence(id, token);
      const splits = await splitsOf(id, token);
      const union = await unionOf(id, splits, token);
      const after = await inSequence(id, token);
      assert.deepEqual(union.slice(0, before.length), before);
      assert.deepEqual(union, after.slice(0, union.length));
      const last = splits.at(-1)?.endRecordId;
      const rest = await post('/readInSequence', id, { startingRecordId: last, batchSize: -1 }, token);
      const readOn = [...union, ...idsOf(rest)];
      assert.deepEqual(readOn.slice(0, after.length), after);
    }
    stop.abort();
    await writing;
  });

  test('ranges and splits need read: 403 with write alone, and the same 404 for hidden and absent datasets', async () => {
    const dropBox = await fixture.dataset(['write']);
    const closed = await fixture.dataset([]);
    const token = await fixture.reader('A');
    const readResults = async (datasetId: string): Promise<[number, string][]> => {
      const ranged = await fixture.post('/read', JSON.stringify({ datasetId }), { token });
      const split = await fetch(`${server.url}/splits/${datasetId}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return [
        [ranged.status, ranged.text.replaceAll(datasetId, 'id')],
        [split.status, (await split.text()).replaceAll(datasetId, 'id')],
      ];
    };
    assert.deepEqual(
      (await readResults(dropBox)).map(([status]) => status),
      [403, 403],
    );
    const hidden = await readResults(closed);
    assert.deepEqual(
      hidden.map(([status]) => status),
      [404, 404],
    );
    assert.deepEqual(await readResults('00000000-0000-4000-8000-000000000000'), hidden);
  });
});

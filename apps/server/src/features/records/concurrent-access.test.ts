/* Shows: D-creator-manages, D-batch-atomic, D-batch-alone, L17, L33, A-label-cache-attributes,
   A-group-commit, A-attribute-removed */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Dataset } from '@redoubt/contract';
import {
  bodyOf,
  createRecordFixture,
  labelField,
  type RawResponse,
  type RecordFixture,
} from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';

/**
 * Readers pause between reads: a write takes many times as long as a read, and readers without pauses would slow it
 * down.
 */
const betweenReadingsMs = 15;

const everything = (datasetId: string): string => JSON.stringify({ datasetId, expression: '*:*', limit: -1 });

describe('records under concurrent writers and changing permissions', () => {
  let server: SharedServer;
  let fixture: RecordFixture;

  before(async () => {
    server = await sharedServer();
    fixture = await createRecordFixture(server);
  });

  const searchAs = (token: string, id: string): Promise<RawResponse> =>
    fixture.post('/query/lucene', everything(id), { token });
  const numbers = async (id: string, token = fixture.admin): Promise<number[]> =>
    bodyOf(200, await searchAs(token, id))
      .records.map(({ n }) => n as number)
      .toSorted((a, b) => a - b);
  /** A dataset with one record for everyone (n 0) and one for holders of A (n 1). */
  const labelled = async (): Promise<string> => {
    const id = await fixture.dataset();
    const records = [{ n: 0 }, { n: 1, label: 'A' }];
    bodyOf(200, await fixture.write(id, records, { labelInfo: labelField }));
    return id;
  };

  test('with 64 concurrent writers, every acknowledged record is stored once and counted', async () => {
    const id = await fixture.dataset();
    const rounds = 4;
    await Promise.all(
      Array.from({ length: 64 }, async (_, writer) => {
        for (let round = 0; round < rounds; round += 1) {
          bodyOf(200, await fixture.write(id, [{ n: writer * rounds + round }]));
        }
      }),
    );
    const expected = Array.from({ length: 64 * rounds }, (_, n) => n);
    assert.deepEqual(await numbers(id), expected);
    const read = bodyOf(200, await fixture.post('/readInSequence', JSON.stringify({ datasetId: id })));
    assert.deepEqual([read.records.length, read.total], [expected.length, expected.length]);
    const { recordCount } = await fixture.call<Dataset>(200, 'GET', `/datasets/${id}`);
    assert.equal(recordCount, expected.length);
  });

  test('an invalid batch among concurrent ones fails alone, and nothing of it is stored', async () => {
    const id = await fixture.dataset();
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 4 === 0
          ? fixture.write(id, `[{"n":${1000 + n}},{"n":]`)
          : fixture.write(id, [{ n, label: n % 4 === 1 ? '' : 'A' }], { labelInfo: labelField }),
      ),
    );
    for (const [n, { status }] of responses.entries()) assert.equal(status, n % 4 === 0 ? 400 : 200);
    const good = Array.from({ length: 40 }, (_, n) => n).filter((n) => n % 4 !== 0);
    assert.deepEqual(await numbers(id, await fixture.reader('A')), good);
    assert.deepEqual(
      await numbers(id),
      good.filter((n) => n % 4 === 1),
    );
  });

  test('concurrent writers with new labels, fields and datasets do not mix them up', async () => {
    const ids = [await fixture.dataset(), await fixture.dataset()];
    await Promise.all(
      Array.from({ length: 32 }, async (_, n) => {
        const id = ids[n % 2]!;
        const records = [{ n, [`field${n}`]: n, label: `L${n % 8}` }];
        bodyOf(200, await fixture.write(id, records, { labelInfo: labelField }));
      }),
    );
    for (const label of [0, 3]) {
      const token = await fixture.reader(`L${label}`);
      for (const [index, id] of ids.entries()) {
        const expected = Array.from({ length: 32 }, (_, n) => n).filter(
          (n) => n % 2 === index && n % 8 === label,
        );
        assert.deepEqual(await numbers(id, token), expected);
        const schema = await fixture.call<object>(200, 'GET', `/query/schema?datasetId=${id}`, { token });
        const fields = [...expected.map((n) => `field${n}`), ...(expected.length > 0 ? ['label', 'n'] : [])];
        assert.deepEqual(Object.keys(schema), fields.toSorted());
      }
    }
  });

  test('a reader sees all of a batch or nothing', async () => {
    const id = await fixture.dataset();
    const size = 500;
    const writing = Promise.all(
      Array.from({ length: 8 }, async (_, batch) =>
        bodyOf(
          200,
          await fixture.write(
            id,
            Array.from({ length: size }, () => ({ n: batch })),
          ),
        ),
      ),
    );
    const sizes: number[] = [];
    for (let turn = 0; turn < 10; turn += 1) sizes.push((await numbers(id)).length);
    await writing;
    for (const seen of sizes) assert.equal(seen % size, 0, `${seen}`);
    assert.equal((await numbers(id)).length, 8 * size);
  });

  test('a batch that replaces and adds records becomes visible all at once', async () => {
    const id = await fixture.dataset();
    bodyOf(200, await fixture.write(id, [{ n: 0, last: 0 }]));
    const withId = JSON.stringify({ datasetId: id, includeInternalRecordId: true });
    const [old] = bodyOf(200, await fixture.post('/readInSequence', withId)).records;
    const writing = new AbortController();
    const readings: number[][] = [];
    const reading = async (): Promise<void> => {
      while (!writing.signal.aborted) {
        const { records } = bodyOf(200, await searchAs(fixture.admin, id));
        readings.push([records.length - 1, ...records.flatMap(({ last }) => (last as number) ?? [])]);
        await pause(betweenReadingsMs);
      }
    };
    const readers = Promise.all([reading(), reading()]);
    for (let turn = 1; turn <= 20; turn += 1) {
      const replacement = { _koverse_record_id: old?.['_koverse_record_id'], n: 0, last: turn };
      bodyOf(200, await fixture.write(id, [replacement, { n: turn }]));
    }
    writing.abort();
    await readers;
    assert.ok(readings.length > 2);
    for (const [added, replaced] of readings) assert.equal(added, replaced);
  });

  test('a batch that replaces many records becomes visible all at once', async () => {
    const id = await fixture.dataset();
    for (let part = 0; part < 4; part += 1) {
      bodyOf(
        200,
        await fixture.write(
          id,
          Array.from({ length: 1000 }, () => ({ turn: 0 })),
        ),
      );
    }
    const withId = JSON.stringify({ datasetId: id, includeInternalRecordId: true });
    const { records: old } = bodyOf(200, await fixture.post('/readInSequence', withId));
    const writing = new AbortController();
    const readings: number[] = [];
    const reading = async (): Promise<void> => {
      while (!writing.signal.aborted) {
        const { records } = bodyOf(200, await searchAs(fixture.admin, id));
        assert.equal(records.length, old.length);
        readings.push(new Set(records.map(({ turn }) => turn)).size);
        await pause(betweenReadingsMs);
      }
    };
    const readers = Promise.all([reading(), reading()]);
    for (let turn = 1; turn <= 5; turn += 1) {
      bodyOf(
        200,
        await fixture.write(
          id,
          old.map((record) => ({ ...record, turn })),
        ),
      );
    }
    writing.abort();
    await readers;
    assert.deepEqual([...new Set(readings)], [1]);
  });

  test('concurrent replacements of one record leave exactly one of them, complete', async () => {
    const id = await fixture.dataset();
    bodyOf(200, await fixture.write(id, [{ n: 0 }]));
    const withId = JSON.stringify({ datasetId: id, includeInternalRecordId: true });
    const [record] = bodyOf(200, await fixture.post('/readInSequence', withId)).records;
    await Promise.all(
      Array.from({ length: 8 }, async (_, n) =>
        bodyOf(
          200,
          await fixture.write(id, [{ _koverse_record_id: record?.['_koverse_record_id'], n, again: n }]),
        ),
      ),
    );
    const [left, ...more] = bodyOf(200, await searchAs(fixture.admin, id)).records;
    assert.deepEqual(more, []);
    assert.equal(left?.['n'], left?.['again']);
  });

  test('an assigned or revoked attribute takes effect with the next request', async () => {
    const id = await labelled();
    const reader = await fixture.newReader();
    assert.deepEqual(await numbers(id, reader.token), [0]);
    for (let turn = 0; turn < 3; turn += 1) {
      const assignment = await fixture.assign(reader.id, 'A');
      assert.deepEqual(await numbers(id, reader.token), [0, 1]);
      await fixture.call(200, 'DELETE', `/attribute-assignments/${assignment}`);
      assert.deepEqual(await numbers(id, reader.token), [0]);
      const read = await fixture.post('/readInSequence', JSON.stringify({ datasetId: id }), {
        token: reader.token,
      });
      assert.equal(bodyOf(200, read).total, 1);
      const schema = `/query/schema?datasetId=${id}`;
      assert.deepEqual(await fixture.call(200, 'GET', schema, { token: reader.token }), {
        n: { type: 'bigint' },
      });
    }
  });

  test('an attribute that is deleted hides its records from the next request on', async () => {
    const id = await fixture.dataset();
    bodyOf(200, await fixture.write(id, [{ n: 1, label: 'DOOMED' }], { labelInfo: labelField }));
    const { token } = await fixture.newReader('DOOMED');
    assert.deepEqual(await numbers(id, token), [1]);
    const { data } = await fixture.call<{ data: { id: string }[] }>(200, 'GET', '/attributes?token=DOOMED');
    await fixture.call(200, 'DELETE', `/attributes/${data[0]?.id}`);
    assert.deepEqual(await numbers(id, token), []);
  });

  test('a revoked grant no longer permits the next read or the next write', async () => {
    const id = await labelled();
    const token = await fixture.reader('A');
    assert.deepEqual(await numbers(id, token), [0, 1]);
    const { data } = await fixture.call<{ data: { id: string; action: string }[] }>(
      200,
      'GET',
      `/dataset-permissions?datasetId=${id}`,
    );
    const revoke = (action: string) =>
      fixture.call(
        200,
        'DELETE',
        `/dataset-permissions/${data.find((grant) => grant.action === action)?.id}`,
      );
    await revoke('write');
    bodyOf(403, await fixture.write(id, [{ n: 5 }], { token }));
    assert.deepEqual(await numbers(id, token), [0, 1]);
    await revoke('read');
    bodyOf(404, await searchAs(token, id));
    bodyOf(404, await fixture.write(id, [{ n: 5 }], { token }));
    await fixture.call(201, 'POST', '/dataset-permissions', {
      body: { action: 'read', datasetId: id, groupId: fixture.readers.id },
    });
    assert.deepEqual(await numbers(id, token), [0, 1]);
  });

  test('a person removed from the group or the workspace reads nothing with the next request', async () => {
    const id = await labelled();
    const reader = await fixture.newReader('A');
    assert.deepEqual(await numbers(id, reader.token), [0, 1]);
    const { data } = await fixture.call<{ data: { id: string }[] }>(
      200,
      'GET',
      `/group-memberships?groupId=${fixture.readers.id}&userId=${reader.id}`,
    );
    await fixture.call(200, 'DELETE', `/group-memberships/${data[0]?.id}`);
    bodyOf(404, await searchAs(reader.token, id));
    const other = await fixture.newReader('A');
    assert.deepEqual(await numbers(id, other.token), [0, 1]);
    await fixture.call(200, 'DELETE', `/users/${other.id}`);
    const { status } = await searchAs(other.token, id);
    assert.ok(status === 401 || status === 403, `${status}`);
  });

  test('records written during reads are never shown to readers who do not satisfy their label', async () => {
    const id = await labelled();
    const token = await fixture.reader('A');
    const hidden = Array.from({ length: 20 }, (_, n) => `NEW${n}`);
    const writing = (async () => {
      for (const [n, label] of hidden.entries()) {
        const records = [
          { n: 100 + n, label },
          { n: 200 + n, label: `A&${label}` },
          { n: 300 + n, label: `A|${label}` },
        ];
        bodyOf(200, await fixture.write(id, records, { labelInfo: labelField }));
      }
    })();
    const reading = async (): Promise<void> => {
      for (let turn = 0; turn < 20; turn += 1) {
        for (const n of await numbers(id, token)) assert.ok(n < 100 || n >= 300, `${n} was shown`);
      }
    };
    await Promise.all([writing, reading(), reading()]);
    assert.deepEqual(await numbers(id, token), [0, 1, ...hidden.map((_, n) => 300 + n)]);
    assert.deepEqual(await numbers(id, await fixture.reader('NEW7')), [0, 107, 307]);
  });
});

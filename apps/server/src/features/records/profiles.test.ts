import type { ProfilesResponse, ValuesResponse } from '@redoubt/contract';
import { bodyOf, createRecordFixture, labelField, type RecordFixture } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

let server: TestServer;
let fixture: RecordFixture;
let reader: string;
before(async () => {
  server = await startServer();
  fixture = await createRecordFixture(server);
  reader = await fixture.reader('EU');
});
after(async () => {
  await server.close();
});

const write = async (datasetId: string, records: readonly unknown[] | string): Promise<void> => {
  bodyOf(200, await fixture.write(datasetId, records, { labelInfo: labelField }));
};
const profile = async (id: string, body: object, token = reader): Promise<ProfilesResponse> =>
  fixture.call<ProfilesResponse>(200, 'POST', `/datasets/${id}/profiles`, { token, body });
const values = async (id: string, body: object, token = reader): Promise<ValuesResponse> =>
  fixture.call<ValuesResponse>(200, 'POST', `/datasets/${id}/values`, { token, body });
const total = async (id: string, filters: readonly object[]): Promise<number> => {
  const { total: found } = await fixture.call<{ total: number }>(200, 'POST', `/datasets/${id}/rows`, {
    token: reader,
    body: { filters, limit: 1 },
  });
  return found;
};

const records = Array.from({ length: 400 }, (_, n) => ({
  n: n * n,
  f: Math.sqrt(n) / 3,
  type: ['VOR', 'NDB', 'DME', ''][n % 10 < 6 ? 0 : (n % 3) + 1],
  flag: n % 4 === 0 ? null : n % 3 === 0,
  at: new Date(Date.UTC(2024, 0, 1) + n * 5_000_000).toISOString(),
  ...(n % 5 === 0 ? {} : { some: { x: n % 2 } }),
  same: 7,
}));

describe('profiles and values', () => {
  test('each bar of a histogram has the count of its range, and together they have all values', async () => {
    const id = await fixture.dataset();
    await write(id, records);
    const fields = ['n', 'f', 'at', 'same'];
    const { profiles, records: counted, isSample } = await profile(id, { fields });
    assert.deepEqual([counted, isSample], [400, false]);
    for (const { field, histogram, missing } of profiles) {
      assert.ok(histogram !== null && histogram.length > 0 && histogram.length <= 20, field);
      let sum = 0;
      for (const { from, below, count } of histogram) {
        sum += count;
        const found = await total(id, [
          { field, operator: 'at-least', values: [from] },
          { field, operator: 'less-than', values: [below] },
        ]);
        assert.equal(found, count, `${field} from ${from} below ${below}`);
      }
      assert.equal(sum + missing, 400, field);
    }
    const [n, , at, same] = profiles;
    assert.deepEqual([n?.type, n?.min, n?.max, n?.distinct], ['bigint', '0', '159201', 400]);
    assert.equal(at?.type, 'timestamp');
    assert.deepEqual([same?.distinct, same?.histogram?.length], [1, 1]);
  });

  test('frequent values have the counts of their filters, and null, empty text and false differ', async () => {
    const id = await fixture.dataset();
    await write(id, records);
    const { profiles } = await profile(id, { fields: ['type', 'flag', 'some', 'absent'] });
    for (const { field, top } of profiles) {
      for (const { value, count } of top ?? []) {
        assert.equal(
          await total(id, [{ field, operator: 'is', values: [value] }]),
          count,
          `${field} ${value}`,
        );
      }
    }
    const [type, flag, some, absent] = profiles;
    assert.deepEqual(type?.top?.map(({ value }) => value).toSorted(), ['', 'DME', 'NDB', 'VOR']);
    assert.equal(type?.top?.[0]?.value, 'VOR');
    assert.deepEqual([flag?.missing, flag?.distinct], [100, 2]);
    assert.deepEqual([some?.type, some?.missing, some?.distinct], ['jsonb', 80, 2]);
    assert.deepEqual(absent, {
      field: 'absent',
      type: null,
      missing: 400,
      distinct: 0,
      min: null,
      max: null,
      histogram: null,
      top: null,
    });
  });

  test('values are counted under the filters and the search, begin with the prefix, and say whether there are more', async () => {
    const id = await fixture.dataset();
    await write(id, [
      { city: 'Paris', k: 'a' },
      { city: 'Paris', k: 'b' },
      { city: 'Pau', k: 'a' },
      { city: "L'Île", k: 'a' },
      { k: 'a' },
    ]);
    assert.deepEqual(await values(id, { field: 'city' }), {
      records: 5,
      isSample: false,
      values: [
        { value: 'Paris', count: 2, isCut: false },
        { value: "L'Île", count: 1, isCut: false },
        { value: 'Pau', count: 1, isCut: false },
      ],
      missing: 1,
      more: false,
    });
    const limited = await values(id, { field: 'city', prefix: 'pa', limit: 1 });
    assert.deepEqual([limited.values.map(({ value }) => value), limited.more], [['Paris'], true]);
    assert.equal((await values(id, { field: 'city', prefix: "l'" })).values[0]?.value, "L'Île");
    const filters = [{ field: 'k', operator: 'is', values: ['a'] }];
    assert.deepEqual((await values(id, { field: 'city', filters, lucene: 'city:paris' })).values, [
      { value: 'Paris', count: 1, isCut: false },
    ]);
  });

  test('only visible records and columns count, and a hidden field gets the same response as an absent one', async () => {
    const id = await fixture.dataset();
    await write(id, [
      { n: 1, code: 'x', label: '' },
      { n: 2, code: 'y', label: 'EU' },
      { n: 900, code: 'z', label: 'US' },
    ]);
    const seen = await profile(id, { fields: ['n'] });
    assert.deepEqual([seen.records, seen.profiles[0]?.max], [2, '2']);
    assert.deepEqual(
      (await values(id, { field: 'code' })).values.map(({ value }) => value),
      ['x', 'y'],
    );
    await fixture.call(201, 'PATCH', `/write/schema/${id}`, { body: { code: { securityLabel: 'US' } } });
    const hidden = await fixture.post(`/datasets/${id}/values`, '{"field":"code"}', { token: reader });
    const absent = await fixture.post(`/datasets/${id}/values`, '{"field":"none"}', { token: reader });
    assert.equal(hidden.text, absent.text);
    const [code, none] = (await profile(id, { fields: ['code', 'none'] })).profiles;
    assert.deepEqual({ ...code, field: 'none' }, none);
  });

  test('a cached response serves no other reader, and is dropped when a visible record or a right changes', async () => {
    const id = await fixture.dataset();
    await write(id, [{ n: 1, label: '' }]);
    const other = await fixture.newReader();
    const assignment = await fixture.assign(other.id, 'EU');
    const count = async (token: string): Promise<number> =>
      (await profile(id, { fields: ['n'] }, token)).records;
    assert.deepEqual([await count(reader), await count(other.token)], [1, 1]);
    await write(id, [
      { n: 2, label: 'EU' },
      { n: 3, label: 'US' },
    ]);
    assert.deepEqual([await count(reader), await count(other.token)], [2, 2]);
    await fixture.call(200, 'DELETE', `/attribute-assignments/${assignment}`);
    assert.deepEqual([await count(reader), await count(other.token)], [2, 1]);
  });

  test('of more than 100,000 records the first ones are counted, and the response says so', async () => {
    const id = await fixture.dataset();
    for (let part = 0; part < 2; part++) {
      const list = Array.from({ length: 50_001 }, (_, n) => `{"n":${String(n % 3)}}`).join(',');
      await write(id, `[${list}]`);
    }
    const found = await values(id, { field: 'n' });
    assert.deepEqual([found.records, found.isSample], [100_000, true]);
    assert.equal(
      found.values.reduce((sum, { count }) => sum + count, 0),
      100_000,
    );
    // A client that disconnects ends only its own request.
    for (const delay of [5, 100, 300, 500, 700, 900, 1100, 1300, 1500, 1800, 2100]) {
      const body = JSON.stringify({
        fields: Array.from({ length: 20 }, () => 'n'),
        lucene: `n:[0 TO ${String(delay)}]`,
      });
      const headers = { authorization: `Bearer ${reader}`, 'content-type': 'application/json' };
      const signal = AbortSignal.timeout(delay);
      const sent = fetch(`${server.url}/datasets/${id}/profiles`, { method: 'POST', headers, body, signal });
      await sent.then((response) => response.text()).catch(() => undefined);
    }
    const few = await values(id, { field: 'n', filters: [{ field: 'n', operator: 'is', values: ['0'] }] });
    assert.deepEqual([few.isSample, few.records], [false, 33_334]);
  });
});

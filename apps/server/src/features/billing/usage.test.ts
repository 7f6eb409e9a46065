/* Shows: F-GET-/billing/usage-from, F-GET-/billing/usage-to, D-exception-storage, L12, A-billing-metering */
import { createRecordFixture, multipartBody, sendRequest, type RecordFixture } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import type { Usage } from '@redoubt/contract';
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cacheVersionOf } from '../../platform/db/database.ts';
import type { UsageMeter } from '../../platform/db/schema.ts';
import { createMeter, createMetering } from '../../platform/metering/index.ts';

const silent = { error: () => undefined };
const noUse = { base: 0, compute: 0, storage: 0, network: 0 };

describe('the usage of a workspace', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
  });
  after(() => server.close());

  const usage = async (search = '', token = fixture.admin): Promise<Usage> => {
    const { status, body } = await sendRequest<Usage>(server, 'GET', `/billing/usage${search}`, { token });
    equal(status, 200, JSON.stringify(body));
    return body;
  };

  test('usage is returned for each day, by default for the last thirty', async () => {
    const { from, to, days } = await usage();
    deepEqual([from, to, days.length], ['2025-12-03', '2026-01-01', 30]);
    deepEqual(days[0], { day: '2025-12-03', ...noUse });
    const leap = await usage('?from=2024-02-28&to=2024-03-01');
    deepEqual(
      leap.days.map(({ day }) => day),
      ['2024-02-28', '2024-02-29', '2024-03-01'],
    );
  });

  test('invalid days, days in the wrong order and too many days are rejected by name', async () => {
    for (const [search, said] of [
      ['?from=2026-02-30', /from must be a day of the calendar, got the string "2026-02-30"/],
      [
        '?from=2026-01-02&to=2026-01-01',
        /from must be 2026-01-01 or a day before it, got the string "2026-01-02"/,
      ],
      ['?from=2020-01-01&to=2026-01-01', /from must be less than 366 days before 2026-01-01/],
      ['?from=yesterday', /from/],
    ] as const) {
      const { status, body } = await sendRequest<{ message: string }>(
        server,
        'GET',
        `/billing/usage${search}`,
        {
          token: fixture.admin,
        },
      );
      equal(status, 400, search);
      match(body.message, said);
    }
  });

  test('query time and response bytes are collected for the workspace of the requester', async () => {
    const other = await createRecordFixture(server);
    const datasetId = await fixture.dataset();
    await fixture.write(datasetId, [{ a: 1 }, { a: 2 }]);
    const reader = await fixture.reader();
    await server.metering.flush();
    const before = await amounts(fixture);
    for (let count = 0; count < 5; count += 1) {
      const response = await sendRequest<{ records: unknown[] }>(server, 'POST', '/query/lucene', {
        token: reader,
        body: { datasetId, expression: 'a:1' },
      });
      equal(response.body.records.length, 1);
    }
    await settle();
    const later = await amounts(fixture);
    ok(later.compute > before.compute, JSON.stringify([before, later]));
    ok(later.network >= before.network + 500, JSON.stringify([before, later]));
    equal((await amounts(other)).compute, 0);
  });

  test('storing usage does not invalidate cached permissions', async () => {
    const version = cacheVersionOf(server.db);
    const before = await version?.(true);
    const { network } = await amounts(fixture);
    await sendRequest(server, 'GET', '/datasets', { token: fixture.admin });
    await settle();
    ok((await amounts(fixture)).network > network);
    equal(await version?.(true), before);
  });

  test('storage is measured once a day, and each day of a workspace is counted', async () => {
    const datasetId = await fixture.dataset();
    await fixture.write(datasetId, [{ a: 'x'.repeat(1000) }]);
    await server.db.deleteFrom('usage_days').execute();
    await server.metering.measure();
    const { storage, base } = await amounts(fixture);
    ok(storage > 0);
    equal(base, 1);
    await fixture.write(datasetId, [{ a: 'y'.repeat(1000) }]);
    await server.metering.measure();
    equal((await amounts(fixture)).storage, storage);
    const now = server.runtime.clock.now();
    server.runtime.clock.advance(24 * 3600_000);
    await server.metering.measure();
    server.runtime.clock.set(now);
    ok((await amounts(fixture, '2026-01-02')).storage > 0);
    equal((await usage('?from=2026-01-01&to=2026-01-01')).days[0]?.base, 1);
  });

  test('files of uploads count as storage until they are deleted', async () => {
    const datasetId = await fixture.dataset();
    const size = 3_000_000;
    const measured = async (): Promise<number> => {
      await server.db.deleteFrom('usage_days').execute();
      await server.metering.measure();
      return (await amounts(fixture)).storage;
    };
    const before = await measured();
    const { body, headers } = multipartBody([
      { name: 'datasetId', content: datasetId },
      // A row with too many cells is rejected, so that no record takes the space.
      { name: 'files', fileName: 'large.csv', content: `n\n1\n2,${'x'.repeat(size)}\n` },
    ]);
    const { text } = await fixture.post('/uploads', body, { headers });
    await server.jobsSettled();
    ok((await measured()) >= before + size);
    const { uploadId } = JSON.parse(text) as { uploadId: string };
    await sendRequest(server, 'DELETE', `/uploads/${uploadId}`, { token: fixture.admin });
    await server.jobsSettled();
    ok((await measured()) < before + size);
  });

  test('L12: usage is returned in whole minutes and gigabytes, and remainders count later', async () => {
    const uid = fixture.workspace.uniqueId;
    const put = async (day: string, meter: UsageMeter, amount: number): Promise<void> =>
      void (await server.db
        .insertInto('usage_days')
        .values({ workspace_uid: uid, day, meter, amount })
        .execute());
    await put('2025-06-01', 'compute', 59_999);
    await put('2025-06-02', 'compute', 1);
    await put('2025-06-03', 'compute', 150_000);
    await put('2025-06-01', 'network', 999_999_999);
    await put('2025-06-02', 'network', 2_000_000_001);
    await put('2025-06-01', 'storage', 1_999_999_999);
    await put('2025-06-02', 'storage', 999_999_999);
    const { days } = await usage('?from=2025-06-01&to=2025-06-03');
    const gigabyte = 1_000_000_000;
    deepEqual(days, [
      { day: '2025-06-01', ...noUse, storage: gigabyte },
      { day: '2025-06-02', ...noUse, compute: 60, network: 3 * gigabyte },
      { day: '2025-06-03', ...noUse, compute: 120 },
    ]);
    const last = await usage('?from=2025-06-03&to=2025-06-03');
    equal(last.days[0]?.compute, 120);
  });

  test('usage that cannot be stored is kept for the next attempt, and deleted workspaces are skipped', async () => {
    const { uniqueId } = fixture.workspace;
    await settle();
    const { compute } = await amounts(fixture);
    const { meter, metering } = server;
    meter.add(uniqueId, 'compute', 7);
    // A value that no database can store.
    meter.add(uniqueId, 'network', Infinity);
    await rejects(metering.flush());
    deepEqual(meter.take(), [
      { workspaceUid: uniqueId, meter: 'compute', amount: 7 },
      { workspaceUid: uniqueId, meter: 'network', amount: Infinity },
    ]);
    meter.add(uniqueId, 'compute', 7);
    meter.add('no-such-workspace', 'network', 1000);
    await metering.flush();
    equal((await amounts(fixture)).compute, compute + 7);
    deepEqual(meter.take(), []);
  });

  test('the usage of several processes adds up, including what one of them stores when it stops', async () => {
    const { uniqueId } = fixture.workspace;
    await settle();
    const { network } = await amounts(fixture);
    const processes = Array.from({ length: 3 }, () => {
      const meter = createMeter();
      const deps = { db: server.db, meter, clock: server.runtime.clock, logger: silent };
      return { meter, metering: createMetering({ ...deps, store: { storedBytes: async () => new Map() } }) };
    });
    for (let round = 0; round < 3; round += 1) {
      for (const { meter } of processes) meter.add(uniqueId, 'network', 100);
      await Promise.all(processes.map(({ metering }) => (round < 2 ? metering.flush() : metering.stop())));
    }
    equal((await amounts(fixture)).network, network + 900);
  });

  /** Response bytes are counted when the connection reports the end, which is slightly after the client has read them. */
  const settle = async (): Promise<void> => {
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
    await server.metering.flush();
  };
  const amounts = async ({ workspace }: RecordFixture, day = '2026-01-01') => {
    const rows = await server.db
      .selectFrom('usage_days')
      .where('workspace_uid', '=', workspace.uniqueId)
      .where('day', '=', day)
      .select(['meter', 'amount'])
      .execute();
    return { ...noUse, ...Object.fromEntries(rows.map(({ meter, amount }) => [meter, amount])) };
  };
});

/* Shows: A-schedule-once, A-schedule-rights, A-schedule-mail */
import type { Job, Schedule, ScheduleRun } from '@redoubt/contract';
import { startServer, type TestServer } from '@redoubt/server/testing';
import { createRecordFixture, createSender, type RecordFixture, type TestPerson } from '@redoubt/testkit';
import { applicationToken } from '@redoubt/testkit/requests';
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Mail } from '../../platform/mail/index.ts';

const minute = 60_000;

describe('schedules', () => {
  const mails: Mail[] = [];
  let server: TestServer;
  let fixture: RecordFixture;
  let creator: TestPerson;
  let host: Server;
  let url: string;
  let isBroken = false;
  let brokenPath: string | undefined;

  before(async () => {
    const mail = {
      send: async (sent: Mail) => void mails.push(sent),
      close: () => undefined,
    };
    server = await startServer({ mail });
    // Before the people sign in, because their sessions end.
    server.runtime.clock.set(new Date('2026-03-29T00:30:00.000Z'));
    fixture = await createRecordFixture(server);
    creator = await fixture.newReader('A');
    host = createServer((request, response) => {
      if (isBroken || request.url === brokenPath) response.writeHead(500).end();
      else response.end('n\n1\n2\n');
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${String((host.address() as AddressInfo).port)}/rows.csv`;
  });
  after(async () => {
    await server.close();
    host.close();
  });
  afterEach(() => {
    isBroken = false;
    brokenPath = undefined;
  });

  const bodyFor = (datasetId: string, more: object = {}): object => ({
    datasetId,
    name: 'Rows each time',
    cron: '*/10 * * * *',
    timeZone: 'Europe/Berlin',
    request: {
      dataSourceParams: {
        type: 'URL',
        connectionInfo: { urls: [{ url, headers: { authorization: 'Bearer of-the-host' } }] },
      },
    },
    ...more,
  });
  const create = (datasetId: string, more: object = {}, status = 201, token = creator.token) =>
    fixture.call<Schedule>(status, 'POST', '/schedules', { token, body: bodyFor(datasetId, more) });
  const get = (id: string, token = creator.token) =>
    fixture.call<Schedule>(200, 'GET', `/schedules/${id}`, { token });
  const runsOf = async (id: string, token = creator.token): Promise<ScheduleRun[]> =>
    (
      await fixture.call<{ data: ScheduleRun[] }>(
        200,
        'GET',
        `/schedules/${id}/runs?$limit=-1&$sort[plannedAt]=1`,
        { token },
      )
    ).data;
  const statusesFor = async (id: string, token: string): Promise<string[]> =>
    (await runsOf(id, token)).map(({ status }) => status);
  const statuses = (id: string): Promise<string[]> => statusesFor(id, creator.token);
  /** Lets the next planned time of a schedule pass. */
  const due = async (id: string, late = 0): Promise<void> => {
    const { nextRunAt } = await get(id);
    server.runtime.clock.set(new Date(Date.parse(nextRunAt ?? '') + late));
  };
  const check = async (): Promise<void> => {
    await server.checkSchedules();
    await server.jobsSettled();
    await server.checkSchedules();
  };
  const failures = (): Mail[] => mails.filter(({ subject }) => subject === 'A scheduled run failed');
  const countOf = async (datasetId: string): Promise<number> =>
    (
      await fixture.call<{ recordCount: number }>(200, 'GET', `/datasets/${datasetId}`, {
        token: creator.token,
      })
    ).recordCount;

  test('a schedule starts a job at its time, once, and shows it in its history', async () => {
    const datasetId = await fixture.dataset();
    const schedule = await create(datasetId, { cron: '30 2 * * *' });
    // At 2:00 the clocks of Berlin go to 3:00, so 2:30 of this day comes at 3:00.
    assert.equal(schedule.nextRunAt, '2026-03-29T01:00:00.000Z');
    assert.equal(JSON.stringify(schedule).includes('of-the-host'), false);
    assert.deepEqual(schedule.source, { source: 'URL', hosts: [new URL(url).host] });
    await check();
    assert.deepEqual(await runsOf(schedule.id), []);
    await due(schedule.id);
    await Promise.all([server.checkSchedules(), server.checkSchedules(), server.checkSchedules()]);
    await check();
    const [run, ...others] = await runsOf(schedule.id);
    assert.deepEqual(others, []);
    assert.equal(run?.status, 'completed');
    assert.equal(run.plannedAt, '2026-03-29T01:00:00.000Z');
    assert.equal(run.isManual, false);
    assert.equal(await countOf(datasetId), 2);
    assert.equal((await get(schedule.id)).nextRunAt, '2026-03-30T00:30:00.000Z');
    const job = await fixture.call<Job>(200, 'GET', `/jobs/${run.jobId ?? ''}`, { token: creator.token });
    assert.equal(job.userId, creator.id);
  });

  test('runs that were missed while no server ran are made up for once', async () => {
    const datasetId = await fixture.dataset();
    const { id } = await create(datasetId);
    await due(id, 50 * minute);
    await check();
    assert.deepEqual(await statuses(id), ['completed']);
    assert.ok(Date.parse((await get(id)).nextRunAt ?? '') > server.runtime.clock.now().getTime());
  });

  test('while 100 jobs of its creator wait, a run waits, and neither fails nor pauses the schedule', async () => {
    const busy = await fixture.newReader('A');
    const datasetId = await fixture.dataset();
    const { id } = await create(datasetId, { mailOnFailure: true }, 201, busy.token);
    const release = server.holdChanges();
    const startJob = () =>
      fixture.call<Job>(202, 'POST', `/storage/datasets/${datasetId}/deleteRecords`, {
        token: busy.token,
        body: { recordIds: ['none'] },
      });
    const running = await startJob();
    const isQueued = async () =>
      (await fixture.call<Job>(200, 'GET', `/jobs/${running.id}`, { token: busy.token })).status === 'queued';
    while (await isQueued());
    for (let count = 0; count < 100; count += 1) await startJob();
    server.runtime.clock.set(new Date((await get(id, busy.token)).nextRunAt ?? ''));
    await server.checkSchedules();
    await server.checkSchedules();
    const waiting = await statusesFor(id, busy.token);
    release();
    assert.deepEqual(waiting, ['starting']);
    await server.jobsSettled();
    server.runtime.clock.advance(minute + 1000);
    await check();
    assert.deepEqual(await statusesFor(id, busy.token), ['completed']);
    assert.equal((await get(id, busy.token)).isActive, true);
    assert.deepEqual(failures(), []);
    await fixture.call(200, 'DELETE', `/schedules/${id}`, { token: busy.token });
  });

  test('a run is skipped while the one before is open, and by request it starts at once', async () => {
    const datasetId = await fixture.dataset();
    const { id } = await create(datasetId, { isActive: false });
    assert.equal((await get(id)).nextRunAt, null);
    const path = `/schedules/${id}/runs`;
    const first = await fixture.call<ScheduleRun>(202, 'POST', path, { token: creator.token });
    // Whether its job has begun by now depends on the load of the server.
    assert.deepEqual([first.isManual, first.status, first.startedAt], [true, 'queued', null]);
    await server.jobsSettled();
    await server.db
      .updateTable('jobs')
      .set({ status: 'queued', worker: null })
      .where('id', '=', first.jobId ?? '')
      .execute();
    const second = await fixture.call<ScheduleRun>(202, 'POST', path, { token: creator.token });
    assert.deepEqual([second.status, second.jobId], ['skipped', null]);
    await server.db
      .updateTable('jobs')
      .set({ status: 'completed' })
      .where('id', '=', first.jobId ?? '')
      .execute();
    await check();
    const third = await fixture.call<ScheduleRun>(202, 'POST', path, { token: creator.token });
    await check();
    assert.deepEqual(await statuses(id), ['completed', 'skipped', 'completed']);
    assert.notEqual(third.jobId, first.jobId);
  });

  test('a run whose process died before its job existed is started by another', async () => {
    const datasetId = await fixture.dataset();
    const { id } = await create(datasetId);
    const now = server.runtime.clock.now();
    await server.db
      .insertInto('schedule_runs')
      .values({
        id: 'left',
        schedule_id: id,
        planned_at: now,
        is_manual: false,
        state: 'starting',
        lease_until: new Date(now.getTime() + minute),
      })
      .execute();
    await check();
    assert.deepEqual(await statuses(id), ['starting']);
    server.runtime.clock.advance(2 * minute);
    await check();
    assert.deepEqual(await statuses(id), ['completed']);
  });

  test('the run after a failed append retries its job, so that no row is stored twice', async () => {
    const datasetId = await fixture.dataset();
    const urls = [{ url }, { url: `${url}?again` }];
    const request = { dataSourceParams: { type: 'URL', connectionInfo: { urls } } };
    const { id } = await create(datasetId, { request });
    brokenPath = '/rows.csv?again';
    await due(id);
    await check();
    assert.equal(await countOf(datasetId), 2);
    await due(id);
    await check();
    assert.equal(await countOf(datasetId), 2);
    brokenPath = undefined;
    await due(id);
    await check();
    assert.equal(await countOf(datasetId), 4);
    const runs = await runsOf(id);
    assert.deepEqual(
      runs.map(({ status, error }) => [status, error?.message.includes('rows.csv')]),
      [
        ['failed', true],
        ['failed', true],
        ['completed', undefined],
      ],
    );
    assert.equal(new Set(runs.map(({ jobId }) => jobId)).size, 1);
    await due(id);
    await check();
    const [, , , last] = await runsOf(id);
    assert.deepEqual([last?.status, last?.jobId === runs[0]?.jobId], ['completed', false]);
  });

  const labelledRequest = (label: string) => ({
    dataSourceParams: { type: 'URL', connectionInfo: { urls: [{ url }, { url: `${url}?again` }] } },
    securityLabeled: true,
    securityLabelInfo: { parserClassName: 'apply-label-to-all-records-parser', label },
  });

  test('after its request was changed, a run stores nothing by the former one', async () => {
    const datasetId = await fixture.dataset();
    const { id } = await create(datasetId, { request: labelledRequest('A') });
    brokenPath = '/rows.csv?again';
    await due(id);
    await check();
    brokenPath = undefined;
    assert.equal(await countOf(datasetId), 2);
    await fixture.call(200, 'PATCH', `/schedules/${id}`, {
      token: creator.token,
      body: { request: labelledRequest('TIGHTER') },
    });
    await due(id);
    await check();
    assert.deepEqual(await statuses(id), ['failed', 'completed']);
    assert.equal(await countOf(datasetId), 2);
  });

  test('after the upload of a failed run was deleted, the next run starts a job of its own', async () => {
    const datasetId = await fixture.dataset();
    const urls = [{ url }, { url: `${url}?again` }];
    const request = { dataSourceParams: { type: 'URL', connectionInfo: { urls } } };
    const { id } = await create(datasetId, { request });
    brokenPath = '/rows.csv?again';
    await due(id);
    await check();
    brokenPath = undefined;
    const { data } = await fixture.call<{ data: { id: string }[] }>(
      200,
      'GET',
      `/uploads?datasetId=${datasetId}`,
      { token: creator.token },
    );
    await fixture.call(202, 'DELETE', `/uploads/${data[0]?.id ?? ''}`, { token: creator.token });
    await server.jobsSettled();
    assert.equal(await countOf(datasetId), 0);
    await due(id);
    await check();
    assert.deepEqual(await statuses(id), ['failed', 'completed']);
    assert.equal(await countOf(datasetId), 4);
  });

  test('a failure sends one mail until a run completes, and the mail quotes no error', async () => {
    const datasetId = await fixture.dataset();
    const { id } = await create(datasetId, { mailOnFailure: true });
    isBroken = true;
    for (const late of [0, minute]) {
      await due(id, late);
      await check();
    }
    await server.mailSettled();
    const sent = failures();
    assert.deepEqual(
      sent.map(({ to }) => to),
      [creator.email],
    );
    assert.match(sent[0]?.text ?? '', /"Rows each time"/);
    assert.doesNotMatch(sent[0]?.text ?? '', /rows\.csv|\b500\b/);
    assert.equal(sent[0]?.text.includes(new URL(url).host), false);
    isBroken = false;
    await due(id);
    await check();
    assert.deepEqual(await statuses(id), ['failed', 'failed', 'completed']);
    const [failed] = await runsOf(id);
    assert.equal(failed?.error?.name, 'HttpClientError');
    assert.equal((await get(id)).isActive, true);
    isBroken = true;
    await due(id);
    await check();
    await server.mailSettled();
    isBroken = false;
    assert.equal(failures().length, 2);
  });

  test('a schedule whose creator lost a right fails, pauses and says why to them alone', async () => {
    const person = await fixture.newReader('A');
    const datasetId = await fixture.dataset();
    const { id } = await create(datasetId, {}, 201, person.token);
    const { data } = await fixture.call<{ data: { id: string; action: string }[] }>(
      200,
      'GET',
      `/dataset-permissions?datasetId=${datasetId}&$limit=-1`,
    );
    for (const permission of data)
      if (permission.action === 'write')
        await fixture.call(200, 'DELETE', `/dataset-permissions/${permission.id}`);
    const { nextRunAt } = await get(id, person.token);
    server.runtime.clock.set(new Date(nextRunAt ?? ''));
    await check();
    const paused = await get(id, person.token);
    assert.equal(paused.isActive, false);
    assert.match(paused.pausedReason ?? '', /may not write/);
    assert.equal(paused.nextRunAt, null);
    const seen = await get(id, fixture.admin);
    assert.deepEqual([seen.pausedReason, seen.request, seen.source], [null, null, null]);
    const [run] = await runsOf(id, fixture.admin);
    assert.deepEqual([run?.status, run?.error], ['failed', null]);
    const resumed = await fixture.call<Schedule>(200, 'PATCH', `/schedules/${id}`, {
      token: person.token,
      body: { isActive: true },
    });
    assert.deepEqual([resumed.isActive, resumed.pausedReason], [true, null]);
    await fixture.call(200, 'DELETE', `/users/${person.id}`);
    server.runtime.clock.set(new Date(resumed.nextRunAt ?? ''));
    await check();
    const after = await get(id, fixture.admin);
    assert.equal(after.isActive, false);
  });

  const credentials: readonly {
    what: string;
    of(person: TestPerson): Promise<{ headers: Record<string, string>; revoke(): Promise<unknown> }>;
  }[] = [
    {
      what: 'an API key',
      of: async ({ token }) => {
        const { id, key } = await fixture.call<{ id: string; key: string }>(201, 'POST', '/api-keys', {
          token,
          body: {
            name: 'Key',
            workspaceId: fixture.workspace.id,
            groupNames: [fixture.readers.name],
            attributeNames: ['A'],
          },
        });
        const revoke = () =>
          fixture.call(200, 'PATCH', `/api-keys/${id}`, { token, body: { revoked: true } });
        return { headers: { 'x-api-key': key }, revoke };
      },
    },
    {
      what: 'an application',
      of: async (person) => {
        const { id, admin } = fixture.workspace;
        const token = await applicationToken(createSender(server), admin, id, person, 'mls');
        const revoke = () => fixture.call(200, 'DELETE', `/authentication/${token}`, { token });
        return { headers: { authorization: `Bearer ${token}` }, revoke };
      },
    },
  ];
  for (const { what, of } of credentials) {
    test(`a schedule that ${what} created runs with its rights, and pauses when it is revoked`, async () => {
      const person = await fixture.newReader('A');
      const datasetId = await fixture.dataset();
      const { headers, revoke } = await of(person);
      const sent = await fetch(`${server.url}/schedules`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(bodyFor(datasetId)),
      });
      assert.equal(sent.status, 201, await sent.clone().text());
      const { id, nextRunAt } = (await sent.json()) as Schedule;
      server.runtime.clock.set(new Date(nextRunAt ?? ''));
      await check();
      assert.deepEqual(await statusesFor(id, fixture.admin), ['completed']);
      assert.equal(await countOf(datasetId), 2);
      await revoke();
      const next = (await get(id, fixture.admin)).nextRunAt;
      server.runtime.clock.set(new Date(next ?? ''));
      await check();
      assert.deepEqual(await statusesFor(id, fixture.admin), ['completed', 'failed']);
      const paused = await get(id, fixture.admin);
      assert.deepEqual([paused.isActive, paused.nextRunAt], [false, null]);
      assert.equal(await countOf(datasetId), 2);
    });
  }

  test('a schedule pauses when the minimum label of its connection changed during an append, and goes on after the upload is deleted', async () => {
    const datasetId = await fixture.dataset();
    const send = <Body>(
      status: number,
      method: 'DELETE' | 'GET' | 'PATCH' | 'POST',
      path: string,
      body?: object,
    ) => fixture.call<Body>(status, method, path, { token: creator.token, ...(body && { body }) });
    const connection = await send<{ id: string }>(201, 'POST', '/connections', {
      workspaceId: fixture.workspace.id,
      name: 'Rows',
      type: 'URL',
      connectionInfo: {},
      allowed: { urlPrefixes: [new URL('.', url).href] },
      minimumLabel: 'A',
    });
    await send(200, 'POST', `/connections/${connection.id}/test`);
    const connectionInfo = { urls: [{ url }, { url: `${url}?again` }] };
    const request = { dataSourceParams: { type: 'URL', connectionId: connection.id, connectionInfo } };
    const { id } = await create(datasetId, { request });
    brokenPath = '/rows.csv?again';
    await due(id);
    await check();
    brokenPath = undefined;
    assert.equal(await countOf(datasetId), 2);
    await send(200, 'PATCH', `/connections/${connection.id}`, { minimumLabel: 'A|B' });
    await due(id);
    await check();
    const { isActive, pausedReason } = await get(id);
    assert.equal(isActive, false);
    assert.match(pausedReason ?? '', /The minimum label .* was changed.* Delete its upload/);
    assert.equal(await countOf(datasetId), 2);
    const { data } = await send<{ data: { id: string }[] }>(200, 'GET', `/uploads?datasetId=${datasetId}`);
    await send(202, 'DELETE', `/uploads/${data[0]?.id ?? ''}`);
    await server.jobsSettled();
    await send(200, 'PATCH', `/schedules/${id}`, { isActive: true });
    await due(id);
    await check();
    assert.deepEqual(await statuses(id), ['failed', 'failed', 'completed']);
    assert.equal(await countOf(datasetId), 4);
  });

  test('managers see and pause a schedule, and others get the response of an absent one', async () => {
    const datasetId = await fixture.dataset();
    const { id } = await create(datasetId);
    const stranger = await fixture.newReader('A');
    const read = async (token: string, of: string) =>
      fixture.call<{ message: string }>(404, 'GET', `/schedules/${of}`, { token });
    const hidden = await read(stranger.token, id);
    const absent = await read(stranger.token, 'none');
    assert.equal(hidden.message.replace(id, 'none'), absent.message);
    const patch = (status: number, body: object) =>
      fixture.call<Schedule>(status, 'PATCH', `/schedules/${id}`, { body });
    await patch(403, { name: 'Mine' });
    await patch(403, { isActive: true });
    assert.equal((await patch(200, { isActive: false })).isActive, false);
    await fixture.call(403, 'POST', `/schedules/${id}/runs`);
    const list = await fixture.call<{ data: Schedule[] }>(200, 'GET', `/schedules?datasetId=${datasetId}`, {
      token: stranger.token,
    });
    assert.deepEqual(list.data, []);
    await fixture.call(200, 'DELETE', `/schedules/${id}`);
    await fixture.call(404, 'GET', `/schedules/${id}`, { token: creator.token });
  });

  test('a schedule that could not run is rejected with the field', async () => {
    const datasetId = await fixture.dataset();
    const message = async (more: object, status = 400): Promise<string> =>
      ((await create(datasetId, more, status)) as unknown as { message: string }).message;
    for (const cron of ['* * * *', '61 * * * *', '0 0 31 2 *', 'each hour', '* * * * * *'])
      assert.match(await message({ cron }), /^cron must be five fields/);
    for (const timeZone of ['Mars/Olympus', '+01:00', ' '])
      assert.match(await message({ timeZone }), /^timeZone must be the IANA name/);
    const connectionInfo = { urls: [{ url }], changedSinceJob: 'any' };
    const params = { type: 'URL', connectionInfo };
    assert.match(
      await message({ request: { dataSourceParams: params } }),
      /^request\.dataSourceParams\.connectionInfo\.changedSinceJob must not be sent/,
    );
    await message({ request: { dataSourceParams: { type: 'URL', connectionInfo: {} } } });
    assert.deepEqual(
      (
        await fixture.call<{ data: Schedule[] }>(200, 'GET', `/schedules?datasetId=${datasetId}`, {
          token: creator.token,
        })
      ).data,
      [],
    );
  });
});

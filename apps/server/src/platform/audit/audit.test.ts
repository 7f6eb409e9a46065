/* Shows: A-audit-together, A-audit-chain */
import { startServer, type TestServer } from '@redoubt/server/testing';
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { randomUUID } from 'node:crypto';
import { toStoredEvent } from './audit-event.ts';
import type { AuditActor } from './index.ts';

const author = (workspace: string | undefined): AuditActor => ({
  accountId: 'ada',
  email: 'ada@example.org',
  workspace: workspace === undefined ? undefined : { uniqueId: workspace },
  origin: { ip: '192.0.2.1', requestId: 'r' },
});

const event = (description: string) => ({ type: 'GroupManagement' as const, description });

describe('the chain of audit events', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  let workspaces = 0;
  /** Creates a workspace whose chain has `count` events. */
  const chainOf = async (count: number) => {
    const workspace = `w${(workspaces += 1)}`;
    const logged = Array.from({ length: count }, (_, at) =>
      server.audit.log(author(workspace), event(`did ${at + 1}`)),
    );
    await Promise.all(logged);
    await server.audit.settle();
    return workspace;
  };
  const reportOf = async (workspace: string) =>
    (await server.audit.verify()).find((report) => report.workspace === workspace);
  const eventsTable = async () =>
    (
      await server.engine.text(
        `select concat(database, '.', name) from system.tables where name = 'audit_events' order by metadata_modification_time desc limit 1`,
        { lane: 'short' },
      )
    ).trim();
  const alter = async (statement: string) => {
    const table = await eventsTable();
    await server.engine.text(statement.replace('TABLE', table), {
      lane: 'short',
      settings: { lightweight_delete_mode: 'lightweight_update_force' },
    });
  };

  test('events are chained in the order in which they were logged, with one chain for each workspace', async () => {
    const [one, other] = [await chainOf(5), await chainOf(2)];
    await server.audit.log(author(undefined), event('came from nowhere'));
    await server.audit.log(author(one), event('did 6'));
    deepEqual(await reportOf(one), { workspace: one, events: 6, problem: undefined });
    deepEqual(await reportOf(other), { workspace: other, events: 2, problem: undefined });
    deepEqual(await reportOf('-'), { workspace: '-', events: 1, problem: undefined });
  });

  test('an event that another process left in the outbox is chained within half a minute', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    server.audit.start();
    const kept = toStoredEvent(author('w0'), event('was committed late'), randomUUID(), new Date());
    const row = { id: kept.id, workspace_uid: 'w0', event: JSON.stringify(kept) };
    await server.db.insertInto('audit_outbox').values(row).execute();
    t.mock.timers.tick(30_000);
    await server.audit.still(() => Promise.resolve());
    deepEqual(await server.db.selectFrom('audit_outbox').select('id').execute(), []);
  });

  test('verification names an event that was changed', async () => {
    const workspace = await chainOf(4);
    await alter(
      `UPDATE TABLE SET event = replaceOne(event, 'did 2', 'did 9') WHERE workspace = '${workspace}' AND seq = 2`,
    );
    equal((await reportOf(workspace))?.problem, 'event 2 was changed');
  });

  test('verification names an event whose columns differ from its chained text', async () => {
    const workspace = await chainOf(4);
    await alter(`UPDATE TABLE SET user_id = 'ben' WHERE workspace = '${workspace}' AND seq = 3`);
    equal((await reportOf(workspace))?.problem, 'event 3 was changed');
  });

  test('verification names an event that was removed', async () => {
    const workspace = await chainOf(4);
    await alter(`DELETE FROM TABLE WHERE workspace = '${workspace}' AND seq = 3`);
    deepEqual(await reportOf(workspace), { workspace, events: 2, problem: 'event 3 is missing' });
  });

  test('verification names the last events when they were removed, also after further events', async () => {
    const workspace = await chainOf(5);
    await alter(`DELETE FROM TABLE WHERE workspace = '${workspace}' AND seq > 3`);
    equal((await reportOf(workspace))?.problem, 'the last events are missing: 4 to 5');
    await server.audit.log(author(workspace), event('did 6'));
    equal((await reportOf(workspace))?.problem, 'events 4 to 5 are missing');
  });

  test('a change and its event are committed together or not at all', async () => {
    const workspace = await chainOf(1);
    await rejects(
      server.audit.change(author(workspace), event('did in vain'), () => Promise.reject(new Error('no'))),
      /no/,
    );
    deepEqual(await reportOf(workspace), { workspace, events: 1, problem: undefined });
    equal(await server.audit.change(author(workspace), event('did'), () => Promise.resolve('it')), 'it');
    await server.audit.change(
      author(workspace),
      () => undefined,
      () => Promise.resolve(),
    );
    deepEqual(await reportOf(workspace), { workspace, events: 2, problem: undefined });
  });

  test('verification names events that this server did not write', async () => {
    const workspace = await chainOf(2);
    await alter(
      `INSERT INTO TABLE (workspace, seq, hash, previous, event, record_id) SELECT workspace, 3, 'made up', hash, event, 'made-up' FROM TABLE WHERE workspace = '${workspace}' AND seq = 2`.replace(
        'FROM TABLE',
        `FROM ${await eventsTable()}`,
      ),
    );
    await server.audit.log(author(workspace), event('did 3'));
    match((await reportOf(workspace))?.problem ?? '', /event 3 was changed|two events 3/);
  });

  test('verification names a workspace whose events and sealed end were all removed', async () => {
    const workspace = await chainOf(3);
    deepEqual(await reportOf(workspace), { workspace, events: 3, problem: undefined });
    await alter(`DELETE FROM TABLE WHERE workspace = '${workspace}'`);
    const end = server.db.deleteFrom('audit_chains').where('workspace_uid', '=', workspace);
    await end.execute();
    equal((await reportOf(workspace))?.problem, 'all of its events and its sealed end are missing');
    equal((await reportOf(await chainOf(1)))?.problem, undefined);
  });

  test('verification notices when the list of workspaces is removed, replaced by an older one or changed', async () => {
    const list = server.db.selectFrom('audit_chains').where('workspace_uid', '=', '*').selectAll();
    const before = await list.executeTakeFirstOrThrow();
    const workspace = await chainOf(1);
    const after = await list.executeTakeFirstOrThrow();
    const put = async (sealed: string): Promise<void> => {
      await server.db.deleteFrom('audit_chains').where('workspace_uid', '=', '*').execute();
      if (sealed !== '')
        await server.db.insertInto('audit_chains').values({ workspace_uid: '*', sealed }).execute();
    };
    await put(before.sealed);
    equal((await reportOf(workspace))?.problem, 'it is not in the list of workspaces');
    await put('');
    await chainOf(1);
    equal((await reportOf('*'))?.problem, 'the list of workspaces that have events is missing');
    await put(after.sealed.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')));
    await chainOf(1);
    ok((await reportOf('*'))?.problem !== undefined);
    await put(after.sealed);
    equal(await reportOf('*'), undefined);
  });

  test('the operator creates the list of workspaces where there is none, and the log says so', async () => {
    const workspace = await chainOf(1);
    equal(await server.audit.beginList(), false);
    await server.db.deleteFrom('audit_chains').where('workspace_uid', '=', '*').execute();
    equal((await reportOf('*'))?.problem, 'the list of workspaces that have events is missing');
    const before = (await reportOf('-'))?.events ?? 0;
    equal(await server.audit.beginList(), true);
    deepEqual([await reportOf('*'), (await reportOf(workspace))?.problem], [undefined, undefined]);
    equal((await reportOf('-'))?.events, before + 1);
    equal((await reportOf(await chainOf(1)))?.problem, undefined);
  });
});

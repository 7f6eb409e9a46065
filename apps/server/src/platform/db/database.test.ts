import { createPostgresDatabase, metadataEngine } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { openDatabase, type Db } from './database.ts';

const skip = metadataEngine() === 'pglite' ? 'the embedded database has no connections' : false;

/** The URL of a proxy to the same server that does not pass on that a connection was closed. */
async function startSilentProxy(context: TestContext, url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const proxy = createServer((socket) => {
    const server = connect(Number(port), hostname);
    socket.pipe(server);
    server.on('data', (data) => socket.write(data));
    for (const side of [socket, server]) sockets.add(side.on('error', () => undefined));
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  context.after(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const behind = new URL(url);
  behind.hostname = '127.0.0.1';
  behind.port = String((proxy.address() as AddressInfo).port);
  return behind.href;
}

const pidOf = async (db: Db): Promise<number | undefined> => {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return rows[0]?.pid;
};

test(
  'a connection that the server has ended is not used again, even before its end is noticed',
  { skip },
  async (context) => {
    const url = await createPostgresDatabase();
    const here = await openDatabase({ url: await startSilentProxy(context, url) });
    const there = await openDatabase({ url });
    context.after(() => Promise.all([here.destroy(), there.destroy()]));

    const pid = await pidOf(here);
    const asleep = sql`select pg_sleep(60)`.execute(here);
    const failed = assert.rejects(asleep, { code: '57P01' });
    const isAsleep = async (): Promise<boolean> => {
      const { rows } =
        await sql`select from pg_stat_activity where pid = ${pid} and query like '%pg_sleep%'`.execute(there);
      return rows.length > 0;
    };
    while (!(await isAsleep()));
    await sql`select pg_terminate_backend(${pid}, 10000)`.execute(there);
    await failed;
    assert.notEqual(await pidOf(here), pid);
  },
);

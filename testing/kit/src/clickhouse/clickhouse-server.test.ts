import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startClickhouse } from './clickhouse-server.ts';

const isListening = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};

test('a ClickHouse server of the tests ends with the process that started it, even if that is killed', async () => {
  const script = `
    const { startClickhouse } = await import(${JSON.stringify(new URL('clickhouse-server.ts', import.meta.url).href)});
    const { url, nativePort } = await startClickhouse({ grants: [] });
    console.log(new URL(url).port, nativePort);
    setInterval(() => undefined, 1_000_000);`;
  // The killed process leaves its temporary files behind, so they go into a folder that the test deletes.
  const folder = mkdtempSync(join(tmpdir(), 'redoubt-owner-'));
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: folder },
  });
  const failed = once(owner, 'exit').then(() => Promise.reject(new Error('no server was started')));
  const [said] = (await Promise.race([once(owner.stdout, 'data'), failed])) as [Buffer];
  failed.catch(() => undefined);
  const ports = said.toString().split(' ').map(Number);
  for (const port of ports) assert.equal(await isListening(port), true);
  owner.kill('SIGKILL');
  for (const port of ports) while (await isListening(port)) await sleep(20);
  rmSync(folder, { recursive: true, force: true });
});

test('a ClickHouse server of the tests that is ended or killed starts again with its data on the same ports', async () => {
  const server = await startClickhouse({
    grants: [
      'GRANT CREATE DATABASE, CREATE TABLE, INSERT, SELECT ON test_kit.*',
      'GRANT TABLE ENGINE ON MergeTree',
    ],
  });
  const query = async (sql: string): Promise<string> => {
    const credential = Buffer.from(`${server.username}:${server.password}`).toString('base64');
    const headers = { authorization: `Basic ${credential}`, connection: 'close' };
    const response = await fetch(server.url, { method: 'POST', body: sql, headers });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return text;
  };
  try {
    await query('CREATE DATABASE test_kit');
    await query('CREATE TABLE test_kit.t (n Int64) ENGINE = MergeTree ORDER BY n');
    for (const [round, way] of (['end', 'kill'] as const).entries()) {
      await query(`INSERT INTO test_kit.t VALUES (${String(round)})`);
      await server[way]();
      assert.equal(await isListening(server.nativePort), false);
      await server.restart();
      assert.equal(await query('SELECT count() FROM test_kit.t'), `${String(round + 1)}\n`);
    }
  } finally {
    await server.stop();
  }
});

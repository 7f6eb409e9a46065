import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** ClickHouse's HTTP interface in front of chdb, in a process of its own. */
export interface TestClickhouse {
  url: string;
  username: string;
  password: string;
  /** Ends it at once. */
  kill(): Promise<void>;
  /** Starts it again after `kill`, on the same data and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('serve.ts', import.meta.url));

/** Starts the server on a free port of loopback; it ends with this process. */
export async function startTestClickhouse(): Promise<TestClickhouse> {
  const folder = mkdtempSync(join(tmpdir(), 'redoubt-clickhouse-'));
  const account = { username: 'redoubt', password: 'a password of the test' };
  const start = async (port: number): Promise<{ port: number; kill: () => Promise<void> }> => {
    const child = fork(program, [folder, account.username, account.password], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      env: { ...process.env, REDOUBT_TEST_CLICKHOUSE_PORT: String(port), UV_THREADPOOL_SIZE: '48' },
    });
    // Whoever forgets it can end all the same, and takes it along.
    process.on('exit', () => child.kill('SIGKILL'));
    let said = '';
    const ended = once(child, 'exit');
    const listening = new Promise<void>((resolve, reject) => {
      child.stdout?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('\n')) resolve();
      });
      child.on('exit', () => reject(new Error('The ClickHouse server of the tests did not start.')));
    });
    await listening;
    child.unref();
    child.channel?.unref();
    if (child.stdout instanceof Socket) child.stdout.unref();
    return {
      port: Number(/\d+/.exec(said)?.[0]),
      kill: async () => {
        child.kill('SIGKILL');
        await ended;
      },
    };
  };
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  let running = await start(0);
  const { port } = running;
  return {
    url: `http://127.0.0.1:${port}`,
    ...account,
    kill: async () => running.kill(),
    restart: async () => {
      running = await start(port);
    },
    stop: async () => {
      await running.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePorts } from '../loopback-ports.ts';
import { configurationOf, type ServerUser } from './configuration.ts';

/** A ClickHouse server in a process of its own, with a user for Redoubt. */
export interface TestClickhouse {
  /** The URL of its HTTP interface. */
  url: string;
  /** The port of its native protocol on loopback. */
  nativePort: number;
  username: string;
  password: string;
  /** Kills the server without a clean shutdown. */
  kill(): Promise<void>;
  /** Shuts the server down cleanly and keeps its data. */
  end(): Promise<void>;
  /** Starts it again after `kill` or `end`, on the same data and ports. */
  restart(): Promise<void>;
  /** Ends it and deletes its data. */
  stop(): Promise<void>;
}

interface Running {
  child: ChildProcess;
  ended: Promise<unknown>;
}

const program = fileURLToPath(new URL('serve.ts', import.meta.url));
const portAttempts = 5;
const retryMs = 10;

const children = new Set<ChildProcess>();
const folders = new Set<string>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** The rights and initial settings of Redoubt's user on the server, and whether the server is a cluster. */
export interface TestClickhouseOptions
  extends Pick<ServerUser, 'grants'>, Partial<Pick<ServerUser, 'profile'>> {
  /** The name of a cluster with only this server. */
  cluster?: string;
}

/** Starts a server on free ports of loopback. It ends when this process ends. */
export async function startClickhouse({
  cluster: name,
  grants,
  profile = {},
}: TestClickhouseOptions): Promise<TestClickhouse> {
  const folder = mkdtempSync(join(tmpdir(), 'redoubt-clickhouse-'));
  folders.add(folder);
  const account = { username: 'redoubt', password: 'a password of the test' };
  const configuration = join(folder, 'server.xml');
  const user = { ...account, grants, profile };
  const start = (ports: Ports): Promise<Running> => {
    const cluster = name === undefined ? undefined : { name, nativePort: ports.native };
    writeFileSync(configuration, configurationOf(configuration, user, cluster));
    return startProcess(configuration, join(folder, 'data'), ports);
  };
  let { ports, running } = await startOnFreePorts(start);
  const ended = async (): Promise<void> => {
    running.child.ref();
    await running.ended;
  };
  const kill = async (): Promise<void> => {
    running.child.kill('SIGKILL');
    await ended();
  };
  return {
    url: `http://127.0.0.1:${ports.http}`,
    nativePort: ports.native,
    ...account,
    kill,
    end: async () => {
      running.child.stdin?.end();
      await ended();
    },
    restart: async () => {
      running = await start(ports);
    },
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
      folders.delete(folder);
    },
  };
}

interface Ports {
  http: number;
  native: number;
}

/** Tries again if another process takes a port between the check and the start. */
async function startOnFreePorts(
  start: (ports: Ports) => Promise<Running>,
): Promise<{ ports: Ports; running: Running }> {
  for (let attempt = 1; ; attempt++) {
    const [http = 0, native = 0] = await freePorts(2);
    const ports = { http, native };
    try {
      return { ports, running: await start(ports) };
    } catch (error) {
      if (attempt === portAttempts || !String(error).includes('Address already in use')) throw error;
    }
  }
}

async function startProcess(configuration: string, data: string, { http, native }: Ports): Promise<Running> {
  const child = fork(program, [configuration, data, String(http), String(native)], {
    stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
    // The options of the test runner must not reach the server.
    execArgv: [],
  });
  children.add(child);
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4096);
  });
  const ended = once(child, 'exit');
  child.on('exit', () => children.delete(child));
  while (!(await isResponding(http))) {
    if (!children.has(child)) throw new Error(`The ClickHouse server of the tests did not start: ${said}`);
    await sleep(retryMs);
  }
  // A test process that forgets to stop the server can still exit; the server then ends, too.
  child.unref();
  child.channel?.unref();
  for (const pipe of [child.stdin, child.stderr]) if (pipe instanceof Socket) pipe.unref();
  return { child, ended };
}

const isResponding = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/ping`, { headers: { connection: 'close' } }).then(
    (response) => response.ok,
    () => false,
  );

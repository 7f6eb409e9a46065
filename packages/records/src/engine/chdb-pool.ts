import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type * as Chdb from 'chdb';
import { serverArguments } from './chdb-server-settings.ts';
import { EngineOpenError } from './engine-errors.ts';
import { commonStatementSettings } from './common-statement-settings.ts';
import { createLane, defaultLanes, type Lane } from './connection-queue.ts';
import type { EngineLane } from './engine.ts';

/** The data folder of the embedded engine, and the limits of the engine. */
export interface PoolOptions {
  /** The folder of the engine. A process can open only one; several stores use several databases in it. */
  path: string;
  /** Bytes of memory for the whole engine: statements, merges and caches. Only the first open of the folder sets it. */
  memoryLimitBytes?: number;
  /** Maximum threads of a statement; by default the number of cores. Only the first open of the folder sets it. */
  threads?: number;
  /** Connections in each lane. Only the first open of the folder sets it. */
  lanes?: Readonly<Record<EngineLane, number>>;
  /** Called with the time that a statement waited for a connection. Only the first open of the folder sets it. */
  waited?: (lane: EngineLane, ms: number) => void;
}

export interface ChdbPool {
  path: string;
  lanes: Readonly<Record<EngineLane, Lane<Chdb.Session>>>;
  /** A separate connection for killing statements and managing memory, so that neither waits for other statements. */
  control: Chdb.Session;
}

/** The first statement on every connection; its settings stay. */
export const connectionSettings = `SET ${Object.entries(commonStatementSettings)
  .map(([name, value]) => `${name} = ${String(value)}`)
  .join(', ')}`;

interface OpenPool extends ChdbPool {
  users: number;
  sessions: Chdb.Session[];
  drain: () => Promise<void>;
}

let open: OpenPool | undefined;
let closing: Promise<void> = Promise.resolve();

/**
 * Returns the pool of this process for the folder. Call `releasePool` once for each call.
 * @throws EngineOpenError if another process has the folder open, or this process has another folder open
 */
export async function acquirePool(options: PoolOptions): Promise<ChdbPool> {
  await closing;
  const path = resolve(options.path);
  if (open !== undefined && open.path !== path) {
    throw new EngineOpenError(
      `The record engine of this process has "${open.path}" open, so it cannot open "${path}".`,
      process.pid,
      undefined,
    );
  }
  open ??= await openPool(path, options);
  open.users++;
  return open;
}

/** Releases the pool. The last release closes the engine when no statement runs any more. */
export async function releasePool(): Promise<void> {
  const pool = open;
  if (pool === undefined || --pool.users > 0) return;
  open = undefined;
  closing = closePool(pool);
  await closing;
}

async function closePool(pool: OpenPool): Promise<void> {
  for (const lane of Object.values(pool.lanes)) lane.close();
  await pool.drain();
  for (const session of pool.sessions) session.close();
  await pool.drain();
}

async function openPool(path: string, options: PoolOptions): Promise<OpenPool> {
  const chdb = await loadChdb();
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const sessions: Chdb.Session[] = [];
  // The memory limit applies to the whole engine, so only the first connection can set it.
  const firstArguments =
    options.memoryLimitBytes === undefined ? [] : serverArguments(options.memoryLimitBytes);
  try {
    const connect = (): Chdb.Session => {
      const session = new chdb.Session(path, { connectionArgs: sessions.length === 0 ? firstArguments : [] });
      sessions.push(session);
      session.query(connectionSettings);
      if (options.threads !== undefined) session.query(`SET max_threads = ${String(options.threads)}`);
      return session;
    };
    const control = connect();
    const sizes = options.lanes ?? defaultLanes;
    const lane = (name: EngineLane): Lane<Chdb.Session> =>
      createLane(Array.from({ length: sizes[name] }, connect), (ms) => options.waited?.(name, ms));
    const lanes = { write: lane('write'), short: lane('short'), long: lane('long') };
    return { path, users: 0, sessions, control, lanes, drain: chdb.drainPending };
  } catch (error) {
    for (const session of sessions) session.close();
    throw openError(path, error);
  }
}

/** Imports chdb late, so that an unsupported platform gets a clear error instead of a failed import. */
async function loadChdb(): Promise<typeof Chdb> {
  try {
    return await import('chdb');
  } catch (error) {
    throw new EngineOpenError(
      `The record engine (chdb) cannot be loaded on ${process.platform} ${process.arch}. It ships for Linux with glibc and for macOS, on x64 and arm64; run the installation again there.`,
      undefined,
      error,
    );
  }
}

function openError(path: string, error: unknown): EngineOpenError {
  const holder = holderOf(path);
  return new EngineOpenError(
    holder === undefined
      ? `The record engine cannot open "${path}".`
      : `The record engine cannot open "${path}": process ${String(holder)} has it open.`,
    holder,
    error,
  );
}

/**
 * The process that has the folder open. The engine writes its process id to the file `status` and locks that file; the
 * operating system removes the lock when the process ends.
 */
function holderOf(path: string): number | undefined {
  try {
    const pid = Number(/^PID: (\d+)/.exec(readFileSync(join(path, 'status'), 'utf8'))?.[1]);
    if (!Number.isSafeInteger(pid) || pid === process.pid) return undefined;
    process.kill(pid, 0);
    return pid;
  } catch {
    return undefined;
  }
}

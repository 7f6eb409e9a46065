import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type * as Chdb from 'chdb';
import { serverArguments } from './chdb-server-settings.ts';
import { EngineOpenError } from './engine-errors.ts';
import { commonStatementSettings } from './common-statement-settings.ts';
import { createLane, defaultLanes, type Lane } from './connection-queue.ts';
import type { EngineLane } from './engine.ts';

export interface PoolOptions {
  /** The engine's folder. chdb opens one folder a process; several databases in it keep several stores apart. */
  path: string;
  /** Memory of the whole engine, in bytes: statements, merges and caches. The first to open the folder decides. */
  memoryLimitBytes?: number;
  /** Threads of a statement, at most; as many as there are cores unless given. The first to open the folder decides. */
  threads?: number;
  /** Connections in each lane. The first to open the folder decides. */
  lanes?: Readonly<Record<EngineLane, number>>;
  /** Told how long each statement waited for a connection. The first to open the folder decides. */
  waited?: (lane: EngineLane, ms: number) => void;
}

export interface ChdbPool {
  path: string;
  lanes: Readonly<Record<EngineLane, Lane<Chdb.Session>>>;
  /** A connection of its own for stopping statements and looking after memory, so that neither waits for a statement. */
  control: Chdb.Session;
}

/** What every connection is told first, and keeps. */
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
 * The process's one pool at this folder; each taking is matched by a `releasePool`.
 * @throws EngineOpenError when another process or another folder of this process holds the engine
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

/** Gives the pool back; the last to do so closes the engine once nothing runs. */
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
  // The memory limit is the engine's, not the connection's, so only the first connection can set it.
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
  } catch (fault) {
    for (const session of sessions) session.close();
    throw openFault(path, fault);
  }
}

/** Loaded late, so that a platform it does not ship for gets an answer rather than a failed import. */
async function loadChdb(): Promise<typeof Chdb> {
  try {
    return await import('chdb');
  } catch (fault) {
    throw new EngineOpenError(
      `The record engine (chdb) cannot be loaded on ${process.platform} ${process.arch}. It ships for Linux with glibc and for macOS, on x64 and arm64; run the installation again there.`,
      undefined,
      fault,
    );
  }
}

function openFault(path: string, fault: unknown): EngineOpenError {
  const holder = holderOf(path);
  return new EngineOpenError(
    holder === undefined
      ? `The record engine cannot open "${path}".`
      : `The record engine cannot open "${path}": process ${String(holder)} has it open.`,
    holder,
    fault,
  );
}

/**
 * The living process that holds a folder. The engine keeps an operating system lock on the file `status`, which falls
 * with its process, and writes its process id there.
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

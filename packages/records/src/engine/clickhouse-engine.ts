import { createReadStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClickHouseError } from '@clickhouse/client';
import { RedoubtError } from '@redoubt/errors';
import type { Readable } from 'node:stream';
import {
  createConnectionPool,
  type ClickhouseAddress,
  type Statement,
  type StatementResponse,
} from './clickhouse-connection.ts';
import { requireRights } from './clickhouse-rights.ts';
import { clusterSettings, insertSettings, settingsOf } from './clickhouse-settings.ts';
import { exceptionTagHeader, untilError } from './clickhouse-stream.ts';
import type { Engine, EngineLane, QueryOptions, StatementOptions } from './engine.ts';
import {
  abortReason,
  EngineError,
  EngineOpenError,
  engineUnavailable,
  toErrorByCode,
} from './engine-errors.ts';
import { createLane, defaultLanes, type Lane } from './connection-queue.ts';
import { createStatementSignals } from './statement-signals.ts';

/** The address of a ClickHouse server, and how this process uses it. */
export interface ClickhouseOptions extends ClickhouseAddress {
  /** The cluster of the server. Writes are acknowledged when most of its servers have stored them. */
  cluster?: string | undefined;
  /** The database with the tables of the engine; the user needs all rights on it. */
  database?: string;
  /** Makes the ids of statements differ from those of other processes on the same server. */
  random: { bytes(size: number): Buffer };
  /** How many statements of this process run concurrently in each lane. */
  lanes?: Readonly<Record<EngineLane, number>>;
  /** Called with the time that a statement waited in its lane. */
  waited?: (lane: EngineLane, ms: number) => void;
  /** How many milliseconds to wait at the start for a server that does not respond. */
  waitMs?: number;
  /** Called once when the server stops responding and once when it responds again; the texts contain no data. */
  report?: (news: string) => void;
  /** Aborted when the engine must stop: running and waiting statements end with 503, and no new one starts. */
  stopped?: AbortSignal;
}

const defaultWaitMs = 60_000;
const retryMs = 500;
const killAgainMs = 200;
/** How long a killed statement may take to end before its connection is closed. */
const killGraceMs = 5000;
/** The same when the whole engine stops. */
const stopGraceMs = 1000;

/**
 * Opens a ClickHouse server over HTTP as the record engine. Each statement has its own id, by which it can be killed,
 * and its own settings. Errors are the same as those of the embedded engine.
 * @throws EngineOpenError if the server does not respond in time, rejects the user, denies rights on the database, or
 *   is too old
 */
export async function openClickhouseEngine(options: ClickhouseOptions): Promise<Engine> {
  const sizes = options.lanes ?? defaultLanes;
  const connection = createConnectionPool(options, sizes.write + sizes.short + sizes.long);
  const { host } = new URL(options.url);
  const report = options.report ?? (() => undefined);
  const prefix = `redoubt-${options.random.bytes(12).toString('hex')}`;
  const shared = options.cluster === undefined ? {} : clusterSettings;
  const laneOf = (name: EngineLane): Lane<number> =>
    createLane(
      Array.from({ length: sizes[name] }, (_, slot) => slot),
      (ms) => options.waited?.(name, ms),
    );
  const lanes = { write: laneOf('write'), short: laneOf('short'), long: laneOf('long') };
  const { stopped } = options;
  const signals = createStatementSignals(stopped);
  const running = new Set<Promise<unknown>>();
  let statements = 0;
  let isResponding = true;
  let closed = false;

  const noteResponse = (): void => {
    if (!isResponding) report(`The record engine at ${host} answers again.`);
    isResponding = true;
  };

  /** Converts an error of the server, or of the connection to the server, to the error that callers get. */
  function toError(error: unknown, signal: AbortSignal): Error {
    if (signal.aborted) return abortReason(signal);
    if (error instanceof EngineError) return error;
    if (error instanceof ClickHouseError) {
      noteResponse();
      const code = Number(error.code);
      return toErrorByCode(
        error.code === '' || Number.isNaN(code) ? undefined : code,
        undefined,
        error.message,
      );
    }
    if (isResponding && !closed) report(`The record engine at ${host} does not answer (${reasonOf(error)}).`);
    isResponding = false;
    return engineUnavailable();
  }

  /**
   * Kills a statement on the server, which also stops its work on other servers, and then on the cluster. The queue of
   * the cluster is slower, but is needed if the address leads to different servers, as behind a load balancer.
   */
  const kill = (id: string): void => {
    const places = options.cluster === undefined ? [''] : ['', ` ON CLUSTER ${options.cluster}`];
    for (const [place, where] of places.entries()) {
      const sql = `KILL QUERY${where} WHERE query_id = '${id}' ASYNC`;
      const settings = { wait_end_of_query: 1, distributed_ddl_task_timeout: 0 };
      connection.send({ sql, id: `${id}-kill-${String(place)}`, settings }).then(drain, () => undefined);
    }
  };

  /**
   * Kills the statement when the signal is aborted. It repeats this, because the statement may not have started yet.
   */
  function killOnAbort(id: string, signal: AbortSignal, cut: AbortController): () => void {
    let again: NodeJS.Timeout | undefined;
    let last: NodeJS.Timeout | undefined;
    const onAbort = (): void => {
      kill(id);
      again = setInterval(kill, killAgainMs, id);
      last = setTimeout(() => cut.abort(), stopped?.aborted === true ? stopGraceMs : killGraceMs);
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    return () => {
      signal.removeEventListener('abort', onAbort);
      clearInterval(again);
      clearTimeout(last);
    };
  }

  /** Runs a statement to its end. The server responds only when the statement has succeeded or failed. */
  async function run(
    statement: Omit<Statement, 'id'>,
    { lane, signal: caller, person }: Pick<StatementOptions, 'lane' | 'signal' | 'person'>,
  ): Promise<Buffer> {
    if (closed) throw engineUnavailable();
    return signals.within(caller, async (signal) => {
      const slot = await lanes[lane].take(signal, person);
      const id = `${prefix}-${String(++statements)}`;
      const cut = new AbortController();
      const stopWatching = killOnAbort(id, signal, cut);
      const settings = { ...shared, ...statement.settings, wait_end_of_query: 1 };
      const done = connection
        .send({ ...statement, id, settings, signal: cut.signal })
        .then(async ({ body }) => gather(body))
        .catch((error: unknown) => {
          throw toError(error, signal);
        })
        .finally(() => {
          stopWatching();
          running.delete(done);
          lanes[lane].giveBack(slot, person);
        });
      running.add(done);
      const result = await done;
      noteResponse();
      return result;
    });
  }

  async function* stream(sql: string, options: QueryOptions): AsyncGenerator<Uint8Array> {
    const { lane, person, format } = options;
    const { signal, release } = signals.of(options.signal);
    try {
      const slot = await lanes[lane].take(signal, person);
      try {
        yield* chunksOf(sql, format, settingsOf(options), signal);
      } finally {
        lanes[lane].giveBack(slot, person);
      }
    } finally {
      release();
    }
  }

  async function* chunksOf(
    sql: string,
    format: string,
    own: Statement['settings'],
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const id = `${prefix}-${String(++statements)}`;
    const cut = new AbortController();
    const stopWatching = killOnAbort(id, signal, cut);
    let left: Readable | undefined;
    try {
      const settings = { ...shared, ...own };
      const { body, headers } = await connection.send({ sql, id, settings, format, signal: cut.signal });
      left = body;
      for await (const chunk of untilError(body, tagOf(headers))) {
        if (signal.aborted) throw abortReason(signal);
        yield chunk;
      }
      left = undefined;
      noteResponse();
    } catch (error) {
      throw toError(error, signal);
    } finally {
      stopWatching();
      if (left !== undefined) {
        left.destroy();
        kill(id);
      }
    }
  }

  const engine: Engine = {
    query: (sql, options) => {
      if (closed) throw engineUnavailable();
      return stream(sql, options);
    },
    bytes: async (sql, options) =>
      run({ sql, settings: settingsOf(options), format: options.format }, options),
    text: async (sql, options) => {
      const format = options.format ?? 'TSVRaw';
      return (await run({ sql, settings: settingsOf(options), format }, options)).toString('utf8');
    },
    command: async (sql, options) => {
      const done = run({ sql, settings: settingsOf(options) }, options);
      // A timeout of other servers of the cluster is not a limit that the requester reached.
      await done.catch((error: unknown) => {
        throw sql.includes(' ON CLUSTER ') && isLimit(error) ? engineUnavailable() : error;
      });
    },
    insert: async ({ table, columns, data, format = 'TabSeparated' }) => {
      const sql = `INSERT INTO ${table} (${columns.join(', ')}) FORMAT ${format}`;
      await run({ sql, settings: insertSettings, data }, { lane: 'write' });
    },
    load: async ({ table, columns, path }) => {
      const sql = `INSERT INTO ${table} (${columns.join(', ')}) FORMAT Native`;
      await run({ sql, settings: {}, data: createReadStream(path) }, { lane: 'write' });
    },
    async close() {
      if (closed) return;
      closed = true;
      for (const each of Object.values(lanes)) each.close();
      await Promise.allSettled(running);
      await connection.close();
    },
  };

  /** Waits for the server and checks its version and rights. */
  async function greet(): Promise<void> {
    const settings = { wait_end_of_query: 1 };
    for (let waited = 0; ; waited += retryMs) {
      try {
        const { body, headers } = await connection.send({ sql: 'SELECT 1', id: `${prefix}-0`, settings });
        await drain({ body });
        tagOf(headers);
        return noteResponse();
      } catch (error) {
        if (error instanceof EngineError)
          throw openError('is too old: version 26.7 or later is needed', error);
        if (error instanceof ClickHouseError) throw openError(refusalOf(error.code), undefined);
        if (waited >= (options.waitMs ?? defaultWaitMs)) {
          throw openError(`does not answer (${reasonOf(error)}): start it, or see CLICKHOUSE_URL`, error);
        }
        if (isResponding) report(`Waiting for the record engine at ${host} (${reasonOf(error)}).`);
        isResponding = false;
        await sleep(retryMs);
      }
    }
  }

  const openError = (what: string, cause: unknown): EngineOpenError =>
    new EngineOpenError(`CLICKHOUSE_URL: the ClickHouse server at ${host} ${what}.`, undefined, cause);

  try {
    await greet();
    const { database, cluster, username } = options;
    if (database !== undefined) await requireRights(engine, { database, cluster, username, host });
  } catch (error) {
    await engine.close();
    throw error;
  }
  return engine;
}

/**
 * @throws EngineError if the server does not announce its exception tag, because rows and errors could then not be
 * distinguished
 */
function tagOf(headers: StatementResponse['headers']): string {
  const tag = headers[exceptionTagHeader];
  if (typeof tag !== 'string' || tag === '') throw new EngineError(undefined);
  return tag;
}

/**
 * An error code for the operator, such as ECONNREFUSED. Messages are left out, because they may contain input of users.
 */
const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no answer';

// READONLY, SETTING_CONSTRAINT_VIOLATION
const fixedSettingsCodes = new Set(['164', '452']);

const refusalOf = (code: string): string =>
  fixedSettingsCodes.has(code)
    ? `does not let the user change settings (its code ${code}): give CLICKHOUSE_USER a profile without readonly and constraints`
    : `refuses the user (its code ${code}): see CLICKHOUSE_USER and CLICKHOUSE_PASSWORD`;

const isLimit = (error: unknown): boolean => error instanceof RedoubtError && error.name === 'QueryError';

async function gather(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function drain({ body }: { body: Readable }): Promise<void> {
  await gather(body).catch(() => undefined);
}

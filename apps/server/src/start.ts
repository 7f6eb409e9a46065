import {
  createRecordStore,
  EngineOpenError,
  openChdbEngine,
  openClickhouseEngine,
  type EmbeddedEngine,
  type Engine,
  type RecordStore,
} from '@redoubt/records';
import { join } from 'node:path';
import { buildApp } from './app.ts';
import { createDatasetCatalog } from './features/records/index.ts';
import {
  signUpRule,
  ConfigError,
  type Config,
  protectionOf,
  queryMemoryOf,
  singleSignOnOf,
  stripeOf,
} from './platform/config/index.ts';
import { createNamedLocks, type NamedLocks } from './platform/db/named-locks.ts';
import { openDatabase, type Db } from './platform/db/database.ts';
import { openSecrets } from './open-secrets.ts';
import { operatorCommands } from './operator-commands.ts';
import { openSource, readCopy, restoreBackup } from './platform/backup/index.ts';
import { checkSocketPath, openControl } from './platform/control/index.ts';
import { openDataFolder } from './platform/files/data-folder.ts';
import { openFiles, s3SettingsOf, type ObjectStore } from './platform/files/index.ts';
import { createSmtpTransport, type MailTransport } from './platform/mail/index.ts';
import { createLogger, type Logger } from './platform/log/logger.ts';
import {
  createMetrics,
  listenForMetrics,
  startTraces,
  type Metrics,
  type MetricsListener,
  type Traces,
} from './platform/telemetry/index.ts';
import { collectGarbage, releaseWhenIdle } from './platform/memory/index.ts';
import { createMeter, type Meter } from './platform/metering/index.ts';
import { openSite } from './platform/site/index.ts';
import { stopInStages, type Part, type Stopping } from './platform/stop/index.ts';
import { openTls } from './platform/tls/index.ts';
import type { Runtime } from './platform/runtime.ts';

export interface RunningServer {
  url: string;
  /** Where the figures for Prometheus are, if they are asked for. */
  metricsUrl: string | undefined;
  /** The data folder. */
  folder: string;
  /** The certificate that the server shows by TLS, if nobody vouches for it. */
  selfSigned: string | undefined;
  /** Finishes what is in flight as far as the grace allows, then closes the engines and frees the data folder. */
  stop(): Stopping;
}

/** What lies at the bottom of an error: who starts the server can act on that, as on a refused connection. */
const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return 'unknown error';
  return error.cause === undefined ? error.message : reasonOf(error.cause);
};

const openMetadata = async (config: Config, folder: string): Promise<Db> => {
  if (config.DATABASE_URL === undefined) return openDatabase({ dataDir: join(folder, 'metadata') });
  try {
    return await openDatabase({ url: config.DATABASE_URL });
  } catch (error) {
    const { host } = new URL(config.DATABASE_URL);
    throw new ConfigError(
      `DATABASE_URL: the PostgreSQL server at ${host} cannot be used: ${reasonOf(error)}.`,
    );
  }
};

interface EngineBase {
  folder: string;
  runtime: Runtime;
  logger: Logger;
  metrics: Metrics;
  meter: Meter;
  traces: Traces | undefined;
  /** Ends all statements of the record engine. */
  stopped: AbortController;
}

const openRecords = async (
  config: Config,
  {
    folder,
    runtime,
    logger,
    metrics,
    meter,
    stopped,
  }: Pick<EngineBase, 'folder' | 'runtime' | 'logger' | 'metrics' | 'meter' | 'stopped'>,
): Promise<Engine | EmbeddedEngine> => {
  const waited: Metrics['waited'] = (lane, ms) => {
    metrics.waited(lane, ms);
    meter.waited(ms);
  };
  if (config.CLICKHOUSE_URL === undefined) {
    const engine = await openChdbEngine({
      path: join(folder, 'records'),
      memoryLimitBytes: config.MEMORY_LIMIT,
      waited,
      stopped: stopped.signal,
    });
    metrics.watchMemory({ limit: config.MEMORY_LIMIT, used: engine.trackedMemory });
    return engine;
  }
  return openClickhouseEngine({
    url: config.CLICKHOUSE_URL,
    username: config.CLICKHOUSE_USER,
    password: config.CLICKHOUSE_PASSWORD,
    cluster: config.CLICKHOUSE_CLUSTER,
    database: config.CLICKHOUSE_DATABASE,
    random: runtime.random,
    waited,
    report: (news) => logger.warn(news),
    stopped: stopped.signal,
  });
};

/** Other processes may run on the same engines only where both are servers. */
const isShared = ({ CLICKHOUSE_URL, DATABASE_URL }: Config): boolean =>
  CLICKHOUSE_URL !== undefined && DATABASE_URL !== undefined;

const sharedLocks = (config: Config): NamedLocks | undefined =>
  config.DATABASE_URL === undefined || !isShared(config) ? undefined : createNamedLocks(config.DATABASE_URL);

const tracesOf = ({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Config): Traces | undefined =>
  endpoint === undefined ? undefined : startTraces(endpoint);

/** What takes mail, where the settings name a mail server. */
const mailOf = ({ SMTP_URL: url, MAIL_FROM: from }: Config): { mail?: MailTransport } =>
  url === undefined || from === undefined ? {} : { mail: createSmtpTransport({ url, from }) };

const listenForFigures = async (config: Config, metrics: Metrics): Promise<MetricsListener | undefined> => {
  const { METRICS_HOST: host, METRICS_PORT: port, METRICS_TOKEN: token } = config;
  if (port === undefined) return undefined;
  try {
    return await listenForMetrics(metrics, { host, port, token });
  } catch (error) {
    throw new ConfigError(`METRICS_PORT: ${host}:${port} cannot be listened on: ${reasonOf(error)}.`);
  }
};

const startFault = (error: unknown, config: Config): unknown => {
  if (error instanceof EngineOpenError) return new ConfigError(error.message);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const place = `${config.HOST}:${config.PORT}`;
  switch (code) {
    case 'EADDRINUSE':
      return new ConfigError(
        `Port ${config.PORT} is in use: stop what listens on ${place}, or set PORT to another one.`,
      );
    case 'EACCES':
      return new ConfigError(`This user may not listen on ${place}: set PORT to 1024 or above.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigError(
        `HOST ${config.HOST} is no address of this machine: set HOST to 127.0.0.1 or 0.0.0.0.`,
      );
    default:
      return error;
  }
};

interface OpenEngines {
  db: Db;
  store: RecordStore;
  files: ObjectStore;
}

/** Opens the engines that the settings name; `opened` gets what closes them again. */
const openEngines = async (config: Config, base: EngineBase, opened: Part[]): Promise<OpenEngines> => {
  const { runtime, metrics, meter, traces, stopped } = base;
  const add = (name: string, close: Part['close']): void =>
    void opened.push({ name, stage: 'engines', close });
  const opening = openMetadata(config, base.folder);
  // A server that cannot be reached says so before the record engine is started for nothing.
  if (config.DATABASE_URL !== undefined) await opening;
  // Side by side, since each embedded engine takes about a second.
  const [metadata, records, objects] = await Promise.allSettled([
    opening,
    openRecords(config, base),
    openFiles(config, base.folder),
  ]);
  if (metadata.status === 'fulfilled') add('metadata', () => metadata.value.destroy());
  if (records.status === 'fulfilled') {
    add('records', () => {
      // Of what people asked for nothing runs any more.
      stopped.abort();
      return records.value.close();
    });
  }
  if (objects.status === 'fulfilled') add('files', () => objects.value.close());
  if (metadata.status === 'rejected') throw metadata.reason;
  if (records.status === 'rejected') throw records.reason;
  if (objects.status === 'rejected') throw objects.reason;
  const db = metadata.value;
  const measured = meter.watchEngine(metrics.watchEngine(records.value));
  const engine = traces?.watchEngine(measured) ?? measured;
  const locks = sharedLocks(config);
  if (locks !== undefined) add('locks', () => locks.close());
  const store = await createRecordStore({
    engine,
    shared: locks?.alone,
    database: config.CLICKHOUSE_DATABASE,
    cluster: config.CLICKHOUSE_CLUSTER,
    catalog: createDatasetCatalog(db),
    clock: runtime.clock,
    random: runtime.random,
    limits: {
      maxPaths: config.MAX_PATHS,
      querySeconds: config.QUERY_TIMEOUT_SECONDS,
      queryMemoryBytes: queryMemoryOf(config),
      engineMemoryBytes: config.CLICKHOUSE_URL === undefined ? config.MEMORY_LIMIT : undefined,
    },
  });
  opened.push(
    { name: 'record store', stage: 'notes', close: () => store.close() },
    {
      name: 'release of memory',
      stage: 'notes',
      close: releaseWhenIdle(async () => {
        collectGarbage();
        if ('releaseFreeMemory' in records.value) await records.value.releaseFreeMemory();
      }),
    },
  );
  return { db, store, files: objects.value };
};

/** Restores a backup into the engines that the settings name, while no server runs on them. */
export const restoreInto = async (config: Config, runtime: Runtime, backup: string): Promise<number> => {
  const folder = openDataFolder(config.DATA_DIR);
  const opened: Part[] = [];
  try {
    const logger = createLogger(config.LOG_LEVEL ?? 'warn');
    const measures = { metrics: createMetrics(), meter: createMeter(), traces: undefined };
    const base = { folder: folder.path, runtime, logger, ...measures, stopped: new AbortController() };
    const source = openSource(backup, s3SettingsOf(config), join(folder.path, 'restoring.native'));
    opened.push({ name: 'backup', stage: 'work', close: () => source.close() });
    const copy = await readCopy(source, backup);
    const engines = await openEngines(config, base, opened);
    const { secrets } = openSecrets(config, folder.path, runtime);
    return await restoreBackup({ ...engines, secrets }, source, copy);
  } catch (error) {
    throw startFault(error, config);
  } finally {
    for (const { close } of opened.toReversed()) await close();
    folder.release();
  }
};

/** Starts the whole server on the engines that the settings name. */
export const startServer = async (config: Config, runtime: Runtime): Promise<RunningServer> => {
  const folder = openDataFolder(config.DATA_DIR);
  const logger = createLogger(config.LOG_LEVEL ?? (process.stdout.isTTY ? 'warn' : 'info'));
  const opened: Part[] = [];
  const cut = new AbortController();
  const stopped = new AbortController();
  const stop = (graceMs: number): Stopping => {
    const stopping = stopInStages(opened, {
      graceMs,
      cutOff: () => {
        cut.abort();
        stopped.abort();
      },
      failed: ({ name }, fault) => logger.error({ err: fault, part: name }, 'a part could not be closed'),
    });
    const unfinished = stopping.unfinished.then((left) => {
      // An engine that is still at work would share its folder with the next process. Its own death frees it.
      if (left.every(({ stage }) => stage !== 'engines')) folder.release();
      return left;
    });
    return { ...stopping, unfinished };
  };
  try {
    checkSocketPath(folder.path);
    const metrics = createMetrics();
    const meter = createMeter();
    const traces = tracesOf(config);
    if (traces !== undefined) opened.push({ name: 'traces', stage: 'notes', close: () => traces.close() });
    const engines = { folder: folder.path, runtime, logger, metrics, meter, traces, stopped };
    const { db, store, files } = await openEngines(config, engines, opened);
    let listening = '';
    const { keys, secrets } = openSecrets(config, folder.path, runtime);
    const tls = await openTls(config, folder.path, runtime);
    const { operatorAccounts, app, audit, metering, usageReport } = await buildApp({
      db,
      store,
      runtime,
      logger,
      signingKey: config.JWT_SECRET === undefined ? folder.signingKey() : Buffer.from(config.JWT_SECRET),
      secrets,
      signUp: signUpRule(config),
      singleSignOn: singleSignOnOf(config),
      ...mailOf(config),
      publicUrl: () => config.PUBLIC_URL ?? listening,
      limits: { bodyBytes: config.MAX_BODY_BYTES, querySeconds: config.QUERY_TIMEOUT_SECONDS },
      protection: { ...protectionOf(config), tls: tls?.certificate },
      meter,
      stripe: stripeOf(config),
      site: openSite({ folder: config.DOCS_DIR, clock: runtime.clock, logger }),
      jobs: { shared: isShared(config), perWorkspace: config.JOBS_PER_WORKSPACE },
      cut: cut.signal,
    });
    opened.push(
      { name: 'metering', stage: 'notes', close: () => metering.stop() },
      { name: 'report of usage', stage: 'work', close: () => usageReport.stop() },
      { name: 'requests and jobs', stage: 'work', close: () => app.close() },
    );
    if (tls !== undefined)
      opened.push({ name: 'TLS', stage: 'work', close: tls.keepCurrent(app.server, logger) });
    metrics.watchAnswers(app);
    traces?.watchAnswers(app);
    const control = await openControl(
      folder.path,
      operatorCommands({ db, store, files, audit, config, keys, secrets, accounts: operatorAccounts }),
      (fault) => logger.error({ err: fault }, 'a command of the operator failed'),
    );
    opened.push({ name: 'command of the operator', stage: 'work', close: () => control.close() });
    const figures = await listenForFigures(config, metrics);
    if (figures !== undefined) opened.push({ name: 'metrics', stage: 'work', close: () => figures.close() });
    listening = await app.listen({ host: config.HOST, port: config.PORT });
    metering.start();
    audit.start();
    usageReport.start();
    return {
      url: listening,
      metricsUrl: figures?.url,
      folder: folder.path,
      selfSigned: tls?.certificate.selfSigned === true ? tls.certificate.cert : undefined,
      stop: () => stop(config.STOP_GRACE_SECONDS * 1000),
    };
  } catch (error) {
    // Why the start failed has to be said, even where an engine that has just been opened cannot be closed.
    await stop(0).unfinished;
    throw startFault(error, config);
  }
};

import { join } from 'node:path';
import { buildApp } from './app.ts';
import { isShared, openEngines } from './open-engines.ts';
import { openSecrets } from './open-secrets.ts';
import { operatorCommands } from './operator-commands.ts';
import { openSource, readCopy, restoreBackup } from './platform/backup/index.ts';
import {
  ConfigError,
  toProtectionOptions,
  signUpRule,
  singleSignOnOf,
  stripeOf,
  type Config,
} from './platform/config/index.ts';
import { checkSocketPath, openControl } from './platform/control/index.ts';
import { openDataFolder } from './platform/files/data-folder.ts';
import { s3SettingsOf } from './platform/files/index.ts';
import { createLogger } from './platform/log/logger.ts';
import { readableLines } from './platform/log/readable-lines.ts';
import { createSmtpTransport, type MailTransport } from './platform/mail/index.ts';
import { createMeter } from './platform/metering/index.ts';
import type { Runtime } from './platform/runtime.ts';
import { openSite } from './platform/site/index.ts';
import { stopInStages, type Part, type Stopping } from './platform/stop/index.ts';
import {
  createMetrics,
  listenForMetrics,
  startTraces,
  type Metrics,
  type MetricsListener,
  type Traces,
} from './platform/telemetry/index.ts';
import { openTls } from './platform/tls/index.ts';
import { rootMessage, toStartError } from './start-errors.ts';

export interface RunningServer {
  url: string;
  /** The URL of the metrics for Prometheus; undefined if METRICS_PORT is not set. */
  metricsUrl: string | undefined;
  /** The data folder. */
  folder: string;
  /** The PEM text of the server's certificate, if it is self-signed. */
  selfSigned: string | undefined;
  /** Whether it has no account yet. */
  isEmpty(): Promise<boolean>;
  /** Lets requests in flight end within the grace period, then closes the engines and unlocks the data folder. */
  stop(): Stopping;
}

const tracesOf = ({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Config): Traces | undefined =>
  endpoint === undefined ? undefined : startTraces(endpoint);

/** The mail transport, if the settings name a mail server. */
const mailOf = ({ SMTP_URL: url, MAIL_FROM: from }: Config): { mail?: MailTransport } =>
  url === undefined || from === undefined ? {} : { mail: createSmtpTransport({ url, from }) };

const startMetricsListener = async (
  config: Config,
  metrics: Metrics,
): Promise<MetricsListener | undefined> => {
  const { METRICS_HOST: host, METRICS_PORT: port, METRICS_TOKEN: token } = config;
  if (port === undefined) return undefined;
  try {
    return await listenForMetrics(metrics, { host, port, token });
  } catch (error) {
    throw new ConfigError(
      `METRICS_PORT: cannot listen on ${host}:${port}: ${rootMessage(error)}. Set METRICS_PORT to a free port, and METRICS_HOST to an address of this machine.`,
    );
  }
};

/**
 * Restores a backup into the engines that the settings name. No server may be running on them.
 * @param backup a folder, or `s3://bucket/name`
 * @returns the number of datasets restored
 * @throws ConfigError, DataFolderError or BackupError with one line that says what to do
 */
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
    throw toStartError(error, config);
  } finally {
    for (const { close } of opened.toReversed()) await close();
    folder.release();
  }
};

/**
 * Starts the whole server on the engines that the settings name.
 * @throws ConfigError or DataFolderError with one line that says what to do
 */
export const startServer = async (config: Config, runtime: Runtime): Promise<RunningServer> => {
  const folder = openDataFolder(config.DATA_DIR);
  const logger = process.stdout.isTTY
    ? createLogger(
        config.LOG_LEVEL ?? 'warn',
        readableLines((line) => process.stdout.write(line)),
      )
    : createLogger(config.LOG_LEVEL ?? 'info');
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
      failed: ({ name }, error) => logger.error({ err: error, part: name }, 'a part could not be closed'),
    });
    const unfinished = stopping.unfinished.then((left) => {
      // If an engine could not be closed, keep the folder locked so that no other process opens it: the end of this
      // process unlocks it.
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
    const { operatorAccounts, app, audit, metering, schedules, usageReport } = await buildApp({
      db,
      store,
      files,
      viewFolder: join(folder.path, 'views'),
      allowsPrivateSources: singleSignOnOf(config).allowsPrivate,
      connectors: config.CONNECTORS,
      ownStore:
        config.S3_BUCKET === undefined
          ? undefined
          : {
              endpoint: config.S3_ENDPOINT,
              bucket: config.S3_BUCKET,
              sharedBuckets: config.S3_SHARED_BUCKETS,
            },
      ingestLimits: {
        maxUploadBytes: config.MAX_UPLOAD_BYTES,
        maxAttributes: config.INGEST_MAX_ATTRIBUTES,
        blockRows: config.INGEST_BLOCK_ROWS,
        rejectDays: config.REJECTED_ROWS_DAYS,
      },
      ocrLanguages: config.OCR_LANGUAGES,
      runtime,
      logger,
      signingKey: config.JWT_SECRET === undefined ? folder.signingKey() : Buffer.from(config.JWT_SECRET),
      secrets,
      signUp: signUpRule(config),
      singleSignOn: singleSignOnOf(config),
      ...mailOf(config),
      publicUrl: () => config.PUBLIC_URL ?? listening,
      limits: { bodyBytes: config.MAX_BODY_BYTES, querySeconds: config.QUERY_TIMEOUT_SECONDS },
      protection: { ...toProtectionOptions(config), tls: tls?.certificate },
      meter,
      stripe: stripeOf(config),
      site: openSite({ folder: config.DOCS_DIR, clock: runtime.clock, logger }),
      console: openSite({
        folder: config.CONSOLE_DIR,
        baseUrl: '/app/',
        clock: runtime.clock,
        logger,
      }),
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
    metrics.watchResponses(app);
    traces?.watchResponses(app);
    const control = await openControl(
      folder.path,
      operatorCommands({ db, store, files, audit, config, keys, secrets, accounts: operatorAccounts }),
      (error) => logger.error({ err: error }, 'a command of the operator failed'),
    );
    opened.push({ name: 'command of the operator', stage: 'work', close: () => control.close() });
    const metricsListener = await startMetricsListener(config, metrics);
    if (metricsListener !== undefined)
      opened.push({ name: 'metrics', stage: 'work', close: () => metricsListener.close() });
    listening = await app.listen({ host: config.HOST, port: config.PORT });
    metering.start();
    audit.start();
    usageReport.start();
    schedules.start();
    return {
      url: listening,
      metricsUrl: metricsListener?.url,
      folder: folder.path,
      selfSigned: tls?.certificate.selfSigned === true ? tls.certificate.cert : undefined,
      isEmpty: async () => !(await operatorAccounts.hasAny()),
      stop: () => stop(config.STOP_GRACE_SECONDS * 1000),
    };
  } catch (error) {
    // `unfinished` never rejects, so the reason for the failed start is thrown even if an engine cannot be closed.
    await stop(0).unfinished;
    throw toStartError(error, config);
  }
};

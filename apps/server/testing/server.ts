import { createApiClient, type ApiClient } from '@redoubt/api-client';
import { buildApp } from '../src/app.ts';
import type { ServerDeps } from '../src/deps.ts';
import type { AuditLog } from '../src/platform/audit/index.ts';
import type { Db } from '../src/platform/db/database.ts';
import { openFolderStore } from '../src/platform/files/index.ts';
import { createLogger } from '../src/platform/log/logger.ts';
import { createMeter, type Meter, type Metering } from '../src/platform/metering/index.ts';
import { createSecretBox, secretKeyOf } from '../src/platform/secrets/index.ts';
import { createSite } from '../src/platform/site/index.ts';
import type { Engine, RecordStore, RecordStoreDeps } from '@redoubt/records';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acquireTestDatabase } from './metadata.ts';
import { createTestRuntime, type TestRuntime } from './runtime.ts';
import { createTestStore } from './store.ts';

/** A whole server on real engines, listening on a free port of loopback. */
export interface TestServer {
  url: string;
  /** The folder of uploaded files. */
  filesFolder: string;
  runtime: TestRuntime;
  /** The lines of the log so far. */
  log: string[];
  /** Its metadata. */
  db: Db;
  /** Collects the usage of workspaces. */
  meter: Meter;
  /** The store of its records. */
  engine: Pick<Engine, 'text'>;
  /** A typed client; without a token it sends no credential. */
  client(token?: string): ApiClient;
  /** Resolves when no job is running or ready to run. */
  jobsSettled(): Promise<void>;
  /** Resolves when no mail is being sent or due. */
  mailSettled(): Promise<void>;
  /** Stores the usage of workspaces. Tests call it; the server does not do it on its own. */
  metering: Metering;
  /** Reports usage to the payment host. Tests call it; the server does not do it on its own. */
  reportUsage(): Promise<void>;
  /** Starts the due runs of schedules, and notes the end of others. The server does not do it on its own. */
  checkSchedules(): Promise<void>;
  /** The audit log. It stores events only when a test calls it. */
  audit: AuditLog;
  /** Pauses jobs that delete, relabel or clear before they read anything. Returns a function that resumes them. */
  holdChanges(): () => void;
  /** Pauses jobs in the middle of their work: after they have selected records, and before each part of an index. */
  holdWork(): { reached: Promise<void>; letGo(): void };
  /** Pauses the next write between its preparation and its lock. */
  holdWrite(): { reached: Promise<void>; letGo(): void };
  close(): Promise<void>;
}

/** What a test may use of a server that other files of its process share: nothing that is not of its workspaces. */
export type SharedServer = Pick<TestServer, 'url' | 'client' | 'jobsSettled'>;

export interface TestServerOptions {
  /** The mail server; without it, no mail is sent. */
  mail?: ServerDeps['mail'];
  /** The address that links begin with; by default that of the server. */
  publicUrl?: string;
  seed?: string;
  /** The cost of hashing a password; minimal by default. */
  passwordCost?: ServerDeps['passwordCost'];
  attemptLimits?: ServerDeps['attemptLimits'];
  signUp?: ServerDeps['signUp'];
  limits?: Partial<ServerDeps['limits']>;
  storeLimits?: RecordStoreDeps['limits'];
  /** The identity providers through which people can sign in. */
  singleSignOn?: ServerDeps['singleSignOn'];
  protection?: ServerDeps['protection'];
  /** Does not meter query time, because the difference between two servers is not caused by their data. */
  isUntimed?: boolean;
  /** The metadata of another server, as after a restart with other settings; by default its own. */
  db?: ServerDeps['db'];
  /** The folder of a built site; without it, the server has no pages. */
  docsFolder?: string;
  /** The folder of a built console; without it, the server has none. */
  consoleFolder?: string;
  /** The payment host. */
  stripe?: ServerDeps['stripe'];
  ingestLimits?: ServerDeps['ingestLimits'];
  avoidsTesseract?: ServerDeps['avoidsTesseract'];
  ocrLanguages?: ServerDeps['ocrLanguages'];
  /** Whether files may be fetched from this machine and private networks; true by default. */
  allowsPrivateSources?: boolean;
  connectors?: ServerDeps['connectors'];
  ownStore?: ServerDeps['ownStore'];
  /** Whether it stays open until the process ends, without keeping the process alive. */
  isShared?: boolean;
}

/** Tests sign in a thousand times. A separate test checks the cost that is used in production. */
const cheapPasswords = { memory: 64, passes: 1 };

const untimedMeter = (): Meter => ({ ...createMeter(() => 0), waited: () => undefined });

const testSecretsKey = secretKeyOf('a key that only tests seal secrets with');

const defaultLimits = { bodyBytes: 64 * 1024 * 1024, querySeconds: 60 };

/** Creates a point that work reaches, and where it waits. */
const pause = (set: (wait: (() => Promise<void>) | undefined) => void) => {
  const [reached, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  set(() => {
    reached.resolve();
    return open.promise;
  });
  const letGo = (): void => {
    set(undefined);
    open.resolve();
  };
  return { reached: reached.promise, letGo };
};

/** A gate before the changes of a store. Aborting ends the wait. */
const createGate = () => {
  let open = Promise.resolve();
  let middle: (() => Promise<void>) | undefined;
  const held = (request: Parameters<RecordStore['deleteRecords']>[0]) => ({
    ...request,
    chosen: async (labels: ReadonlyMap<string, number>) => {
      await request.chosen?.(labels);
      await middle?.();
    },
  });
  let beforeCommit: (() => Promise<void>) | undefined;
  const pass = async <Request extends { signal?: AbortSignal | undefined }, Result>(
    request: Request,
    change: (request: Request) => Promise<Result>,
  ): Promise<Result> => {
    const { signal } = request;
    const aborted = new Promise<void>((resolve) => {
      if (signal?.aborted === true) resolve();
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([open, aborted]);
    return change(request);
  };
  return {
    close: (): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      open = promise;
      return resolve;
    },
    closeMiddle: () => pause((wait) => (middle = wait)),
    closeCommit: () => pause((wait) => (beforeCommit = wait)),
    before: (store: RecordStore): RecordStore => ({
      ...store,
      prepareWrite: async (request) => {
        const prepared = await store.prepareWrite(request);
        return {
          ...prepared,
          commit: async (options) => {
            await beforeCommit?.();
            return prepared.commit(options);
          },
        };
      },
      deleteRecords: (request) => pass(request, (passed) => store.deleteRecords(held(passed))),
      relabelRecords: (request) =>
        pass(request, (passed) => store.relabelRecords({ ...passed, ...held(passed) })),
      buildIndexes: (datasetId, { progress, ...options }) =>
        store.buildIndexes(datasetId, {
          ...options,
          progress: async (percent) => {
            await middle?.();
            await progress?.(percent);
          },
        }),
      clearDataset: (request) => pass(request, store.clearDataset),
    }),
  };
};

let shared: Promise<TestServer> | undefined;

/**
 * The server of this process for test files that need no options. Each file makes its own workspaces and accounts, and
 * reads nothing else; the order of files is random. It stays open until the process ends.
 * ```ts
 * const server = await sharedServer();
 * const workspace = await createWorkspace(server);
 * ```
 */
export const sharedServer = async (): Promise<SharedServer> => {
  shared ??= startServer({ isShared: true });
  return shared;
};

/**
 * Starts a server with an empty database of its own on a free port. Tests call `close` in the end.
 * ```ts
 * const server = await startServer();
 * const workspace = await createWorkspace(server);
 * const { status } = await sendRequest(server, 'GET', '/datasets', { token: workspace.admin.token });
 * ```
 */
export const startServer = async (options: TestServerOptions = {}): Promise<TestServer> => {
  const own = createTestRuntime(options.seed);
  // Encrypting takes its own randomness, so that it does not shift the ids of a step.
  const sealing = createTestRuntime('seals');
  const runtime: TestRuntime = {
    ...own,
    reseed: (name) => {
      own.reseed(name);
      sealing.reseed(name);
    },
  };
  const log: string[] = [];
  const logger = createLogger('info', { write: (line) => void log.push(line) });
  const { db, giveBack } =
    options.db === undefined
      ? await acquireTestDatabase()
      : { db: options.db, giveBack: () => Promise.resolve() };
  const meter = options.isUntimed === true ? untimedMeter() : createMeter();
  const records = await createTestStore({ db, runtime, meter, limits: options.storeLimits });
  const filesFolder = await mkdtemp(join(tmpdir(), 'redoubt-files-'));
  const viewFolder = `${filesFolder}-views`;
  const gate = createGate();
  let url = '';
  const { app, jobsSettled, mailSettled, metering, usageReport, schedules, audit } = await buildApp({
    db,
    store: gate.before(records.store),
    files: await openFolderStore(filesFolder),
    viewFolder,
    allowsPrivateSources: options.allowsPrivateSources ?? true,
    connectors: options.connectors,
    ownStore: options.ownStore,
    ingestLimits: options.ingestLimits,
    avoidsTesseract: options.avoidsTesseract,
    ocrLanguages: options.ocrLanguages,
    runtime,
    logger,
    signingKey: runtime.random.bytes(48),
    secrets: createSecretBox({ keys: () => [testSecretsKey], random: sealing.random }),
    signUp: options.signUp ?? 'open',
    publicUrl: () => options.publicUrl ?? url,
    ...(options.mail && { mail: options.mail }),
    ...(options.singleSignOn && { singleSignOn: options.singleSignOn }),
    passwordCost: options.passwordCost ?? cheapPasswords,
    attemptLimits: options.attemptLimits,
    limits: { ...defaultLimits, ...options.limits },
    meter,
    stripe: options.stripe,
    ...(options.docsFolder && {
      site: createSite({ folder: options.docsFolder, clock: runtime.clock, logger }),
    }),
    ...(options.consoleFolder && {
      console: createSite({ folder: options.consoleFolder, baseUrl: '/app/', clock: runtime.clock, logger }),
    }),
    ...(options.protection && { protection: options.protection }),
    jobs: { shared: false, perWorkspace: 2 },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  if (options.isShared === true) {
    app.server.unref();
    // Clients keep their connections open for a minute after the last test.
    app.server.on('connection', (socket) => socket.unref());
  }
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return {
    url,
    filesFolder,
    runtime,
    log,
    db,
    meter,
    engine: records.engine,
    jobsSettled,
    mailSettled,
    metering,
    reportUsage: usageReport.report,
    checkSchedules: schedules.check,
    audit,
    holdChanges: gate.close,
    holdWork: gate.closeMiddle,
    holdWrite: gate.closeCommit,
    client: (token) => createApiClient({ baseUrl: url, ...(token === undefined ? {} : { token }) }),
    close: async () => {
      await app.close();
      await records.close();
      await giveBack();
      await rm(filesFolder, { recursive: true, force: true });
      await rm(viewFolder, { recursive: true, force: true });
    },
  };
};

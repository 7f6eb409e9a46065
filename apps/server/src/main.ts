import { randomBytes, randomUUID } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { setFlagsFromString } from 'node:v8';
import { runDemo } from './demo/demo.ts';
import { startServer } from './start.ts';
import { ConfigError, readConfig, signUpRule, type Config } from './platform/config/index.ts';
import { DataFolderError } from './platform/files/data-folder.ts';
import { endOnAbort, endProcess, stopOnSignals } from './platform/stop/index.ts';
import type { Runtime } from './platform/runtime.ts';

// Request and response bodies live outside V8's heap. By default, every 64 MB of them trigger a garbage collection,
// whatever the size of the heap; during heavy reads that takes half of this thread's time.
setFlagsFromString('--external-memory-accounted-in-global-limit');
// Let the heap, including these bodies, grow to three times what the last collection left. A quarter of the time of a
// full read went into collections that had nothing else to free. The maximum heap size stays the same.
setFlagsFromString('--heap-growing-percent=200');
// The embedded PostgreSQL is one WebAssembly module. Optimising its largest function would take 600 MB for a moment at
// every start, so V8 keeps the code of its baseline compiler.
for (const flag of ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'])
  setFlagsFromString(flag);

/**
 * Draws random bytes from a pool: a system call for a few bytes costs as much as one for thousands, and every record id
 * needs a few.
 */
const randomFrom = (poolBytes: number): Runtime['random'] => {
  let pool = Buffer.alloc(0);
  return {
    bytes: (size) => {
      if (size > poolBytes / 8) return randomBytes(size);
      if (pool.length < size) pool = randomBytes(poolBytes);
      const drawn = pool.subarray(0, size);
      pool = pool.subarray(size);
      return drawn;
    },
  };
};

const runtime: Runtime = {
  clock: { now: () => new Date() },
  ids: { uuid: randomUUID },
  random: randomFrom(16_384),
};

/** Expected errors become one line for the person at the terminal; unexpected ones keep their stack trace. */
const toMessage = (error: unknown): string => {
  if (error instanceof ConfigError || error instanceof DataFolderError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

/** @throws ConfigError for an unknown option, so that a misspelt one is not ignored */
const hasDemoOption = (args: readonly string[]): boolean => {
  const unknown = args.find((arg) => arg !== '--demo');
  if (unknown === undefined) return args.length > 0;
  throw new ConfigError(
    `Unknown option "${unknown}". Expected --demo or no option: settings are environment variables (see the page "Settings" of the documentation).`,
  );
};

/** Where a person and a program go from here. */
const readyLines = (url: string, { CONSOLE_DIR, DOCS_DIR }: Config): string[] => [
  `Redoubt is ready on ${url}. The API is described at ${url}/openapi.json.`,
  ...(DOCS_DIR === undefined ? [] : [`Read the documentation on ${url}/`]),
  ...(CONSOLE_DIR === undefined ? [] : [`Open the console on ${url}/app/`]),
];

/** How the first account of an empty server comes about. */
const firstAccountHint = (url: string, config: Config): string => {
  const rule = signUpRule(config);
  if (rule !== 'open')
    return `The server has no account, and nobody can sign up (SIGN_UP is ${rule}). To create the first account, run npm run redoubt -- accounts create-admin <email>, or start once with SIGN_UP=open.`;
  return config.CONSOLE_DIR === undefined
    ? `The server has no account yet. Create one with POST ${url}/users, or start with --demo.`
    : `The server has no account yet. Create the first one in the console, or start with --demo.`;
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Ends the process without an ordinary exit, which crashes while native code of the engine is running. */
const endOnUncaughtError = (error: unknown): void => {
  process.stderr.write(`${toMessage(error)}\n`);
  endProcess(1);
};

const start = async (): Promise<void> => {
  const isDemo = hasDemoOption(process.argv.slice(2));
  const config = readConfig();
  const server = await startServer(config, runtime);
  endOnAbort();
  process.on('uncaughtException', endOnUncaughtError);
  const signals = stopOnSignals({ graceMs: config.STOP_GRACE_SECONDS * 1000, stop: server.stop, say });
  if (server.metricsUrl !== undefined) say(`Metrics for Prometheus are on ${server.metricsUrl}.`);
  say(readyLines(server.url, config).join('\n'));
  // The builds of `npm run up` wait for this.
  process.send?.('ready');
  if (!isDemo) {
    if (await server.isEmpty()) say(firstAccountHint(server.url, config));
    return;
  }
  const { url, folder, selfSigned } = server;
  // The demo is loaded through the API, so this process must trust the server's self-signed certificate.
  if (selfSigned !== undefined) setDefaultCACertificates([...getCACertificates(), selfSigned]);
  try {
    await runDemo({
      url,
      hasConsole: config.CONSOLE_DIR !== undefined,
      folder,
      signUp: signUpRule(config),
      random: runtime.random,
      say,
    });
  } catch (error) {
    // Stopping the server aborts the demo's requests: that is no failure of the demo.
    if (signals.isStopping()) return;
    process.stderr.write(`${toMessage(error)}\n`);
    await server.stop().unfinished;
    endProcess(1);
  }
};

try {
  await start();
} catch (error) {
  process.stderr.write(`${toMessage(error)}\n`);
  process.exit(1);
}

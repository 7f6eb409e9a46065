import { randomBytes, randomUUID } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { setFlagsFromString } from 'node:v8';
import { runDemo } from './demo/demo.ts';
import { startServer } from './start.ts';
import { ConfigError, readConfig, signUpRule, type Config } from './platform/config/index.ts';
import { DataFolderError } from './platform/files/data-folder.ts';
import { endProcess, stopOnSignals } from './platform/stop/index.ts';
import type { Runtime } from './platform/runtime.ts';

// Answers and bodies lie outside of V8's heap. Otherwise each 64 MB of them start a round of its collector, whatever the
// size of the heap: half of the work of this thread while much is read.
setFlagsFromString('--external-memory-accounted-in-global-limit');
// And the heap with them may become three times what was left by the last round: of the time that reading everything takes
// a quarter went into rounds that had nothing else to collect. Its limit is as it was.
setFlagsFromString('--heap-growing-percent=200');
// The embedded PostgreSQL is one WebAssembly module. V8 needs 600 MB for a moment to optimise its largest function, at every
// start, so it keeps the code of its first compiler.
for (const flag of ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'])
  setFlagsFromString(flag);

/** Drawing few bytes from the system costs as much as drawing thousands, and each record's id needs some. */
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

/** One line for the person at the terminal; what nobody foresaw keeps its stack. */
const explain = (error: unknown): string => {
  if (error instanceof ConfigError || error instanceof DataFolderError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

/** @throws ConfigError for what is no option, since a misspelt one would be passed over */
const readsDemo = (args: readonly string[]): boolean => {
  const unknown = args.find((arg) => arg !== '--demo');
  if (unknown === undefined) return args.length > 0;
  throw new ConfigError(
    `"${unknown}" is no option: there is only --demo, and settings come from the environment (see the README).`,
  );
};

const howToBegin = (url: string, config: Config): string => {
  const rule = signUpRule(config);
  return rule === 'open'
    ? `No account yet? POST ${url}/users makes one (the README shows how), or start with --demo.`
    : `Nobody can sign up here (SIGN_UP is ${rule}): for the first account, run npm run redoubt -- accounts create-admin <email>, or start once with SIGN_UP=open.`;
};

const whatToRead = (url: string, { DOCS_DIR }: Config): string =>
  DOCS_DIR === undefined
    ? `The API is described at ${url}/openapi.json.`
    : `The documentation is on ${url}/, and the API is described at ${url}/openapi.json.`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** A fault that nobody caught: the engine's native code may be at work, and would crash under an ordinary exit. */
const endByFault = (error: unknown): void => {
  process.stderr.write(`${explain(error)}\n`);
  endProcess(1);
};

const start = async (): Promise<void> => {
  const wantsDemo = readsDemo(process.argv.slice(2));
  const config = readConfig();
  const server = await startServer(config, runtime);
  process.on('uncaughtException', endByFault);
  const signals = stopOnSignals({ graceMs: config.STOP_GRACE_SECONDS * 1000, stop: server.stop, say });
  if (server.metricsUrl !== undefined) say(`Figures for Prometheus are on ${server.metricsUrl} now.`);
  say(`Redoubt is ready on ${server.url}. ${whatToRead(server.url, config)}`);
  if (!wantsDemo) return say(howToBegin(server.url, config));
  const { url, folder, selfSigned } = server;
  // The demo is put in by way of the API, whose certificate no authority vouches for.
  if (selfSigned !== undefined) setDefaultCACertificates([...getCACertificates(), selfSigned]);
  try {
    await runDemo({ url, folder, signUp: signUpRule(config), random: runtime.random, say });
  } catch (error) {
    // A stop cuts it off.
    if (signals.isStopping()) return;
    process.stderr.write(`${explain(error)}\n`);
    await server.stop().unfinished;
    endProcess(1);
  }
};

try {
  await start();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

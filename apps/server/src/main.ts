import { randomBytes, randomUUID } from 'node:crypto';
import { runDemo } from './demo/demo.ts';
import { startServer } from './start.ts';
import { ConfigError, readConfig } from './platform/config/index.ts';
import { DataFolderError } from './platform/files/data-folder.ts';
import type { Runtime } from './platform/runtime.ts';

const runtime: Runtime = {
  clock: { now: () => new Date() },
  ids: { uuid: randomUUID },
  random: { bytes: (size) => randomBytes(size) },
};

/** One line for the person at the terminal; what nobody foresaw keeps its stack. */
const explain = (error: unknown): string => {
  if (error instanceof ConfigError || error instanceof DataFolderError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  const server = await startServer(readConfig(), runtime);
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    say('Stopping: finishing the requests in flight.');
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${explain(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  say(`Redoubt is ready on ${server.url}. The API is described at ${server.url}/openapi.json.`);
  if (process.argv.includes('--demo')) {
    await runDemo({ url: server.url, folder: server.folder, random: runtime.random, say });
  } else {
    say(`To begin, make an account: POST ${server.url}/users (the README shows how), or start with --demo.`);
  }
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

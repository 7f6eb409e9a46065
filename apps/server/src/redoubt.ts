import { randomBytes, randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { restoreInto } from './start.ts';
import { askForBackup, BackupError } from './platform/backup/index.ts';
import { ConfigError, readConfig } from './platform/config/index.ts';
import { DataFolderError } from './platform/files/data-folder.ts';
import type { Runtime } from './platform/runtime.ts';

/** The command of operators: `redoubt backup <folder>` and `redoubt restore <folder>`. */

const runtime: Runtime = {
  clock: { now: () => new Date() },
  ids: { uuid: randomUUID },
  random: { bytes: (size) => randomBytes(size) },
};

const usage = 'Usage: npm run redoubt -- backup <folder>, or: npm run redoubt -- restore <folder>';

const run = async (): Promise<string> => {
  const [command, folder, ...rest] = process.argv.slice(2);
  if (folder === undefined || rest.length > 0) throw new BackupError(usage);
  const config = readConfig();
  const path = resolve(folder);
  if (command === 'backup') {
    const datasets = await askForBackup(resolve(config.DATA_DIR), path);
    return `The backup is in ${path}: ${datasets} datasets. It holds all records and who may read them: keep it as safe as the server.`;
  }
  if (command === 'restore') {
    const datasets = await restoreInto(config, runtime, path);
    return `${datasets} datasets are restored. Everybody signs in anew.`;
  }
  throw new BackupError(usage);
};

run().then(
  (done) => {
    process.stdout.write(`${done}\n`);
    process.exit(0);
  },
  (error: unknown) => {
    const isClear =
      error instanceof BackupError || error instanceof ConfigError || error instanceof DataFolderError;
    const text =
      error instanceof Error ? (isClear ? error.message : (error.stack ?? error.message)) : String(error);
    process.stderr.write(`${text}\n`);
    process.exit(1);
  },
);

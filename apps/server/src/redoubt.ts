import { randomBytes, randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { restoreInto } from './start.ts';
import { askForBackup, BackupError, isInS3 } from './platform/backup/index.ts';
import { ConfigError, readConfig } from './platform/config/index.ts';
import { DataFolderError } from './platform/files/data-folder.ts';
import { ObjectStoreError } from './platform/files/index.ts';
import type { Runtime } from './platform/runtime.ts';

/** The command of operators: `redoubt backup <place>` and `redoubt restore <place>`. */

const runtime: Runtime = {
  clock: { now: () => new Date() },
  ids: { uuid: randomUUID },
  random: { bytes: (size) => randomBytes(size) },
};

const usage =
  'Usage: npm run redoubt -- backup <place>, or: npm run redoubt -- restore <place>; a place is a folder, or s3://bucket/name.';

const run = async (): Promise<string> => {
  const [command, place, ...rest] = process.argv.slice(2);
  if (place === undefined || rest.length > 0) throw new BackupError(usage);
  const config = readConfig();
  const path = isInS3(place) ? place : resolve(place);
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
    const isClear = [BackupError, ConfigError, DataFolderError, ObjectStoreError].some(
      (kind) => error instanceof kind,
    );
    const text =
      error instanceof Error ? (isClear ? error.message : (error.stack ?? error.message)) : String(error);
    process.stderr.write(`${text}\n`);
    process.exit(1);
  },
);

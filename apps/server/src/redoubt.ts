import { randomBytes, randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { isInS3 } from './platform/backup/is-in-s3.ts';
import { ConfigError, readConfig, type Config } from './platform/config/index.ts';
import { askServer, isOperatorFacing, OperatorError } from './platform/control/index.ts';
import { DataFolderError } from './platform/files/data-folder.ts';
import type { Runtime } from './platform/runtime.ts';

/** The command of operators; all but `restore` ask the server that runs on the data folder. */

const runtime: Runtime = {
  clock: { now: () => new Date() },
  ids: { uuid: randomUUID },
  random: { bytes: (size) => randomBytes(size) },
};

const usage = `Usage: npm run redoubt -- <command>, where a command is one of
  backup <place>                             copies everything into a new folder, or s3://bucket/name
  restore <place>                            brings a backup back, into an empty DATA_DIR
  accounts create-admin <email> [workspace]  makes somebody an admin of a workspace, and both as far as they are missing
  accounts reset <email>                     gives a link that sets a new password
  audit verify                               checks that nobody has changed or cut the audit log
  audit begin-list                           begins the list of workspaces that have events, where an older server kept none
  secrets rotate                             seals all secrets anew, under a new key
All but restore need the server to run.`;

const placeOf = (place: string): string => (isInS3(place) ? place : resolve(place));

/** What to ask of the running server; undefined for words that are no command. */
const requestOf = ([room, deed, ...rest]: readonly string[]): readonly string[] | undefined => {
  switch (`${room} ${rest.length}`) {
    case 'backup 0':
      return deed === undefined ? undefined : ['backup', placeOf(deed)];
    case 'accounts 1':
    case 'accounts 2':
      if (deed === 'create-admin') return ['create-admin', ...rest];
      return deed === 'reset' && rest.length === 1 ? ['reset-account', ...rest] : undefined;
    case 'audit 0':
      if (deed === 'begin-list') return ['begin-audit-list'];
      return deed === 'verify' ? ['verify-audit'] : undefined;
    case 'secrets 0':
      return deed === 'rotate' ? ['rotate-secrets'] : undefined;
    default:
      return undefined;
  }
};

const restore = async (config: Config, place: string): Promise<string> => {
  // Loading the engines takes seconds, and no other command needs them.
  const { restoreInto } = await import('./start.ts');
  const datasets = await restoreInto(config, runtime, placeOf(place));
  return `${datasets} datasets are restored. Everybody signs in anew.`;
};

const run = async (): Promise<string> => {
  const words = process.argv.slice(2);
  const [command, place, ...rest] = words;
  const isRestore = command === 'restore' && place !== undefined && rest.length === 0;
  const request = requestOf(words);
  if (!isRestore && request === undefined) throw new OperatorError(usage);
  const config = readConfig();
  return request === undefined ? restore(config, place ?? '') : askServer(resolve(config.DATA_DIR), request);
};

run().then(
  (done) => {
    process.stdout.write(`${done}\n`);
    process.exit(0);
  },
  (error: unknown) => {
    const isPlain = [ConfigError, DataFolderError].some((kind) => error instanceof kind);
    const text =
      isOperatorFacing(error) || (isPlain && error instanceof Error)
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error);
    process.stderr.write(`${text}\n`);
    process.exit(1);
  },
);

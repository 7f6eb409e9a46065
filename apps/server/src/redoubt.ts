import { randomBytes, randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { isInS3 } from './platform/backup/is-in-s3.ts';
import { ConfigError, readConfig, type Config } from './platform/config/index.ts';
import { sendCommand, isOperatorFacing, OperatorError } from './platform/control/index.ts';
import { DataFolderError } from './platform/files/data-folder.ts';
import type { Runtime } from './platform/runtime.ts';

/** The operator's command line. All commands but `restore` are sent to the server that is running on the data folder. */

const runtime: Runtime = {
  clock: { now: () => new Date() },
  ids: { uuid: randomUUID },
  random: { bytes: (size) => randomBytes(size) },
};

const usage = `Usage: npm run redoubt -- <command>, where a command is one of
  backup <place>                             copies everything into a new folder, or to s3://bucket/name
  restore <place>                            restores a backup into an empty DATA_DIR
  accounts create-admin <email> [workspace]  makes an account the admin of a workspace; creates either if it does not exist
  accounts reset <email>                     prints a link that sets a new password
  audit verify                               checks that no event of the audit log was changed or removed
  audit begin-list                           creates the list of workspaces that have events, if an older server kept none
  secrets rotate                             encrypts all secrets again, with a new key
All commands but restore need a running server.`;

const resolveLocation = (place: string): string => (isInS3(place) ? place : resolve(place));

/** The request to the running server; undefined if the arguments are not a command. */
const toRequest = ([group, action, ...rest]: readonly string[]): readonly string[] | undefined => {
  switch (`${group} ${rest.length}`) {
    case 'backup 0':
      return action === undefined ? undefined : ['backup', resolveLocation(action)];
    case 'accounts 1':
    case 'accounts 2':
      if (action === 'create-admin') return ['create-admin', ...rest];
      return action === 'reset' && rest.length === 1 ? ['reset-account', ...rest] : undefined;
    case 'audit 0':
      if (action === 'begin-list') return ['begin-audit-list'];
      return action === 'verify' ? ['verify-audit'] : undefined;
    case 'secrets 0':
      return action === 'rotate' ? ['rotate-secrets'] : undefined;
    default:
      return undefined;
  }
};

const restore = async (config: Config, place: string): Promise<string> => {
  // Loading the engines takes seconds, and no other command needs them.
  const { restoreInto } = await import('./start.ts');
  const datasets = await restoreInto(config, runtime, resolveLocation(place));
  return `Restored ${datasets} datasets. Everybody must sign in again.`;
};

const run = async (): Promise<string> => {
  const words = process.argv.slice(2);
  const [command, place, ...rest] = words;
  const isRestore = command === 'restore' && place !== undefined && rest.length === 0;
  const request = toRequest(words);
  if (!isRestore && request === undefined) throw new OperatorError(usage);
  const config = readConfig();
  return request === undefined ? restore(config, place ?? '') : sendCommand(resolve(config.DATA_DIR), request);
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

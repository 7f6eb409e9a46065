import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The data folder cannot be used; the message is one line that says what to do. */
export class DataFolderError extends Error {}

export interface DataFolder {
  path: string;
  /** The key that signs access tokens, made at the first start. */
  signingKey(): Uint8Array;
  /** Lets another process take the folder. */
  release(): void;
}

const isRunning = (pid: number): boolean => {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  // A process id is given again after a restart of the machine; where the system says what runs, look.
  const commandLine = `/proc/${pid}/cmdline`;
  return !existsSync(commandLine) || readFileSync(commandLine, 'utf8').match(/main\.ts|redoubt\.ts/) !== null;
};

const lockName = 'redoubt.pid';

/** Takes the lock, whose holder may have been killed without giving it back. */
const lock = (path: string): void => {
  const file = join(path, lockName);
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      const holder = Number(readFileSync(file, 'utf8'));
      if (isRunning(holder)) {
        throw new DataFolderError(
          `The data folder ${path} is in use by process ${holder}: stop that one, or set DATA_DIR to another folder.`,
        );
      }
      rmSync(file, { force: true });
    }
  }
  throw new DataFolderError(`The data folder ${path} was taken by another process that started just now.`);
};

const keyBytes = 48;

/** Opens the folder that the embedded engines keep their data in, for this process alone. */
export const openDataFolder = (folder: string): DataFolder => {
  const path = resolve(folder);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    lock(path);
  } catch (error) {
    if (error instanceof DataFolderError) throw error;
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new DataFolderError(
      `The data folder ${path} cannot be written (${reason}): give this user the right to it, or set DATA_DIR to another folder.`,
    );
  }
  return {
    path,
    signingKey: () => {
      const file = join(path, 'signing.key');
      if (!existsSync(file)) {
        writeFileSync(file, randomBytes(keyBytes).toString('base64'), { mode: 0o600, flag: 'wx' });
        chmodSync(file, 0o600);
      }
      return Buffer.from(readFileSync(file, 'utf8'), 'base64');
    },
    release: () => rmSync(join(path, lockName), { force: true }),
  };
};

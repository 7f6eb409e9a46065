import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The data folder cannot be used; the message is one line that says what to do. */
export class DataFolderError extends Error {}

export interface DataFolder {
  path: string;
  /** The key that signs access tokens; created at the first call. */
  signingKey(): Uint8Array;
  /** Unlocks the folder for other processes. */
  release(): void;
}

const isRunning = (pid: number): boolean => {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  // After a reboot another program can have the same process id; on Linux, check what the process runs.
  const commandLine = `/proc/${pid}/cmdline`;
  return !existsSync(commandLine) || readFileSync(commandLine, 'utf8').match(/main\.ts|redoubt\.ts/) !== null;
};

const lockName = 'redoubt.pid';

/** Locks the folder, and takes over the lock of a process that was killed. */
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
          `The data folder ${path} is in use by process ${holder}. Stop that process, or set DATA_DIR to another folder.`,
        );
      }
      rmSync(file, { force: true });
    }
  }
  throw new DataFolderError(
    `The data folder ${path} was just locked by another process. Stop that process, or set DATA_DIR to another folder.`,
  );
};

const keyBytes = 48;

/**
 * Creates the data folder if it does not exist, and locks it for this process.
 * @throws DataFolderError if another process uses it or it cannot be written
 */
export const openDataFolder = (folder: string): DataFolder => {
  const path = resolve(folder);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    lock(path);
  } catch (error) {
    if (error instanceof DataFolderError) throw error;
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new DataFolderError(
      `Cannot write to the data folder ${path} (${reason}). Give this user write access to it, or set DATA_DIR to another folder.`,
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

import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  openFolderStore,
  openS3Store,
  readFolder,
  type ObjectStore,
  type S3Settings,
} from '../files/index.ts';
import { isInS3 } from './is-in-s3.ts';
import { OperatorError } from '../control/operator-error.ts';

/** A backup that cannot be created or restored; the message is one line that says what to do. */
export class BackupError extends OperatorError {}

/** The location that a backup is written to. */
export interface BackupTarget {
  files: Pick<ObjectStore, 'put'>;
  /** Gives the backup its name, once everything is written. */
  finish(): Promise<void>;
  close(): void;
}

/** The location that a backup is read from. */
export interface BackupSource {
  files: Pick<ObjectStore, 'get' | 'head' | 'list'>;
  /** Calls `use` with a local path that holds the file's content. */
  withPath(name: string, use: (path: string) => Promise<void>): Promise<void>;
  close(): void;
}

const address = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/((?:[A-Za-z0-9_][A-Za-z0-9._-]*\/?)+)$/;

/** @throws BackupError for a malformed URL */
const openBucket = (place: string, settings: S3Settings): ObjectStore => {
  const [, bucket, name] = address.exec(place) ?? [];
  if (bucket === undefined || name === undefined) {
    throw new BackupError(
      `The location must be a folder or s3://bucket/name, got "${place}". Use letters, digits, ".", "_", "-" and "/" in the name.`,
    );
  }
  return openS3Store(settings, { bucket, prefix: name.endsWith('/') ? name : `${name}/` });
};

const existsError = (place: string): BackupError =>
  new BackupError(`${place} exists already. Choose a location that does not exist.`);

/** @throws BackupError if the location exists already */
export const openTarget = async (place: string, settings: S3Settings): Promise<BackupTarget> => {
  if (isInS3(place)) {
    const files = openBucket(place, settings);
    for await (const _ of files.list('')) throw existsError(place);
    return { files, finish: () => Promise.resolve(), close: () => files.close() };
  }
  if (existsSync(place)) throw existsError(place);
  const draft = `${place}.part`;
  await rm(draft, { recursive: true, force: true });
  const files = await openFolderStore(draft);
  return {
    files,
    finish: async () => {
      await files.tidy();
      await rename(draft, place);
    },
    close: () => files.close(),
  };
};

/** @param scratch the path of a temporary file that `withPath` may create */
export const openSource = (place: string, settings: S3Settings, scratch: string): BackupSource => {
  if (!isInS3(place)) {
    return {
      files: readFolder(place),
      withPath: (name, use) => use(join(place, name)),
      close: () => undefined,
    };
  }
  const files = openBucket(place, settings);
  return {
    files,
    withPath: async (name, use) => {
      try {
        await pipeline(files.get(name), createWriteStream(scratch, { mode: 0o600 }));
        await use(scratch);
      } finally {
        await rm(scratch, { force: true });
      }
    },
    close: () => files.close(),
  };
};

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
import { BackupError } from './backup-error.ts';
import { isInS3 } from './is-in-s3.ts';

/** Where a backup is made. */
export interface BackupTarget {
  files: Pick<ObjectStore, 'put'>;
  /** Makes it a backup, once all is in it. */
  finish(): Promise<void>;
  close(): void;
}

/** Where a backup is. */
export interface BackupSource {
  files: Pick<ObjectStore, 'get' | 'head' | 'list'>;
  /** Lets a file be used under a path of this machine. */
  withPath(name: string, use: (path: string) => Promise<void>): Promise<void>;
  close(): void;
}

const address = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/((?:[A-Za-z0-9_][A-Za-z0-9._-]*\/?)+)$/;

/** @throws BackupError for an address that is not understood */
const openBucket = (place: string, settings: S3Settings): ObjectStore => {
  const [, bucket, name] = address.exec(place) ?? [];
  if (bucket === undefined || name === undefined) {
    throw new BackupError(
      `"${place}" is no place for a backup: write s3://bucket/name, with letters, digits, ".", "_", "-" and "/".`,
    );
  }
  return openS3Store(settings, { bucket, prefix: name.endsWith('/') ? name : `${name}/` });
};

const isThere = (place: string): BackupError =>
  new BackupError(`${place} is there already: name a place that is not.`);

/** @throws BackupError for a place that holds something */
export const openTarget = async (place: string, settings: S3Settings): Promise<BackupTarget> => {
  if (isInS3(place)) {
    const files = openBucket(place, settings);
    for await (const _ of files.list('')) throw isThere(place);
    return { files, finish: () => Promise.resolve(), close: () => files.close() };
  }
  if (existsSync(place)) throw isThere(place);
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

/** @param scratch the path of a file that may be made for a while */
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

import type { RecordStore } from '@redoubt/records';
import type { Db } from '../../platform/db/database.ts';
import type { ObjectStore } from '../../platform/files/index.ts';
import type { Logger } from '../../platform/log/logger.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { createObjectDropRepository } from './object-drops.repository.ts';
import { createObjectDrops, type ObjectDrops } from './object-drops.ts';
import { createUploadFileRepository } from './upload-file.repository.ts';
import { createUploadFiles, type UploadFiles } from './upload-files.ts';

/** Deletes the files of removed uploads. */
export const wireObjectDrops = ({
  db,
  files,
  runtime: { clock },
  logger,
  shared,
}: {
  db: Db;
  files: ObjectStore;
  runtime: Runtime;
  logger: Logger;
  shared: boolean;
}): ObjectDrops =>
  createObjectDrops({ repository: createObjectDropRepository(db), files, clock, logger, shared });

/** Removes uploads and their files when records are deleted. */
export const wireUploadFiles = ({
  db,
  store,
  runtime: { clock },
  drops,
}: {
  db: Db;
  store: RecordStore;
  runtime: Runtime;
  drops: ObjectDrops;
}): UploadFiles => createUploadFiles({ repository: createUploadFileRepository(db), store, drops, clock });

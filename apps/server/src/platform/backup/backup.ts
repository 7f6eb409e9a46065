import type { RecordStore } from '@redoubt/records';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Db } from '../db/database.ts';
import { createMetadataCopyRepository, type MetadataCopy } from './metadata-copy.repository.ts';

/** A backup that cannot be made or restored; the message is one line that says what to do. */
export class BackupError extends Error {}

export interface BackupDeps {
  db: Db;
  store: Pick<RecordStore, 'dump' | 'load' | 'createDataset' | 'dropDataset'>;
}

const version = 1;
const recordsOf = (folder: string, datasetId: string): string =>
  join(folder, 'records', `${datasetId}.native`);
const metadataOf = (folder: string): string => join(folder, 'metadata.json');

/**
 * Copies records and metadata into a new folder while all goes on. Records come first, the metadata after them: each
 * record's label is then in the copy under its number. The other way round, a number could be given anew after a restore, to
 * a label that shows the record to others. What was acknowledged before the start is in it.
 * @returns how many datasets it holds
 */
export const writeBackup = async ({ db, store }: BackupDeps, folder: string): Promise<number> => {
  if (existsSync(folder)) throw new BackupError(`${folder} is there already: name a folder that is not.`);
  const draft = `${folder}.part`;
  const metadata = createMetadataCopyRepository(db);
  await rm(draft, { recursive: true, force: true });
  await mkdir(dirname(recordsOf(draft, '')), { recursive: true, mode: 0o700 });
  for (const id of await metadata.datasetIds()) {
    try {
      await pipeline(store.dump(id), createWriteStream(recordsOf(draft, id), { mode: 0o600, flush: true }));
    } catch (error) {
      // A dataset that was deleted meanwhile has no table any more.
      if ((await metadata.datasetIds()).includes(id)) throw error;
      await rm(recordsOf(draft, id), { force: true });
    }
  }
  const copy = { version, tables: await metadata.read() };
  await writeFile(metadataOf(draft), JSON.stringify(copy), { mode: 0o600, flush: true });
  await rename(draft, folder);
  return copy.tables['datasets']?.length ?? 0;
};

const readCopy = async (folder: string): Promise<MetadataCopy> => {
  let copy: { version: number; tables: MetadataCopy };
  try {
    copy = JSON.parse(await readFile(metadataOf(folder), 'utf8')) as typeof copy;
  } catch {
    throw new BackupError(`${folder} is no backup: it has no metadata.json that can be read.`);
  }
  if (copy.version !== version) throw new BackupError(`${folder} was made by another version of Redoubt.`);
  return copy.tables;
};

/**
 * Brings a backup into engines that hold nothing. Records come first and the metadata last, in one transaction: a restore
 * that is broken off has restored nothing that anybody sees, and can be begun again.
 * @returns how many datasets it held
 */
export const restoreBackup = async ({ db, store }: BackupDeps, folder: string): Promise<number> => {
  const metadata = createMetadataCopyRepository(db);
  const copy = await readCopy(folder);
  if (!(await metadata.isEmpty())) {
    throw new BackupError(
      'There are accounts here already: restore into an empty DATA_DIR (and empty databases).',
    );
  }
  const datasets = copy['datasets'] ?? [];
  for (const { id } of datasets) {
    const datasetId = String(id);
    await store.dropDataset(datasetId);
    await store.createDataset(datasetId);
    const file = recordsOf(folder, datasetId);
    if (existsSync(file)) await store.load(datasetId, file);
  }
  await metadata.write(copy);
  return datasets.length;
};

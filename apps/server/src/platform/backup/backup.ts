import type { RecordStore } from '@redoubt/records';
import { resealChains, type AuditLog } from '../audit/index.ts';
import type { Db } from '../db/database.ts';
import { ObjectNotFoundError, type ObjectStore } from '../files/index.ts';
import { auditLines, restoreAudit } from './audit-copy.ts';
import { BackupError } from './backup-error.ts';
import { createMetadataCopyRepository, type MetadataCopy } from './metadata-copy.repository.ts';
import type { SecretBox } from '../secrets/index.ts';
import type { BackupSource, BackupTarget } from './backup-location.ts';

export interface BackupDeps {
  db: Db;
  store: Pick<RecordStore, 'audit' | 'dump' | 'load' | 'createDataset' | 'dropDataset'>;
  /** People's files. */
  files: ObjectStore;
}

const version = 1;
const recordsOf = (datasetId: string): string => `records/${datasetId}.native`;
const filesArea = 'files/';
const auditName = 'audit.ndjson';
const metadataName = 'metadata.json';

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/**
 * Copies records, files and metadata into a new place while all goes on. Records come first, the metadata last: each record's
 * label is then in the copy under its number. The other way round, a number could be given anew after a restore, to a label
 * that shows the record to others. What was acknowledged before the start is in it.
 * @returns how many datasets it holds
 */
export const writeBackup = async (
  { db, store, files, audit }: BackupDeps & { audit: Pick<AuditLog, 'still'> },
  target: BackupTarget,
): Promise<number> => {
  const metadata = createMetadataCopyRepository(db);
  for (const id of await metadata.datasetIds()) {
    try {
      await target.files.put(recordsOf(id), store.dump(id));
    } catch (error) {
      // A dataset that was deleted meanwhile has no table any more.
      if ((await metadata.datasetIds()).includes(id)) throw error;
    }
  }
  for await (const { name } of files.list('')) {
    try {
      await target.files.put(filesArea + name, files.get(name));
    } catch (error) {
      // Deleted since it was listed.
      if (!(error instanceof ObjectNotFoundError)) throw error;
    }
  }
  // The ends of its chains are in the metadata, and what is on the way to them: all of it as it is at one moment.
  const tables = await audit.still(async () => {
    const read = await metadata.read();
    await target.files.put(auditName, auditLines(store.audit));
    return read;
  });
  const copy = { version, tables };
  await target.files.put(metadataName, bytesOf(JSON.stringify(copy)));
  await target.finish();
  return copy.tables['datasets']?.length ?? 0;
};

/**
 * Reads the metadata of a backup.
 * @param place what the operator called it
 * @throws BackupError for what is no backup, or one of another version
 */
export const readCopy = async (source: BackupSource, place: string): Promise<MetadataCopy> => {
  const none = new BackupError(`${place} is no backup: it has no ${metadataName} that can be read.`);
  let copy: { version: number; tables: MetadataCopy };
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of source.files.get(metadataName)) chunks.push(chunk);
    copy = JSON.parse(Buffer.concat(chunks).toString('utf8')) as typeof copy;
  } catch (error) {
    throw error instanceof ObjectNotFoundError || error instanceof SyntaxError ? none : error;
  }
  if (copy.version !== version) throw new BackupError(`${place} was made by another version of Redoubt.`);
  return copy.tables;
};

/**
 * Brings a backup into engines that hold nothing. Records come first and the metadata last, in one transaction: a restore
 * that is broken off has restored nothing that anybody sees, and can be begun again.
 * @param copy the metadata of the source
 * @returns how many datasets it held
 */
export const restoreBackup = async (
  { db, store, files, secrets }: BackupDeps & { secrets: SecretBox },
  source: BackupSource,
  copy: MetadataCopy,
): Promise<number> => {
  const metadata = createMetadataCopyRepository(db);
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
    const name = recordsOf(datasetId);
    if ((await source.files.head(name)) === undefined) continue;
    await source.withPath(name, async (path) => store.load(datasetId, path));
  }
  for await (const { name } of source.files.list(filesArea))
    await files.put(name.slice(filesArea.length), source.files.get(name));
  if ((await source.files.head(auditName)) !== undefined)
    await restoreAudit(store.audit, source.files.get(auditName));
  await metadata.write(copy);
  await resealChains({ db, store: store.audit, secrets });
  return datasets.length;
};

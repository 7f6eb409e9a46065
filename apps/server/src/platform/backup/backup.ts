import type { RecordStore } from '@redoubt/records';
import { resealChains, type AuditLog } from '../audit/index.ts';
import type { Db } from '../db/database.ts';
import { ObjectNotFoundError, type ObjectStore } from '../files/index.ts';
import { auditLines, restoreAudit } from './audit-copy.ts';
import { createMetadataCopyRepository, type MetadataCopy } from './metadata-copy.repository.ts';
import type { SecretBox } from '../secrets/index.ts';
import { BackupError, type BackupSource, type BackupTarget } from './backup-location.ts';

export interface BackupDeps {
  db: Db;
  store: Pick<RecordStore, 'audit' | 'dump' | 'load' | 'createDataset' | 'dropDataset'>;
  /** The files that people uploaded. */
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
 * Copies records, files and metadata to a new location while the server keeps working. Records are copied first and the
 * metadata last, so that the copy has the label of every copied record. In the other order, a restored server could
 * assign the label id of a record to another label, and other readers would see the record. The backup contains
 * everything that was acknowledged before it started.
 * @returns the number of datasets
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
      // A dataset that was deleted meanwhile has no table.
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
  // The metadata holds the ends of the chains and the pending events, so it must be read at the same point as the log.
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
 * @param place the location as the operator typed it, for messages
 * @throws BackupError for a location without a backup, or with one of another version
 */
export const readCopy = async (source: BackupSource, place: string): Promise<MetadataCopy> => {
  const notFound = new BackupError(
    `${place} is not a backup: expected a readable ${metadataName} in it. Check the location.`,
  );
  let copy: { version: number; tables: MetadataCopy };
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of source.files.get(metadataName)) chunks.push(chunk);
    copy = JSON.parse(Buffer.concat(chunks).toString('utf8')) as typeof copy;
  } catch (error) {
    throw error instanceof ObjectNotFoundError || error instanceof SyntaxError ? notFound : error;
  }
  if (copy.version !== version)
    throw new BackupError(
      `Expected a backup of version ${version}, got version ${copy.version} in ${place}. Restore it with the version of Redoubt that created it.`,
    );
  return copy.tables;
};

/**
 * Restores a backup into empty engines. Records come first and the metadata last, in one transaction: an interrupted
 * restore has restored nothing that anybody can see, and can be repeated.
 * @param copy the metadata of the source
 * @returns the number of datasets
 */
export const restoreBackup = async (
  { db, store, files, secrets }: BackupDeps & { secrets: SecretBox },
  source: BackupSource,
  copy: MetadataCopy,
): Promise<number> => {
  const metadata = createMetadataCopyRepository(db);
  if (!(await metadata.isEmpty())) {
    throw new BackupError(
      'The server has accounts already. Restore into an empty DATA_DIR (and empty databases).',
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

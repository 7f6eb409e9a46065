import { join } from 'node:path';
import { ConfigError, type Config } from '../config/index.ts';
import { openFolderStore } from './folder-store.ts';
import { ObjectStoreError, prefixObjectStore, type ObjectStore } from './object-store.ts';
import { openS3Store, type S3Settings } from './s3-store.ts';

/** The settings of the S3 service. */
export const s3SettingsOf = ({
  S3_ENDPOINT: endpoint,
  S3_REGION: region,
  S3_ACCESS_KEY_ID: accessKeyId,
  S3_SECRET_ACCESS_KEY: secretAccessKey,
}: Config): S3Settings => ({
  endpoint,
  region,
  credentials:
    accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey },
});

/**
 * Opens the store of uploaded files: the bucket that the settings name, or a folder in the data folder.
 * @throws ConfigError if the store cannot be used
 */
export const openFiles = async (config: Config, dataFolder: string): Promise<ObjectStore> => {
  const { S3_BUCKET: bucket, S3_PREFIX: prefix } = config;
  try {
    const store =
      bucket === undefined
        ? await openFolderStore(join(dataFolder, 'objects'))
        : openS3Store(s3SettingsOf(config), { bucket, prefix });
    for await (const _ of store.list('')) break;
    return prefixObjectStore(store, 'files/');
  } catch (error) {
    if (!(error instanceof ObjectStoreError)) throw error;
    throw new ConfigError(
      bucket === undefined ? `DATA_DIR: ${error.message}` : `S3_BUCKET: ${error.message}`,
    );
  }
};

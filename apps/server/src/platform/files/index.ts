export { openFolderStore, readFolder } from './folder-store.ts';
export { linesOf } from './lines.ts';
export { ObjectNotFoundError, type ObjectStore } from './object-store.ts';
export { copyToTemporaryFile } from './temporary-file.ts';
export { openFiles, s3SettingsOf } from './open-files.ts';
export { openS3Store, type S3Settings } from './s3-store.ts';

export { BackupError } from './backup-error.ts';
export { restoreBackup, writeBackup, type BackupDeps } from './backup.ts';
export { isInS3, openSource, openTarget } from './place.ts';

export { readCopy, restoreBackup, writeBackup, type BackupDeps } from './backup.ts';
export { openSource, openTarget } from './backup-location.ts';

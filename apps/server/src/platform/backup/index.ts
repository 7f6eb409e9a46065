export { BackupError } from './backup-error.ts';
export { restoreBackup, writeBackup, type BackupDeps } from './backup.ts';
export { openSource, openTarget } from './place.ts';

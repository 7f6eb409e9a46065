export { BackupError } from './backup-error.ts';
export { restoreBackup, writeBackup } from './backup.ts';
export { askForBackup, openControl } from './control.ts';
export { isInS3, openSource, openTarget } from './place.ts';

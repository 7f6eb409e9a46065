export { BackupError, restoreBackup, writeBackup } from './backup.ts';
export { askForBackup, openControl } from './control.ts';

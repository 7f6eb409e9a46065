import { OperatorError } from '../control/operator-error.ts';

/** A backup that cannot be made or restored; the message is one line that says what to do. */
export class BackupError extends OperatorError {}

import { OperatorError } from '../control/operator-error.ts';

/** A backup that cannot be created or restored; the message is one line that says what to do. */
export class BackupError extends OperatorError {}

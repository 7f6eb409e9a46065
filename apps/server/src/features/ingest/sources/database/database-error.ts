import { ReaderError } from '../reader-error.ts';

/** What failed, for the person who started the job. The message never contains the password. */
export class DatabaseError extends ReaderError {}

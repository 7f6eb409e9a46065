import type { FileOptions } from '@redoubt/file-formats';

/** How the files of a job are read, without what was left out. */
export type FileReading = Omit<FileOptions, 'fileName' | 'limits' | 'requiredColumns'>;

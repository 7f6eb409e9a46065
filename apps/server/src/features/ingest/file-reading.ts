import type { FileOptions } from '@redoubt/file-formats';

/** How the files of a job are read. Absent options have no key. */
export type FileReading = Omit<FileOptions, 'fileName' | 'limits' | 'requiredColumns'>;

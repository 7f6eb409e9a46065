import { expectedMessage } from '@redoubt/errors';
import type { ByteSource, FileOptions, OpenedFile } from './file-format.ts';
import { defaultFileLimits, type FileLimits } from './file-limits.ts';
import { FileParseError } from './file-parse-error.ts';
import { openSource } from './open-source.ts';
import { findOptionError } from './options/find-option-error.ts';
import { fromByteSource } from './sources/data-source.ts';
import { createPasses } from './sources/read-pass.ts';

/**
 * Opens a file: reads its beginning and detects its format, encoding and columns, except for those that options set.
 *
 *     const opened = await openFile(source, { fileName: 'people.csv' });
 *     for await (const batch of opened.rows()) store(batch);
 *
 * @throws FileParseError when the format is not supported or the beginning cannot be read
 */
export async function openFile(source: ByteSource, options: FileOptions): Promise<OpenedFile> {
  const limits: FileLimits = { ...defaultFileLimits, ...options.limits };
  const { fileName } = options;
  const error = findOptionError(options);
  if (error !== undefined) throw new FileParseError(fileName, 0, expectedMessage(error));
  return openSource(fromByteSource(source), {
    options,
    limits,
    depth: 0,
    newPass: (isFinal) => createPasses(limits, fileName)(isFinal),
    open: openSource,
  });
}

import type { ByteSource, FileOptions, OpenedFile } from './file-format.ts';
import { openSource } from './open-source.ts';
import { fromByteSource } from './sources/data-source.ts';
import { expectedMessage } from '@redoubt/errors';
import { defaultFileLimits } from './file-limits.ts';
import { FileParseError } from './file-parse-error.ts';
import type { OpenContext } from './open-context.ts';
import { messagesFormat } from './json/open-ndjson.ts';
import { findOptionError } from './options/find-option-error.ts';
import { createPasses } from './sources/read-pass.ts';

/** Creates the context of a file that is in no other. @throws FileParseError for options that fit no file */
export function createOpenContext(options: FileOptions): OpenContext {
  const limits = { ...defaultFileLimits, ...options.limits };
  // Requests cannot name the format in which this server writes the messages of topics.
  const { format, ...others } = options;
  const error = findOptionError(format === messagesFormat ? others : options);
  if (error !== undefined) throw new FileParseError(options.fileName, 0, expectedMessage(error));
  return {
    options,
    limits,
    depth: 0,
    newPass: (isFinal) => createPasses(limits, options.fileName)(isFinal),
    open: openSource,
  };
}

/**
 * Opens a file: reads its beginning and detects its format, encoding and columns, except for those that options set.
 *
 *     const opened = await openFile(source, { fileName: 'people.csv' });
 *     for await (const batch of opened.rows()) store(batch);
 *
 * @throws FileParseError when the format is not supported or the beginning cannot be read
 */
export async function openFile(source: ByteSource, options: FileOptions): Promise<OpenedFile> {
  return openSource(fromByteSource(source), createOpenContext(options));
}

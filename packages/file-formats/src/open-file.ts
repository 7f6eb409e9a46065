import { createOpenContext } from './create-open-context.ts';
import type { ByteSource, FileOptions, OpenedFile } from './file-format.ts';
import { openSource } from './open-source.ts';
import { fromByteSource } from './sources/data-source.ts';

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

import type { ByteSource, FileOptions, OpenedFile } from './file-format.ts';
import { defaultFileLimits, type FileLimits } from './file-limits.ts';
import { FileParseError } from './file-parse-error.ts';
import { openSource } from './open-source.ts';
import { registeredFormats } from './registered-formats.ts';
import { fromByteSource } from './sources/data-source.ts';
import { createPasses } from './sources/read-pass.ts';

/**
 * Opens a file: reads its beginning and finds out how the rest is read.
 * @throws FileParseError when the format is not supported or the beginning cannot be read
 */
export async function openFile(source: ByteSource, options: FileOptions): Promise<OpenedFile> {
  const limits: FileLimits = { ...defaultFileLimits, ...options.limits };
  const { fileName, format } = options;
  if (format !== undefined && !registeredFormats.some(({ name }) => name === format)) {
    const names = registeredFormats.map(({ name }) => name).join(', ');
    throw new FileParseError(fileName, 0, `format must be one of ${names}, got ${JSON.stringify(format)}.`);
  }
  return openSource(fromByteSource(source), {
    options,
    limits,
    depth: 0,
    newPass: (isFinal) => createPasses(limits, fileName)(isFinal),
    open: openSource,
  });
}

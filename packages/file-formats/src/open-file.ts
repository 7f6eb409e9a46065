import { openCsv } from './csv/open-csv.ts';
import { detectTextFormat } from './detect/detect-format.ts';
import type { ByteSource, FileOptions, OpenedFile } from './file-format.ts';
import { defaultFileLimits, type FileLimits } from './file-limits.ts';
import { FileParseError } from './file-parse-error.ts';
import { openJson } from './json/open-json.ts';
import { openNdjson } from './json/open-ndjson.ts';
import { registeredFormats } from './registered-formats.ts';
import { openText, sampleBytes } from './text/open-text.ts';
import { readHead } from './text/read-head.ts';

/**
 * Opens a file: reads its beginning and finds out how the rest is read.
 * @throws FileParseError when the format is not supported or the beginning cannot be read
 */
export async function openFile(source: ByteSource, options: FileOptions): Promise<OpenedFile> {
  const limits: FileLimits = { ...defaultFileLimits, ...options.limits };
  const { fileName, format: given } = options;
  if (given !== undefined && !registeredFormats.some(({ name }) => name === given)) {
    const names = registeredFormats.map(({ name }) => name).join(', ');
    throw new FileParseError(fileName, 0, `format must be one of ${names}, got ${JSON.stringify(given)}.`);
  }
  const { head, isWhole } = await readHead(source, sampleBytes);
  const text = openText(source, head, isWhole, options);
  const format = given ?? detectTextFormat(text.sample, isWhole, fileName);
  switch (format) {
    case 'csv':
    case 'tsv':
      return openCsv(text, options, limits, format);
    case 'json':
    case 'geojson':
      return openJson(text, options, limits, format);
    case 'ndjson':
      return openNdjson(text, options, limits);
    case undefined:
    default:
      throw new FileParseError(
        fileName,
        0,
        'its format is not supported or could not be recognised. Name it in "format", or see the supported file types.',
      );
  }
}

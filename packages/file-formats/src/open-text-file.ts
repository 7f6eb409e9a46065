import { openCsv } from './csv/open-csv.ts';
import { detectTextFormat } from './detect/detect-format.ts';
import type { OpenedFile } from './file-format.ts';
import { FileParseError } from './file-parse-error.ts';
import { openJson } from './json/open-json.ts';
import { messagesFormat, openNdjson } from './json/open-ndjson.ts';
import type { OpenContext } from './open-context.ts';
import type { DataSource } from './sources/data-source.ts';
import { openText } from './text/open-text.ts';

/** Opens a file that is text. */
export async function openTextFile(
  source: DataSource,
  head: Buffer,
  isWhole: boolean,
  context: OpenContext,
): Promise<OpenedFile> {
  const { options, limits } = context;
  const text = openText(source, head, isWhole, context);
  const format = options.format ?? detectTextFormat(text.sample, isWhole, options.fileName);
  switch (format) {
    case 'csv':
    case 'tsv':
      return openCsv(text, options, limits, format);
    case 'json':
    case 'geojson':
      return openJson(text, options, limits, format);
    case 'ndjson':
      return openNdjson(text, options, limits);
    case messagesFormat:
      return openNdjson(text, options, limits, true);
    case 'xml':
      return (await import('./xml/open-xml.ts')).openXml(text, options, limits);
    case 'yaml':
      return (await import('./yaml/open-yaml.ts')).openYaml(text, options, limits);
    case undefined:
    default:
      throw new FileParseError(
        options.fileName,
        0,
        'its format is not supported or could not be recognised. Name it in "format", or see the supported file types.',
      );
  }
}

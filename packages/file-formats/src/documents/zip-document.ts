import { listZip } from '../archives/list-zip.ts';
import { repackParts } from '../excel/repack-parts.ts';
import { FileParseError } from '../file-parse-error.ts';
import type { OpenContext } from '../open-context.ts';
import type { DataSource } from '../sources/data-source.ts';
import { readOfficeText } from './office-text.ts';

type ZipFormat = 'docx' | 'pptx' | 'xlsx' | 'odt' | 'odp' | 'ods';

/** Formats by a part that only they contain. */
const openXmlParts: readonly { part: string; format: ZipFormat }[] = [
  { part: 'word/document.xml', format: 'docx' },
  { part: 'ppt/presentation.xml', format: 'pptx' },
  { part: 'xl/workbook.xml', format: 'xlsx' },
];

/** Formats by the end of their media type, which OpenDocument keeps in a part of its own. */
const openDocumentTypes: readonly { type: string; format: ZipFormat }[] = [
  { type: 'text', format: 'odt' },
  { type: 'presentation', format: 'odp' },
  { type: 'spreadsheet', format: 'ods' },
];

/** Reads the texts of a document that is a zip archive: Open XML or OpenDocument. */
export async function readZipDocument(
  source: DataSource,
  context: OpenContext,
): Promise<{ format: ZipFormat; texts: string[] }> {
  const { limits, options } = context;
  const { fileName } = options;
  const { files, paths } = await listZip(source, context);
  const pass = context.newPass(true);
  const parts = await repackParts(files(pass), pass, limits, {
    fileName,
    kind: 'document',
    advice: 'Split it.',
    wanted: /\.(xml|rels)$|^mimetype$/,
  });
  const format =
    openXmlParts.find(({ part }) => paths.has(part))?.format ?? openDocumentFormat(parts.get('mimetype'));
  if (format === undefined) {
    const advice = paths.has('xl/workbook.bin')
      ? 'it is a binary Excel workbook (.xlsb). Save it as .xlsx and send that.'
      : 'it is an archive. Unpack it and send the documents themselves with processAsDocument.';
    throw new FileParseError(fileName, 0, advice);
  }
  if (/encryption-data/.test(Buffer.from(parts.get('META-INF/manifest.xml') ?? []).toString('latin1'))) {
    throw new FileParseError(
      fileName,
      0,
      'the document is protected by a password. Save it without one and send it again.',
    );
  }
  return { format, texts: await readOfficeText(parts.toZip(), format, fileName) };
}

function openDocumentFormat(mimetype: Uint8Array | undefined): ZipFormat | undefined {
  const type = Buffer.from(mimetype ?? [])
    .toString('latin1')
    .trim();
  return openDocumentTypes.find((known) => type === `application/vnd.oasis.opendocument.${known.type}`)
    ?.format;
}

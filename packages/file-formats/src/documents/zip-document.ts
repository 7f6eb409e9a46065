import type { ArchiveFiles } from '../archives/archive-file.ts';
import { listZip } from '../archives/list-zip.ts';
import { repackParts } from '../excel/repack-parts.ts';
import { FileParseError } from '../file-parse-error.ts';
import type { OpenedFile } from '../file-format.ts';
import type { OpenContext } from '../open-context.ts';
import type { DataSource } from '../sources/data-source.ts';
import { openDocumentArchive } from './inner/open-document-archive.ts';
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

/**
 * Opens a document that is a zip archive: Open XML, OpenDocument, or an archive of documents.
 * @param pagesOf opens the texts of the pages of a document
 */
export async function openZipDocument(
  source: DataSource,
  context: OpenContext,
  pagesOf: (format: ZipFormat, texts: readonly string[]) => OpenedFile,
): Promise<OpenedFile> {
  const { limits, options } = context;
  const { fileName } = options;
  const { files, paths } = await listZip(source, context);
  const openXml = openXmlParts.find(({ part }) => paths.has(part));
  if (openXml === undefined && !paths.has('mimetype')) return openArchive(files, paths, context);
  const pass = context.newPass(true);
  const parts = await repackParts(files(pass), pass, limits, {
    fileName,
    kind: 'document',
    advice: 'Split it.',
    wanted: /\.(xml|rels)$|^mimetype$/,
  });
  const format = openXml?.format ?? openDocumentFormat(parts.get('mimetype'));
  if (format === undefined) return openArchive(files, paths, context);
  if (/encryption-data/.test(Buffer.from(parts.get('META-INF/manifest.xml') ?? []).toString('latin1'))) {
    throw new FileParseError(
      fileName,
      0,
      'the document is protected by a password. Save it without one and send it again.',
    );
  }
  return pagesOf(format, await readOfficeText(parts.toZip(), format, fileName));
}

/** @throws FileParseError for an office file of another kind, whose parts are no documents */
function openArchive(files: ArchiveFiles, paths: ReadonlySet<string>, context: OpenContext): OpenedFile {
  const { fileName } = context.options;
  if (paths.has('xl/workbook.bin'))
    throw new FileParseError(
      fileName,
      0,
      'it is a binary Excel workbook (.xlsb). Save it as .xlsx and send that.',
    );
  if (paths.has('[Content_Types].xml') || paths.has('META-INF/manifest.xml'))
    throw new FileParseError(
      fileName,
      0,
      'it is an Office file of a kind that is not supported, such as a drawing. Save it as PDF and send that.',
    );
  return openDocumentArchive(files, paths, context);
}

function openDocumentFormat(mimetype: Uint8Array | undefined): ZipFormat | undefined {
  const type = Buffer.from(mimetype ?? [])
    .toString('latin1')
    .trim();
  return openDocumentTypes.find((known) => type === `application/vnd.oasis.opendocument.${known.type}`)
    ?.format;
}

import { openExcel } from '../excel/open-excel.ts';
import type { OpenedFile } from '../file-format.ts';
import { FileParseError } from '../file-parse-error.ts';
import type { OpenContext } from '../open-context.ts';
import type { DataSource } from '../sources/data-source.ts';
import { listZip } from './list-zip.ts';
import { openArchive } from './open-archive.ts';

/** Opens a zip archive. A workbook is a zip archive, too, and is opened as a workbook. */
export async function openZip(source: DataSource, context: OpenContext): Promise<OpenedFile> {
  const { files, paths } = await listZip(source, context);
  const document = documents.find(({ part }) => paths.has(part));
  if (document !== undefined) throw new FileParseError(context.options.fileName, 0, document.message);
  return paths.has('xl/workbook.xml') ? openExcel(files, context) : openArchive('zip', files, context);
}

const asDocument = 'To store its text, send it with processAsDocument: true.';

/** Document formats that are zip archives, each with a part that only this format contains. */
const documents = [
  {
    part: 'xl/workbook.bin',
    message: 'it is a binary Excel workbook (.xlsb). Save it as .xlsx and send that.',
  },
  { part: 'word/document.xml', message: `it is a Word document, which has no rows. ${asDocument}` },
  { part: 'ppt/presentation.xml', message: `it is a presentation, which has no rows. ${asDocument}` },
  {
    part: 'META-INF/manifest.xml',
    message: `it is an OpenDocument file. ${asDocument} To store the rows of its sheets, save it as .xlsx.`,
  },
];

import { PDFiumLibrary, type PDFiumDocument, type PDFiumPage } from '@hyzyla/pdfium';
import type { OpenedFile, RowBatch } from '../file-format.ts';
import { FileParseError } from '../file-parse-error.ts';
import type { OpenContext } from '../open-context.ts';
import type { DataSource } from '../sources/data-source.ts';
import { readWhole } from '../sources/seekable-source.ts';
import { pageRow } from './document-page.ts';

/** Opens a PDF. Each page is a row; a page of pictures alone has an empty text. */
export async function openPdf(source: DataSource, context: OpenContext): Promise<OpenedFile> {
  const { limits, options } = context;
  const { fileName } = options;
  const library = await PDFiumLibrary.init();
  const bytes = await readWhole(source, context.newPass(true), limits, fileName);
  const document = await loadDocument(library, bytes, fileName);
  const count = document.getPageCount();
  if (count === 0) throw damaged(fileName, 'it has no pages');

  async function* rows(): AsyncGenerator<RowBatch> {
    for (let index = 0; index < count; index++)
      yield [pageRow(index + 1, textOfPage(document, index, fileName), limits, fileName)];
  }
  return { format: 'pdf', containers: [], rows };
}

const damaged = (fileName: string, detail: string): FileParseError =>
  new FileParseError(fileName, 0, `the PDF is damaged or cut off (${detail}). Save or send it again.`);

async function loadDocument(
  library: PDFiumLibrary,
  bytes: Uint8Array,
  fileName: string,
): Promise<PDFiumDocument> {
  try {
    return await library.loadDocument(bytes);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (/password/i.test(message))
      throw new FileParseError(
        fileName,
        0,
        'the PDF is protected by a password. Save it without one and send it again.',
      );
    throw damaged(fileName, message);
  }
}

function textOfPage(document: PDFiumDocument, index: number, fileName: string): string {
  const page = document.getPage(index);
  try {
    return page.getText();
  } catch (error) {
    throw damaged(
      fileName,
      `page ${String(index + 1)}: ${error instanceof Error ? error.message : String(error)}`,
    );
  } finally {
    closePage(page);
  }
}

/** The library closes only pages that it renders, so memory would grow with every page. */
function closePage(page: PDFiumPage): void {
  if (page['pageIdx'] !== 0) page['module']['_FPDF_ClosePage'](page['pageIdx']);
}

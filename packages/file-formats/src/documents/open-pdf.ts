import { PDFiumLibrary, type PDFiumDocument, type PDFiumPage } from '@hyzyla/pdfium';
import type { OpenedFile, PageScan, RowBatch } from '../file-format.ts';
import { FileParseError } from '../file-parse-error.ts';
import type { OpenContext } from '../open-context.ts';
import type { DataSource } from '../sources/data-source.ts';
import { readWhole } from '../sources/seekable-source.ts';
import { maxScanPixels, pageRow } from './document-page.ts';

/** Opens a PDF. Each page is a row; a page of pictures alone has an empty text and, where requested, a scan. */
export async function openPdf(source: DataSource, context: OpenContext): Promise<OpenedFile> {
  const { limits, options } = context;
  const { fileName, scansFrom = Infinity } = options;
  const bytes = await readWhole(source, context.newPass(true), limits, fileName);
  const document = await loadPdf(bytes, fileName);
  const count = document.getPageCount();

  async function* rows(): AsyncGenerator<RowBatch> {
    for (let index = 0; index < count; index++) {
      const text = textOfPage(document, index, fileName);
      const isScan = index >= scansFrom && text.trim() === '';
      const scan = isScan ? await scanOfPage(document, index, fileName) : undefined;
      yield [pageRow(index + 1, text, limits, fileName, { scan })];
    }
  }
  return { format: 'pdf', containers: [], rows };
}

/** @throws FileParseError when the PDF is damaged, has no pages, or is protected by a password */
export async function loadPdf(bytes: Uint8Array, fileName: string): Promise<PDFiumDocument> {
  const library = await PDFiumLibrary.init();
  const document = await loadDocument(library, bytes, fileName);
  if (document.getPageCount() === 0) throw damaged(fileName, 'it has no pages');
  return document;
}

/** Dots for each point of a PDF, of which 72 are an inch: the resolution that text recognition is made for. */
const scanScale = 300 / 72;

async function scanOfPage(document: PDFiumDocument, index: number, fileName: string): Promise<PageScan> {
  const page = document.getPage(index);
  try {
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const scale = Math.min(scanScale, Math.sqrt(maxScanPixels / (originalWidth * originalHeight)));
    // Rendering closes the page.
    const { width, height, data } = await page.render({ scale, colorSpace: 'Gray' });
    return { width, height, gray: data };
  } catch (error) {
    throw damagedPage(fileName, index, error);
  }
}

const damaged = (fileName: string, detail: string): FileParseError =>
  new FileParseError(fileName, 0, `the PDF is damaged or cut off (${detail}). Save or send it again.`);

/** The error for a page that cannot be read. @param index counted from 0 */
export const damagedPage = (fileName: string, index: number, error: unknown): FileParseError =>
  damaged(fileName, `page ${String(index + 1)}: ${error instanceof Error ? error.message : String(error)}`);

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
    throw damagedPage(fileName, index, error);
  } finally {
    closePage(page);
  }
}

/** The library closes only pages that it renders, so memory would grow with every page. */
export function closePage(page: PDFiumPage): void {
  if (page['pageIdx'] !== 0) page['module']['_FPDF_ClosePage'](page['pageIdx']);
}

import type { PDFiumDocument } from '@hyzyla/pdfium';
import { FileParseError } from '../file-parse-error.ts';
import { isImage } from './document-formats.ts';
import { encodeJpeg, openImage, scaledDown } from './images/decode-image.ts';
import { onPaper, turned, type Raster, type Turn } from './images/raster.ts';
import { damagedPage, loadPdf } from './open-pdf.ts';
import { wordsOfPage, type PageWord } from './pdf-words.ts';

/** The picture of a page of a document. */
export interface PageImage {
  readonly width: number;
  readonly height: number;
  readonly jpeg: Uint8Array;
  /** The words of the text that the page has, with their boxes in pixels of this picture; empty for images. */
  readonly words: readonly PageWord[];
}

export interface PageImageOptions {
  readonly fileName: string;
  /** The format of the document. */
  readonly format: string;
  /** Counted from 1. */
  readonly page: number;
  /** Maximum number of pixels of the longer side. */
  readonly maxSide: number;
  /** How the page is turned to make its text upright. */
  readonly turn: Turn;
}

const jpegQuality = 82;

/**
 * Draws a page of a document.
 * @returns undefined if the format has no pictures, or the document no such page
 * @throws FileParseError when the page cannot be read
 */
export async function drawPageImage(
  bytes: Buffer,
  options: PageImageOptions,
): Promise<PageImage | undefined> {
  const { fileName, format, page, maxSide, turn } = options;
  if (format === 'pdf') {
    const document = await loadPdf(bytes, fileName);
    if (page > document.getPageCount()) return undefined;
    const { words, raster } = await drawPdfPage(document, options);
    return { ...pictureOf(turned(raster, turn)), words: turn === 0 ? words : [] };
  }
  if (!isImage(format)) return undefined;
  const image = openImage(bytes, format, fileName);
  if (page > image.pages) return undefined;
  const raster = scaledDown(image.decode(page), maxSide);
  return { ...pictureOf(turned(onPaper(raster), turn)), words: [] };
}

const pictureOf = (raster: Raster): Omit<PageImage, 'words'> => ({
  width: raster.width,
  height: raster.height,
  jpeg: encodeJpeg(raster, jpegQuality),
});

async function drawPdfPage(
  document: PDFiumDocument,
  { fileName, page: number, maxSide }: PageImageOptions,
): Promise<{ words: PageWord[]; raster: Raster }> {
  try {
    const page = document.getPage(number - 1);
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const scale = maxSide / Math.max(originalWidth, originalHeight);
    const words = wordsOfPage(page, {
      width: Math.floor(Math.floor(originalWidth) * scale),
      height: Math.floor(Math.floor(originalHeight) * scale),
    });
    // Rendering closes the page.
    const { width, height, data } = await page.render({ scale });
    return { words, raster: { width, height, pixels: data } };
  } catch (error) {
    throw error instanceof FileParseError ? error : damagedPage(fileName, number - 1, error);
  }
}

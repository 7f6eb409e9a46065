import type { PageImage, PageImageOptions } from './page-image.ts';

/**
 * Draws a page of a document. Loads the libraries for that, which take long.
 * @returns undefined if the format has no pictures, or the document no such page
 * @throws FileParseError when the page cannot be read
 */
export const drawPage = async (bytes: Buffer, options: PageImageOptions): Promise<PageImage | undefined> =>
  (await import('./page-image.ts')).drawPageImage(bytes, options);

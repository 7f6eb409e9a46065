import type { PageImageOptions, PageWord } from '@redoubt/file-formats';

/** What a process that draws a page is to do. It names neither the file nor its dataset or people. */
export type PageTask = Omit<PageImageOptions, 'fileName'>;

/** What it writes as JSON; null if there is no such page. */
export interface DrawnPage {
  width: number;
  height: number;
  /** In base64. */
  jpeg: string;
  words: readonly PageWord[];
}

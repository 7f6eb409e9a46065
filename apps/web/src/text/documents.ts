import { formatNumber } from '@redoubt/ui';

/** The texts of documents: the gallery, and the reader of one. */
export const documentsText = {
  search: 'Search the pages',
  searchPlaceholder: 'Search in Lucene',
  submit: 'Search',
  clear: 'Clear',
  documents: 'Documents',
  documentCount: (count: number) => `${formatNumber(count)} ${count === 1 ? 'document' : 'documents'}`,
  pageCount: (count: number) => `${formatNumber(count)} matching ${count === 1 ? 'page' : 'pages'}`,
  failed: 'The documents could not be loaded',
  loading: 'Loading the documents',
  none: 'No documents that you see',
  noneHint: 'Import files and choose "Store as documents".',
  noMatch: 'No page matches',
  more: 'Show more',
  page: (page: number) => `Page ${formatNumber(page)}`,
  pageOf: (page: number, total: number) =>
    `Page ${formatNumber(page)} · you see ${formatNumber(total)} ${total === 1 ? 'page' : 'pages'}`,
  pictureArea: 'Picture',
  zoom: (part: number) => `${formatNumber(part * 100)} %`,
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  openPage: (name: string, page: number) => `${name}, page ${formatNumber(page)}`,
  noText: 'no text',
  pageTitle: (name: string) => `${name} · Redoubt`,
  back: 'All documents',
  previous: 'Previous page',
  next: 'Next page',
  download: 'Download the file',
  downloadFailed: 'The file cannot be opened',
  picture: (page: number) => `Picture of page ${formatNumber(page)}`,
  noPicture: 'There is no picture of this page.',
  video: (name: string) => `Video ${name}`,
  text: 'Text of the page',
  marks: (count: number) =>
    count === 0
      ? 'No match on this page'
      : `${formatNumber(count)} ${count === 1 ? 'match' : 'matches'} on this page`,
  wrongSearch: 'The search cannot be read',
  pageFailed: 'The page could not be loaded',
  loadingPage: 'Loading the page',
  absent: 'There is no such page',
  absentHint: 'It was deleted, or you may not see it.',
} as const;

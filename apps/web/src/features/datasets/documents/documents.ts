import type { Dataset } from '@redoubt/contract';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { keys } from '../../../api/keys.ts';
import type { Range } from './page-marks.ts';

const pagesAtOnce = 24;
/** An address is used again for as long as it is certainly valid. */
const addressMilliseconds = 4 * 60 * 1000;

/** Whether the dataset has records of documents that the person sees. */
export const hasDocuments = ({ schema }: Pick<Dataset, 'schema'>): boolean =>
  ['document_id', 'file_name', 'page', 'documentConversionType'].every((name) => name in schema);

/** A page of a document, as the console shows it. */
export interface DocumentPageRecord {
  readonly documentId: string;
  readonly fileName: string;
  readonly page: number;
  readonly text: string;
  readonly isVideo: boolean;
  /** A picture of the page in base64, if the server sent one. */
  readonly preview: string | undefined;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const toPage = (record: Readonly<Record<string, unknown>>): DocumentPageRecord => {
  const preview = textOf(record['previewBytes']);
  return {
    documentId: textOf(record['document_id']),
    fileName: textOf(record['file_name']),
    page: Number(record['page'] ?? 1),
    text: textOf(record['text']),
    isVideo: record['documentConversionType'] === 'VIDEO_PREVIEW',
    preview: preview === '' ? undefined : preview,
  };
};

/** The pages that match a search, or the first pages of all documents. */
export const useDocumentPages = (datasetId: string, q: string) =>
  useInfiniteQuery({
    queryKey: keys.documents(datasetId, q),
    initialPageParam: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ pageParam, signal }) => {
      const expression = q === '' ? 'page:1' : q;
      const { records, total } = await api.queryDocumentsLucene(
        { body: { datasetId, expression, limit: pagesAtOnce, offset: pageParam } },
        { signal },
      );
      return { pages: records.map(toPage), total };
    },
    getNextPageParam: ({ total }, loaded) =>
      loaded.length * pagesAtOnce < total ? loaded.length * pagesAtOnce : undefined,
  });

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
const ofPage = (documentId: string, page: number): string =>
  `document_id:${quoted(documentId)} AND page:${String(page)}`;

/** One page of a document; null if it is not visible to the person. */
export const useDocumentPage = (datasetId: string, documentId: string, page: number) =>
  useQuery({
    queryKey: keys.documentPage(datasetId, documentId, page),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const body = { datasetId, expression: ofPage(documentId, page), limit: 1 };
      const { records } = await api.queryLucene({ body }, { signal });
      return records[0] === undefined ? null : toPage(records[0]);
    },
  });

/** The ranges of the text of a page that a search matches. */
export const useMatches = (datasetId: string, documentId: string, page: number, q: string) =>
  useQuery({
    queryKey: [...keys.documentPage(datasetId, documentId, page), 'matches', q],
    enabled: q !== '',
    retry: false,
    queryFn: async ({ signal }): Promise<Range[]> => {
      const body = {
        datasetId,
        expression: `(${ofPage(documentId, page)}) AND (${q})`,
        limit: 1,
        highlight: true,
      };
      const { highlights } = await api.queryLucene({ body }, { signal });
      return (highlights?.[0]?.places ?? [])
        .filter(({ path }) => path.length === 1 && path[0] === 'text')
        .map(({ offset, length }) => ({ from: offset, to: offset + length }));
    },
  });

/** The numbers of the visible pages before and after a page. */
export const useNeighbors = (datasetId: string, documentId: string, page: number) =>
  useQuery({
    queryKey: [...keys.documentPage(datasetId, documentId, page), 'neighbors'],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const next = async (
        operator: 'at-least' | 'at-most',
        limitPage: number,
        direction: 'ascending' | 'descending',
      ): Promise<number | undefined> => {
        const { rows } = await api.readRows(
          {
            params: { id: datasetId },
            body: {
              filters: [
                { field: 'document_id', operator: 'is', values: [documentId] },
                { field: 'page', operator, values: [String(limitPage)] },
              ],
              sort: [{ field: 'page', direction }],
              fields: ['page'],
              limit: 1,
            },
          },
          { signal },
        );
        const value = rows[0]?.cells['page'];
        return value === undefined || value === null ? undefined : Number(value);
      };
      const [before, after] = await Promise.all([
        next('at-most', page - 1, 'descending'),
        next('at-least', page + 1, 'ascending'),
      ]);
      return { before, after };
    },
  });

/** The path of the picture of a page, or of the file; an error where there is none for the person. */
export const useMediaPath = (
  datasetId: string,
  documentId: string,
  pictureOf: number | undefined,
  isEnabled: boolean,
) =>
  useQuery({
    queryKey: [...keys.media(datasetId, documentId), pictureOf ?? 'file'],
    enabled: isEnabled,
    staleTime: addressMilliseconds,
    gcTime: addressMilliseconds,
    retry: false,
    queryFn: async ({ signal }) => {
      const { url } = await api.serveMedia(
        {
          params: { datasetId },
          query: { documentId, ...(pictureOf !== undefined && { preview: true, page: pictureOf }) },
        },
        { signal },
      );
      return new URL(url).pathname;
    },
  });

/** The words of a page with their boxes. */
export const usePageWords = (datasetId: string, documentId: string, page: number, isEnabled: boolean) =>
  useQuery({
    queryKey: [...keys.documentPage(datasetId, documentId, page), 'words'],
    enabled: isEnabled,
    retry: false,
    queryFn: ({ signal }) =>
      api.getDocumentPage({ params: { datasetId }, query: { documentId, page } }, { signal }),
  });

import type { Dataset } from '@redoubt/contract';
import type { TextRange } from '@redoubt/ui';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { keys } from '../../../api/keys.ts';

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
  /** Why the text is missing, if the document could not be read. */
  readonly textError: string;
  /** The document that contains this one, such as the mail of an attachment; empty if there is none. */
  readonly parentId: string;
  readonly isVideo: boolean;
  /** Whether there is a picture of the page, or a video; other documents have their text alone. */
  readonly hasPicture: boolean;
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
    textError: textOf(record['text_error']),
    parentId: textOf(record['parent_document_id']),
    isVideo: record['documentConversionType'] === 'VIDEO_PREVIEW',
    hasPicture: record['documentConversionType'] !== 'NONE',
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
    placeholderData: (before: DocumentPageRecord | null | undefined) =>
      before?.documentId === documentId ? before : undefined,
    queryFn: async ({ signal }) => {
      const body = { datasetId, expression: ofPage(documentId, page), limit: 1 };
      const { records } = await api.queryLucene({ body }, { signal });
      return records[0] === undefined ? null : toPage(records[0]);
    },
  });

/** How many documents inside a document are shown. */
const innerAtOnce = 50;

/** The visible documents that contain a document or are inside it, such as a mail and its attachments. */
export const useRelatedDocuments = (
  datasetId: string,
  { documentId, parentId }: Pick<DocumentPageRecord, 'documentId' | 'parentId'>,
) =>
  useQuery({
    queryKey: [...keys.documentPage(datasetId, documentId, 1), 'related', parentId],
    queryFn: async ({ signal }) => {
      const read = async (expression: string, limit: number): Promise<DocumentPageRecord[]> => {
        const { records } = await api.queryLucene({ body: { datasetId, expression, limit } }, { signal });
        return records.map(toPage);
      };
      const [outer, inner] = await Promise.all([
        parentId === '' ? [] : read(ofPage(parentId, 1), 1),
        read(`parent_document_id:${quoted(documentId)} AND page:1`, innerAtOnce),
      ]);
      return { outer: outer[0], inner };
    },
  });

/** The ranges of the text of a page that a search matches. */
export const useMatches = (datasetId: string, documentId: string, page: number, q: string) =>
  useQuery({
    queryKey: [...keys.documentPage(datasetId, documentId, page), 'matches', q],
    enabled: q !== '',
    retry: false,
    queryFn: async ({ signal }): Promise<TextRange[]> => {
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

/** How many pages on each side of a page are known, so that a person can turn several before the next response. */
const neighborsAtOnce = 20;

/** The visible pages of a document around a page. */
interface PagesAround {
  readonly documentId: string;
  /** Their numbers, in order. */
  readonly numbers: readonly number[];
  /** How many pages of the document the person sees. */
  readonly total: number;
}

const readPagesAround = async (
  datasetId: string,
  documentId: string,
  page: number,
  signal: AbortSignal,
): Promise<PagesAround> => {
  const read = async (operator: 'at-least' | 'less-than', direction: 'ascending' | 'descending') => {
    const { rows, total } = await api.readRows(
      {
        params: { id: datasetId },
        body: {
          filters: [
            { field: 'document_id', operator: 'is', values: [documentId] },
            { field: 'page', operator, values: [String(page)] },
          ],
          sort: [{ field: 'page', direction }],
          fields: ['page'],
          limit: neighborsAtOnce + 1,
        },
      },
      { signal },
    );
    return { total, numbers: rows.map((row) => Number(row?.cells['page'])) };
  };
  const [before, after] = await Promise.all([read('less-than', 'descending'), read('at-least', 'ascending')]);
  const numbers = [...before.numbers.toReversed(), ...after.numbers].filter(Number.isSafeInteger);
  return { documentId, numbers, total: before.total + after.total };
};

/** The numbers of the visible pages before and after a page, and how many pages the person sees. */
export const useNeighbors = (datasetId: string, documentId: string, page: number) => {
  const { data } = useQuery<PagesAround>({
    queryKey: [...keys.documentPage(datasetId, documentId, page), 'neighbors'],
    // The pages around an earlier page of the document include the next ones.
    placeholderData: (before: PagesAround | undefined) =>
      before?.documentId === documentId ? before : undefined,
    queryFn: ({ signal }) => readPagesAround(datasetId, documentId, page, signal),
  });
  return {
    before: data?.numbers.findLast((number) => number < page),
    after: data?.numbers.find((number) => number > page),
    total: data?.total,
  };
};

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

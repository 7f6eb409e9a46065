import { containsHiddenPath, isHiddenPath, type VisibleLabels } from '@redoubt/labels';
import type { RecordStore } from '@redoubt/records';
import { documentFields, type PageImages } from '../ingest/index.ts';
import type { DocumentFile, MediaRepository } from './media.repository.ts';

/** What a person sees of a dataset. */
export interface FileScope {
  datasetId: string;
  visible: VisibleLabels;
  /** The id of the account. */
  person: string;
}

/**
 * Finds the file of a document. The bytes contain all pages and all metadata, so the person must see all records that were
 * made of them, as they are labelled now, and all fields. A document inside another needs the records of the whole outermost
 * one, because its bytes are a part of that. A file with a record that was deleted or replaced stays closed,
 * because its bytes still contain what was removed.
 */
export type FindVisibleFile = (scope: FileScope, documentId: string) => Promise<DocumentFile | undefined>;

/** Whether a document has a picture of a page. Each page is a row of its file. */
export const hasPage = (
  { canDraw }: Pick<PageImages, 'canDraw'>,
  { format, pages }: DocumentFile,
  page: number,
): boolean => page <= pages && canDraw(format);

const fieldsOf = ({ customMetadata }: DocumentFile): string[] => [
  ...documentFields,
  ...Object.keys(JSON.parse(customMetadata ?? '{}') as object),
];

const hidesField = (hidden: readonly string[], field: string): boolean =>
  isHiddenPath(hidden, field) || containsHiddenPath(hidden, field);

export const createFindVisibleFile =
  ({
    repository,
    store,
  }: {
    repository: MediaRepository;
    store: Pick<RecordStore, 'countOfFile'>;
  }): FindVisibleFile =>
  async (scope, documentId) => {
    const file = await repository.find(scope.datasetId, documentId);
    // A document that does not exist is counted too, so that it takes as long.
    const counts = await store.countOfFile({ ...scope, file: file?.fileId ?? documentId, ...file?.needed });
    if (file === undefined || counts.total === 0) return undefined;
    if (counts.total !== file.needed.rows || counts.original !== counts.total) return undefined;
    if (fieldsOf(file).some((field) => hidesField(scope.visible.hidden, field))) return undefined;
    return file;
  };

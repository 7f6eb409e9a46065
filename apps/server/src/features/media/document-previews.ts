import { RedoubtError } from '@redoubt/errors';
import type { PageImages } from '../ingest/index.ts';
import { hasPage, type FileScope, type FindVisibleFile } from './visible-file.ts';

/**
 * Creates the function that returns the preview of a document for query results: a small JPEG of its first page in
 * base64. It is null for people who cannot see all of the document.
 */
export const createPreviewOf =
  ({ findFile, pages }: { findFile: FindVisibleFile; pages: PageImages }) =>
  async (scope: FileScope, documentId: string, signal: AbortSignal): Promise<string | null> => {
    const file = await findFile(scope, documentId);
    if (file === undefined || !hasPage(pages, file, 1)) return null;
    const picture = await pages
      .picture(file, 1, 'thumbnail', { accountId: scope.person, signal })
      .catch((error: unknown) => {
        // Too many pictures are being made. The records are complete without it.
        if (error instanceof RedoubtError && error.code === 429) return undefined;
        throw error;
      });
    // A page may have got another label while the picture was made.
    if (picture === undefined || (await findFile(scope, documentId)) === undefined) return null;
    return picture.bytes.toString('base64');
  };

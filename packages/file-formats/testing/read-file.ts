import type { ByteSource, FileOptions, OpenedFile, RejectedRow, Row } from '../src/file-format.ts';
import { openDocument } from '../src/documents/open-document.ts';
import { openFile } from '../src/open-file.ts';

/** A file in memory that is read in chunks of these sizes, by turns. */
export function bytesOf(content: string | Uint8Array, sizes: readonly number[] = [65_536]): ByteSource {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return {
    size: bytes.length,
    async *stream(from = 0) {
      let turn = 0;
      for (let at = from; at < bytes.length;) {
        const size = sizes[turn++ % sizes.length] ?? 1;
        yield bytes.subarray(at, at + size);
        at += size;
      }
    },
  };
}

export interface FileContent {
  opened: OpenedFile;
  all: (Row | RejectedRow)[];
  rows: Row[];
  rejects: RejectedRow[];
  /** The JSON of the rows. */
  json: string[];
  /** The error that reading ended with; undefined if it succeeded. */
  error: unknown;
}

/** Opens a file and reads all of it. Errors after the opening are returned, not thrown. */
export async function readFile(
  content: string | Uint8Array,
  options: Partial<FileOptions> = {},
  sizes?: readonly number[],
): Promise<FileContent> {
  const opened = await openFile(bytesOf(content, sizes), { fileName: 'a.csv', ...options });
  const all: (Row | RejectedRow)[] = [];
  let error: unknown;
  try {
    for await (const batch of opened.rows()) for (const row of batch) all.push(row);
  } catch (cause) {
    error = cause;
  }
  const rows = all.filter((row) => row.kind === 'row');
  const rejects = all.filter((row) => row.kind === 'reject');
  return { opened, all, rows, rejects, json: rows.map(({ json }) => json), error };
}

/** Opens a file as a document and reads its pages. */
export async function readDocument(
  content: string | Uint8Array,
  fileName: string,
  options: Partial<FileOptions> = {},
): Promise<{ format: string; pages: { page: number; text: string }[] }> {
  const opened = await openDocument(bytesOf(content), { ...options, fileName });
  const pages: { page: number; text: string }[] = [];
  for await (const batch of opened.rows())
    for (const row of batch)
      if (row.kind === 'row') pages.push(JSON.parse(row.json) as { page: number; text: string });
  return { format: opened.format, pages };
}

/** Opens a file as a document and reads its rows. */
export async function readDocumentRows(
  content: string | Uint8Array,
  fileName: string,
  options: Partial<FileOptions> = {},
  sizes?: readonly number[],
): Promise<(Row | RejectedRow)[]> {
  const opened = await openDocument(bytesOf(content, sizes), { ...options, fileName });
  const rows: (Row | RejectedRow)[] = [];
  for await (const batch of opened.rows()) rows.push(...batch);
  return rows;
}

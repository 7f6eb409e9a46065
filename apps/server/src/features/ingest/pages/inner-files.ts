import { fileURLToPath } from 'node:url';
import { ObjectNotFoundError, type ObjectStore } from '../../../platform/files/index.ts';
import type { ParserHost } from '../parser/start-parser.ts';
import type { DocumentParts } from './document-parts.ts';
import { runPageProgram } from './run-page-program.ts';

/** A document, and the stored file that it is or is inside of. */
export interface DrawnFile {
  fileId: string;
  format: string;
  /** The name of the stored file. */
  objectName: string;
  /** Where the document is inside the file, as `InnerDocument` has it; undefined if it is the file. */
  path?: string | undefined;
  /** The first row of the document in its file, counted from 0. */
  firstRow: number;
}

/** What a process is to do that copies a document out of a file. */
export interface InnerFileTask {
  /** As `InnerDocument` has it. */
  path: string;
}

type FileOfDocument = Pick<DrawnFile, 'fileId' | 'firstRow' | 'objectName' | 'path'>;

/** Copies documents out of the files that they are inside of, when they are first requested. Callers check who may see them. */
export interface InnerFiles {
  /** The name of the stored object with the bytes of a document, if there is one already. */
  known(file: FileOfDocument): Promise<string | undefined>;
  /** The same, made if need be; undefined if it cannot be made. */
  objectOf(file: FileOfDocument, signal: AbortSignal): Promise<string | undefined>;
}

const program = fileURLToPath(new URL('./inner-file-worker.ts', import.meta.url));
/** No document is larger than the largest file that is read as a whole. */
const maxBytes = 100_000_000;

export const createInnerFiles = ({
  files,
  parserHost,
  parts,
}: {
  files: Pick<ObjectStore, 'head' | 'open'>;
  parserHost: () => Promise<ParserHost>;
  parts: Pick<DocumentParts, 'keep' | 'nameOf'>;
}): InnerFiles => {
  const known: InnerFiles['known'] = async ({ fileId, firstRow, objectName, path }) => {
    if (path === undefined) return objectName;
    const name = await parts.nameOf(fileId, 'bytes', firstRow + 1);
    // A backup lacks copies that were made after it had copied the files.
    return name === undefined || (await files.head(name)) === undefined ? undefined : name;
  };

  return {
    known,
    objectOf: async (file, signal) => {
      const { fileId, firstRow, objectName, path } = file;
      const found = await known(file);
      if (found !== undefined || path === undefined) return found;
      try {
        const opened = await files.open(objectName);
        try {
          const task: InnerFileTask = { path };
          const bytes = await runPageProgram(await parserHost(), program, {
            descriptor: opened.fd,
            task,
            signal,
            maxBytes,
          });
          return bytes && (await parts.keep(fileId, 'bytes', firstRow + 1, bytes));
        } finally {
          await opened.close();
        }
      } catch (error) {
        // The file was deleted in the meantime.
        if (error instanceof ObjectNotFoundError) return undefined;
        throw error;
      }
    },
  };
};

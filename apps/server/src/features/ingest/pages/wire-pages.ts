import type { IngestOptions } from '@redoubt/contract';
import type { Db } from '../../../platform/db/database.ts';
import type { ObjectStore } from '../../../platform/files/index.ts';
import type { Runtime } from '../../../platform/runtime.ts';
import type { ObjectDrops } from '../object-drops.ts';
import {
  createRequireInstalled,
  engineFor,
  installedLanguages,
  MissingLanguageError,
  type RequireInstalled,
} from '../ocr/ocr-languages.ts';
import { createRecognize, type OcrEngine, type Recognize } from '../ocr/recognizer.ts';
import { createTesseractLibrary } from '../ocr/tesseract-library.ts';
import { findTesseract } from '../ocr/tesseract-program.ts';
import type { ParserHost } from '../parser/start-parser.ts';
import { createDocumentParts, type DocumentParts } from './document-parts.ts';
import { createDocumentPartRepository } from './document-parts.repository.ts';
import { createInnerFiles } from './inner-files.ts';
import { createPageImages, type PageImages } from './page-images.ts';
import { createVideoClips } from './video-clips.ts';

/** Wires what is made of the pages of documents: recognised text, words and pictures. */
export const wirePages = ({
  db,
  drops,
  files,
  ids,
  parserHost,
  avoidsTesseract,
  ocrLanguages,
}: {
  db: Db;
  drops: ObjectDrops;
  files: ObjectStore;
  ids: Runtime['ids'];
  parserHost: () => Promise<ParserHost>;
  avoidsTesseract: boolean;
  ocrLanguages: readonly string[];
}): {
  /** The name of what recognises text, for people. */
  engineName(): Promise<string>;
  pages: PageImages;
  parts: DocumentParts;
  recognize: Recognize;
  requireInstalled: RequireInstalled;
  /** The languages that are installed, and those of the setting. */
  languages(): Promise<Pick<IngestOptions, 'defaultOcrLanguages' | 'ocrLanguages'>>;
  /** Why the languages of the setting cannot be recognised; undefined if they can. */
  findLanguageProblem(): Promise<string | undefined>;
} => {
  const findEngines = async (): Promise<OcrEngine[]> => {
    const program = avoidsTesseract ? undefined : await findTesseract(parserHost);
    return [...(program === undefined ? [] : [program]), createTesseractLibrary(parserHost)];
  };
  let found: Promise<OcrEngine[]> | undefined;
  const engines = (): Promise<OcrEngine[]> => (found ??= findEngines());
  const parts = createDocumentParts({ drops, files, ids, repository: createDocumentPartRepository(db) });
  const innerFiles = createInnerFiles({ files, parserHost, parts });
  return {
    engineName: async () => (await engines())[0]?.name ?? 'nothing',
    pages: createPageImages({ clips: createVideoClips(parserHost), files, innerFiles, parserHost, parts }),
    parts,
    recognize: createRecognize(engines, ocrLanguages),
    requireInstalled: createRequireInstalled(engines),
    languages: async () => ({
      ocrLanguages: installedLanguages(await engines()),
      defaultOcrLanguages: [...ocrLanguages],
    }),
    findLanguageProblem: async () => {
      try {
        engineFor(await engines(), ocrLanguages);
        return undefined;
      } catch (error) {
        if (error instanceof MissingLanguageError) return error.message;
        throw error;
      }
    },
  };
};

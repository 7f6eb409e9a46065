import { strictObject } from '@redoubt/contract';
import type { Turn } from '@redoubt/file-formats';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { ObjectNotFoundError, type ObjectStore } from '../../../platform/files/index.ts';
import type { ParserHost } from '../parser/start-parser.ts';
import type { DocumentParts } from './document-parts.ts';
import { drawPageOf, PageWords, type PagePicture } from './draw-page.ts';

/** The words of a page as they are stored: with the size of the image that their boxes are for. */
const StoredWords = strictObject({
  turn: Type.Union([Type.Literal(0), Type.Literal(90), Type.Literal(180), Type.Literal(270)]),
  width: Type.Integer(),
  height: Type.Integer(),
  words: PageWords,
});
export type StoredWords = Static<typeof StoredWords>;

/** The stored file of a document. */
export interface DrawnFile {
  id: string;
  format: string;
  objectName: string;
}

/** Pixels of the longer side. */
const sizes = { page: 1600, thumbnail: 400 } as const;
export type PictureSize = keyof typeof sizes;

/** Pictures and words of the pages of documents. Callers check who may see the file. */
export interface PageImages {
  /** The picture of a page as JPEG, made when it is first requested; undefined if there is none. */
  picture(file: DrawnFile, page: number, size: PictureSize): Promise<Buffer | undefined>;
  /** The words of a page with their boxes; undefined if there is no such page, or it has no picture. */
  words(file: DrawnFile, page: number): Promise<StoredWords | undefined>;
}

/** How many pages are drawn at once. */
const maxConcurrency = 2;

export const createPageImages = ({
  files,
  parserHost,
  parts,
}: {
  files: Pick<ObjectStore, 'open'>;
  parserHost: () => Promise<ParserHost>;
  parts: DocumentParts;
}): PageImages => {
  const running = new Map<string, Promise<PagePicture | undefined>>();
  let free = maxConcurrency;
  const waiting: (() => void)[] = [];

  const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };

  const readWords = async (fileId: string, page: number): Promise<StoredWords | undefined> => {
    const stored = await parts.read(fileId, 'words', page);
    if (stored === undefined) return undefined;
    const words: unknown = JSON.parse(stored.toString('utf8'));
    return Value.Check(StoredWords, words) ? words : undefined;
  };

  const drawNew = async (
    { id, format, objectName }: DrawnFile,
    page: number,
    size: PictureSize,
  ): Promise<PagePicture | undefined> => {
    const turn: Turn = (await readWords(id, page))?.turn ?? 0;
    try {
      const opened = await files.open(objectName);
      try {
        const task = { format, page, maxSide: sizes[size], turn };
        const drawn = await drawPageOf(await parserHost(), opened.fd, task, new AbortController().signal);
        if (drawn !== undefined) await parts.keep(id, size, page, drawn.jpeg);
        return drawn;
      } finally {
        await opened.close();
      }
    } catch (error) {
      // The file was deleted in the meantime.
      if (error instanceof ObjectNotFoundError) return undefined;
      throw error;
    }
  };

  /** Draws a page once, however many requests wait for it. */
  const draw = (file: DrawnFile, page: number, size: PictureSize): Promise<PagePicture | undefined> => {
    const key = `${file.id} ${String(page)} ${size}`;
    const found = running.get(key);
    if (found !== undefined) return found;
    const drawing = inTurn(() => drawNew(file, page, size)).finally(() => running.delete(key));
    running.set(key, drawing);
    return drawing;
  };

  return {
    picture: async (file, page, size) =>
      (await parts.read(file.id, size, page)) ?? (await draw(file, page, size))?.jpeg,
    words: async (file, page) => {
      const known = await readWords(file.id, page);
      if (known !== undefined) return known;
      const drawn = await draw(file, page, 'page');
      if (drawn === undefined) return undefined;
      const { width, height, words } = drawn;
      const found: StoredWords = { turn: 0, width, height, words };
      await parts.keep(file.id, 'words', page, Buffer.from(JSON.stringify(found)));
      return found;
    },
  };
};

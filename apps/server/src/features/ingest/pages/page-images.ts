import { strictObject } from '@redoubt/contract';
import { documentFormatNamed, type DocumentKind, type Turn } from '@redoubt/file-formats';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { ObjectNotFoundError, type ObjectStore } from '../../../platform/files/index.ts';
import type { ParserHost } from '../parser/start-parser.ts';
import type { DocumentParts } from './document-parts.ts';
import { drawPageOf, PageWords, type PagePicture } from './draw-page.ts';
import type { VideoClips } from './video-clips.ts';

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

/** A picture as JPEG, or the first seconds of a video as WebM. */
export interface Picture {
  bytes: Buffer;
  mediaType: 'image/jpeg' | 'video/webm';
}

const webmStart = 0x1a;

const toPicture = (bytes: Buffer): Picture => ({
  bytes,
  mediaType: bytes[0] === webmStart ? 'video/webm' : 'image/jpeg',
});

/** Pictures and words of the pages of documents. Callers check who may see the file. */
export interface PageImages {
  /** Whether files of this format can have pictures on this system. */
  canDraw(format: string): boolean;
  /** The picture of a page, made when it is first requested; undefined if there is none. */
  picture(file: DrawnFile, page: number, size: PictureSize): Promise<Picture | undefined>;
  /** The words of a page with their boxes; undefined if there is no such page, or it has no picture. */
  words(file: DrawnFile, page: number): Promise<StoredWords | undefined>;
}

/** How many pages are drawn at once. */
const maxConcurrency = 2;

const kindOf = (format: string): DocumentKind => documentFormatNamed(format)?.kind ?? 'other';

/** What was drawn: its bytes, and the words of a page. */
interface Drawn {
  bytes: Buffer;
  page?: Omit<PagePicture, 'jpeg'>;
}

export const createPageImages = ({
  clips,
  files,
  parserHost,
  parts,
}: {
  clips: VideoClips;
  files: Pick<ObjectStore, 'open'>;
  parserHost: () => Promise<ParserHost>;
  parts: DocumentParts;
}): PageImages => {
  const running = new Map<string, Promise<Drawn | undefined>>();
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

  const drawFrom = async (
    descriptor: number,
    { id, format }: DrawnFile,
    page: number,
    size: PictureSize,
  ): Promise<Drawn | undefined> => {
    if (kindOf(format) === 'video') {
      const bytes = await clips.clip(descriptor, format, size);
      return bytes && { bytes };
    }
    const turn: Turn = (await readWords(id, page))?.turn ?? 0;
    const task = { format, page, maxSide: sizes[size], turn };
    const drawn = await drawPageOf(await parserHost(), descriptor, task, new AbortController().signal);
    if (drawn === undefined) return undefined;
    const { jpeg, ...rest } = drawn;
    return { bytes: jpeg, page: rest };
  };

  const drawNew = async (file: DrawnFile, page: number, size: PictureSize): Promise<Drawn | undefined> => {
    const { id, objectName } = file;
    try {
      const opened = await files.open(objectName);
      try {
        const drawn = await drawFrom(opened.fd, file, page, size);
        if (drawn !== undefined) await parts.keep(id, size, page, drawn.bytes);
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
  const draw = (file: DrawnFile, page: number, size: PictureSize): Promise<Drawn | undefined> => {
    const key = `${file.id} ${String(page)} ${size}`;
    const found = running.get(key);
    if (found !== undefined) return found;
    const drawing = inTurn(() => drawNew(file, page, size)).finally(() => running.delete(key));
    running.set(key, drawing);
    return drawing;
  };

  return {
    canDraw: (format) => {
      const kind = kindOf(format);
      return kind === 'pdf' || kind === 'image' || (kind === 'video' && clips.canClip(format));
    },
    picture: async (file, page, size) => {
      const bytes = (await parts.read(file.id, size, page)) ?? (await draw(file, page, size))?.bytes;
      return bytes && toPicture(bytes);
    },
    words: async (file, page) => {
      const known = await readWords(file.id, page);
      if (known !== undefined) return known;
      const drawn = (await draw(file, page, 'page'))?.page;
      if (drawn === undefined) return undefined;
      const { width, height, words } = drawn;
      const found: StoredWords = { turn: 0, width, height, words };
      await parts.keep(file.id, 'words', page, Buffer.from(JSON.stringify(found)));
      return found;
    },
  };
};

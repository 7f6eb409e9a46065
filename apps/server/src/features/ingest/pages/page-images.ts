import { documentFormatNamed, type DocumentKind, type Turn } from '@redoubt/file-formats';
import { Value } from 'typebox/value';
import { ObjectNotFoundError, type ObjectStore } from '../../../platform/files/index.ts';
import type { ParserHost } from '../parser/start-parser.ts';
import type { DocumentParts } from './document-parts.ts';
import { createDrawingQueue, type PageRequester } from './drawing-queue.ts';
import { drawPageOf, type PagePicture } from './draw-page.ts';
import type { InnerFiles, DrawnFile } from './inner-files.ts';
import { StoredWords } from './stored-words.ts';
import type { VideoClips } from './video-clips.ts';

export type { PageRequester } from './drawing-queue.ts';

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
  picture(
    file: DrawnFile,
    page: number,
    size: PictureSize,
    requester: PageRequester,
  ): Promise<Picture | undefined>;
  /** The words of a page with their boxes; undefined if there is no such page, or it has no picture. */
  words(file: DrawnFile, page: number, requester: PageRequester): Promise<StoredWords | undefined>;
  /** The name of the stored object with the bytes of a document; undefined if there is none. */
  objectOf(file: DrawnFile, requester: PageRequester): Promise<string | undefined>;
}

/** How many pages that could not be drawn are remembered, and how long: a busy machine may be the reason. */
const maxFailed = 10_000;
const failedMs = 10 * 60_000;

const kindOf = (format: string): DocumentKind => documentFormatNamed(format)?.kind ?? 'other';

/** What was drawn: its bytes, and the words of a page. */
interface Drawn {
  bytes: Buffer;
  page?: Omit<PagePicture, 'jpeg'>;
}

export const createPageImages = ({
  clips,
  files,
  innerFiles,
  parserHost,
  parts,
  now = () => performance.now(),
}: {
  clips: VideoClips;
  innerFiles: InnerFiles;
  files: Pick<ObjectStore, 'open'>;
  parserHost: () => Promise<ParserHost>;
  parts: DocumentParts;
  /** A clock in milliseconds. */
  now?: () => number;
}): PageImages => {
  const queue = createDrawingQueue<Drawn | undefined>();
  const copies = createDrawingQueue<string | undefined>();
  /** When pages could not be drawn, so that not everybody waits for them again. */
  const failed = new Map<string, number>();
  const rememberFailure = (key: string): void => {
    failed.delete(key);
    failed.set(key, now());
    const [oldest] = failed.keys();
    if (failed.size > maxFailed && oldest !== undefined) failed.delete(oldest);
  };

  const hasFailed = (key: string): boolean => now() - (failed.get(key) ?? -Infinity) < failedMs;

  const readWords = async (
    { fileId, firstRow }: DrawnFile,
    page: number,
  ): Promise<StoredWords | undefined> => {
    const stored = await parts.read(fileId, 'words', firstRow + page);
    if (stored === undefined) return undefined;
    const words: unknown = JSON.parse(stored.toString('utf8'));
    return Value.Check(StoredWords, words) ? words : undefined;
  };

  const drawFrom = async (
    descriptor: number,
    file: DrawnFile,
    page: number,
    size: PictureSize,
    signal: AbortSignal,
  ): Promise<Drawn | undefined> => {
    const { format } = file;
    if (kindOf(format) === 'video') {
      const bytes = await clips.clip(descriptor, format, size, signal);
      return bytes && { bytes };
    }
    const turn: Turn = (await readWords(file, page))?.turn ?? 0;
    const task = { format, page, maxSide: sizes[size], turn };
    const drawn = await drawPageOf(await parserHost(), descriptor, task, signal);
    if (drawn === undefined) return undefined;
    const { jpeg, ...rest } = drawn;
    return { bytes: jpeg, page: rest };
  };

  const drawNew = async (
    file: DrawnFile,
    page: number,
    size: PictureSize,
    signal: AbortSignal,
  ): Promise<Drawn | undefined> => {
    const { fileId, firstRow } = file;
    try {
      const objectName = await innerFiles.objectOf(file, signal);
      if (objectName === undefined) return undefined;
      const opened = await files.open(objectName);
      try {
        const drawn = await drawFrom(opened.fd, file, page, size, signal);
        if (drawn !== undefined) await parts.keep(fileId, size, firstRow + page, drawn.bytes);
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

  const draw = async (
    file: DrawnFile,
    page: number,
    size: PictureSize,
    requester: PageRequester,
  ): Promise<Drawn | undefined> => {
    const key = `${file.fileId} ${String(file.firstRow + page)} ${size}`;
    if (hasFailed(key)) return undefined;
    return queue.run(key, requester, async (signal) => {
      const drawn = await drawNew(file, page, size, signal);
      if (drawn === undefined) rememberFailure(key);
      return drawn;
    });
  };

  return {
    canDraw: (format) => {
      const kind = kindOf(format);
      return kind === 'pdf' || kind === 'image' || (kind === 'video' && clips.canClip(format));
    },
    picture: async (file, page, size, requester) => {
      const bytes =
        (await parts.read(file.fileId, size, file.firstRow + page)) ??
        (await draw(file, page, size, requester))?.bytes;
      return bytes && toPicture(bytes);
    },
    words: async (file, page, requester) => {
      const known = await readWords(file, page);
      if (known !== undefined) return known;
      const drawn = (await draw(file, page, 'page', requester))?.page;
      if (drawn === undefined) return undefined;
      const { width, height, words } = drawn;
      const found: StoredWords = { turn: 0, width, height, words };
      await parts.keepWords(file.fileId, file.firstRow + page, found);
      return found;
    },
    objectOf: async (file, requester) => {
      const known = await innerFiles.known(file);
      if (known !== undefined) return known;
      const key = `${file.fileId} ${String(file.firstRow)} copy`;
      if (hasFailed(key)) return undefined;
      return copies.run(key, requester, async (signal) => {
        const made = await innerFiles.objectOf(file, signal);
        if (made === undefined) rememberFailure(key);
        return made;
      });
    },
  };
};

import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { ObjectNotFoundError, type ObjectStore } from '../../../platform/files/index.ts';
import type { Runtime } from '../../../platform/runtime.ts';
import type { StoredWords } from './stored-words.ts';
import type { ObjectDrops } from '../object-drops.ts';
import type { DocumentPartRepository, PartKind } from './document-parts.repository.ts';

/** Stores what is made of the pages of documents, beside their files. It is deleted with the file. */
export interface DocumentParts {
  read(fileId: string, kind: PartKind, page: number): Promise<Buffer | undefined>;
  /** The name of the stored object; undefined if the part has not been made. */
  nameOf(fileId: string, kind: PartKind, page: number): Promise<string | undefined>;
  /**
   * @param page the row of the file, counted from 1
   * @returns the name of the stored object; undefined if the file is no longer stored
   */
  keep(fileId: string, kind: PartKind, page: number, content: Uint8Array): Promise<string | undefined>;
  keepWords(fileId: string, page: number, words: StoredWords): Promise<void>;
}

export const createDocumentParts = ({
  drops,
  files,
  ids,
  repository,
}: {
  drops: Pick<ObjectDrops, 'announce' | 'giveUp'>;
  files: Pick<ObjectStore, 'get' | 'put'>;
  ids: Runtime['ids'];
  repository: DocumentPartRepository;
}): DocumentParts => {
  const keep: DocumentParts['keep'] = async (fileId, kind, page, content) => {
    const name = `parts/${fileId}/${kind}-${String(page)}/${ids.uuid()}`;
    await drops.announce(name);
    try {
      await files.put(name, Readable.from([content]));
      if (await repository.set(fileId, kind, page, name)) return name;
    } catch (error) {
      await drops.giveUp([name]);
      throw error;
    }
    await drops.giveUp([name]);
    return undefined;
  };
  return {
    read: async (fileId, kind, page) => {
      const name = await repository.find(fileId, kind, page);
      if (name === undefined) return undefined;
      try {
        return await buffer(files.get(name));
      } catch (error) {
        // It was deleted with its file in the meantime.
        if (error instanceof ObjectNotFoundError) return undefined;
        throw error;
      }
    },
    nameOf: repository.find,
    keep,
    keepWords: async (fileId, page, words) => {
      await keep(fileId, 'words', page, Buffer.from(JSON.stringify(words)));
    },
  };
};

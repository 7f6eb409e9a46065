import { constants, createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  ObjectNotFoundError,
  ObjectStoreError,
  requireObjectName,
  requirePrefix,
  type ObjectStore,
  type ObjectSummary,
} from './object-store.ts';

export interface FolderStore extends ObjectStore {
  /** Removes everything but the stored files. Nothing can be stored afterwards. */
  tidy(): Promise<void>;
}

/** The folder of incomplete files. It cannot collide with a stored file, since no name begins with a dot. */
const drafts = '.drafts';

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
const isAbsent = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error));

const syncFolder = async (path: string): Promise<void> => {
  const handle = await open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const pathIn = (folder: string, name: string): string => join(folder, ...requireObjectName(name).split('/'));

/** Read access to a folder that nothing writes to. */
export const readFolder = (folder: string): Pick<ObjectStore, 'get' | 'head' | 'list'> => {
  const pathOf = (name: string): string => pathIn(folder, name);

  const head = async (name: string): Promise<ObjectSummary | undefined> => {
    try {
      const found = await stat(pathOf(name));
      return found.isFile() ? { name, size: found.size } : undefined;
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  };

  async function* filesIn(path: string, above: string, prefix: string): AsyncGenerator<ObjectSummary> {
    const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
      if (isAbsent(error)) return [];
      throw error;
    });
    const names = entries
      .filter((entry) => !entry.name.startsWith('.'))
      .map((entry) => (entry.isDirectory() ? `${above}${entry.name}/` : `${above}${entry.name}`));
    for (const name of names) {
      if (name.endsWith('/')) {
        const mayHold = name.startsWith(prefix) || prefix.startsWith(name);
        if (mayHold) yield* filesIn(join(folder, name), name, prefix);
      } else if (name.startsWith(prefix)) {
        const found = await head(name);
        if (found !== undefined) yield found;
      }
    }
  }

  return {
    head,
    async *get(name, range) {
      const found = await head(name);
      if (found === undefined) throw new ObjectNotFoundError(name);
      const { first = 0, last } = range ?? {};
      if (first >= found.size) return;
      const end = last === undefined ? {} : { end: last };
      for await (const chunk of createReadStream(pathOf(name), { start: first, ...end }))
        yield chunk as Buffer;
    },
    list: (prefix) => filesIn(folder, '', requirePrefix(prefix)),
  };
};

/** Creates the folders of a path, and syncs each parent so that they survive a power cut. */
const createFolders = async (path: string): Promise<void> => {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
};

/**
 * Stores files in a folder that only this process uses. Removes the incomplete files of a killed process.
 * @throws ObjectStoreError for a folder that cannot be written
 */
export const openFolderStore = async (folder: string): Promise<FolderStore> => {
  let written = 0;
  const pathOf = (name: string): string => pathIn(folder, name);
  try {
    await rm(join(folder, drafts), { recursive: true, force: true });
    await mkdir(join(folder, drafts), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ObjectStoreError(
      `Cannot write to the folder ${folder} (${codeOf(error)}). Give this user write access to it.`,
    );
  }

  const put = async (name: string, content: AsyncIterable<Uint8Array>): Promise<void> => {
    const path = pathOf(name);
    const draft = join(folder, drafts, String((written += 1)));
    try {
      await pipeline(content, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }));
      await createFolders(dirname(path));
      await rename(draft, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  };

  return {
    ...readFolder(folder),
    put,
    open: async (name) => {
      try {
        return await open(pathOf(name), constants.O_RDONLY);
      } catch (error) {
        throw isAbsent(error) ? new ObjectNotFoundError(name) : error;
      }
    },
    delete: (name) => rm(pathOf(name), { force: true }),
    tidy: () => rm(join(folder, drafts), { recursive: true, force: true }),
    close: () => undefined,
  };
};

import type { FileHandle } from 'node:fs/promises';

/** One place for whole files: a folder, or a bucket of an S3 service. */
export interface ObjectStore {
  /**
   * Stores a file under a name, in the place of one that is there. It is durable, and whole, when this resolves; when it
   * fails, what was there is there still.
   */
  put(name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /**
   * The bytes of a file, or of a part of it; nothing where the part lies beyond its end.
   * @throws ObjectMissingError with the first bytes asked for
   */
  get(name: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /**
   * Opens a file of this machine for reading in any order; one from elsewhere is copied first. The caller closes it.
   * @throws ObjectNotFoundError
   */
  open(name: string): Promise<FileHandle>;
  /** What is known of a file without reading it; undefined where there is none. */
  head(name: string): Promise<ObjectSummary | undefined>;
  /** Nothing happens where there is none. */
  delete(name: string): Promise<void>;
  /** All files whose names begin with a text, in no order to rely on. */
  list(prefix: string): AsyncIterable<ObjectSummary>;
  close(): void;
}

/** Bytes from the first, counted from 0, to the last, which is included; to the end without a last. */
export interface ByteRange {
  first: number;
  last?: number;
}

export interface ObjectSummary {
  name: string;
  /** Bytes. */
  size: number;
}

/** There is no file of this name. */
export class ObjectNotFoundError extends Error {
  constructor(name: string) {
    super(`There is no file "${name}".`);
  }
}

/** The place of the files cannot be used; the message is one line that says which and why. */
export class ObjectStoreError extends Error {}

const segment = '[A-Za-z0-9_][A-Za-z0-9._-]*';
const namePattern = new RegExp(`^${segment}(/${segment})*$`);
const prefixPattern = new RegExp(`^(${segment}/)*(${segment})?$`);
/** What both kinds of place hold: file systems end at 255 bytes a segment, S3 at 1024 a name. */
const longestName = 600;
const longestSegment = 200;
/** What stands in front of names within an area of a store, at the most. */
const longestArea = 100;

const isShort = (name: string, longest = longestName): boolean =>
  name.length <= longest && name.split('/').every((part) => part.length <= longestSegment);

/**
 * Names are segments of letters, digits, `.`, `_` and `-` with `/` between, none of which begins with `.` or `-`: so no name
 * leads out of its place, or means another thing to a file system. No name may be another's folder.
 * @throws Error for any other
 */
export const requireObjectName = (name: string): string => {
  if (!namePattern.test(name) || !isShort(name)) throw new Error(`"${name}" is no name of a file.`);
  return name;
};

/** @throws Error for a text that no name begins with */
export const requirePrefix = (prefix: string): string => {
  if (!prefixPattern.test(prefix) || !isShort(prefix))
    throw new Error(`"${prefix}" is no beginning of names of files.`);
  return prefix;
};

/** The names of a store that begin with a text (`a/b/`), as a store of its own. */
export const prefixObjectStore = (store: ObjectStore, prefix: string): ObjectStore => {
  const named = (name: string): string => {
    if (!isShort(requireObjectName(name), longestName - longestArea))
      throw new Error(`"${name}" is no name of a file.`);
    return prefix + name;
  };
  return {
    put: (name, content) => store.put(named(name), content),
    get: (name, range) => store.get(named(name), range),
    open: (name) => store.open(named(name)),
    head: async (name) => {
      const found = await store.head(named(name));
      return found === undefined ? undefined : { ...found, name };
    },
    delete: (name) => store.delete(named(name)),
    async *list(start) {
      for await (const found of store.list(prefix + requirePrefix(start)))
        yield { ...found, name: found.name.slice(prefix.length) };
    },
    close: () => store.close(),
  };
};

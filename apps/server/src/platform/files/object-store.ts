import type { FileHandle } from 'node:fs/promises';

/** Stores whole files: in a folder, or in a bucket of an S3 service. */
export interface ObjectStore {
  /**
   * Stores a file, replacing one of the same name. When this resolves, the file is complete and durable; when it
   * rejects, the old file is unchanged.
   */
  put(name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /**
   * The bytes of a file, or of a range of it; nothing if the range lies beyond its end.
   * @throws ObjectNotFoundError when the first bytes are read
   */
  get(name: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /**
   * Opens a file for reading in any order. A file that is not on this machine is copied to a temporary file first. The
   * caller closes it.
   * @throws ObjectNotFoundError
   */
  open(name: string): Promise<FileHandle>;
  /** Name and size of a file; undefined if it does not exist. */
  head(name: string): Promise<ObjectSummary | undefined>;
  /** Deletes a file; does nothing if it does not exist. */
  delete(name: string): Promise<void>;
  /** All files whose names begin with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<ObjectSummary>;
  close(): void;
}

/** The bytes from `first`, counted from 0, up to and including `last`; without `last`, to the end. */
export interface ByteRange {
  first: number;
  last?: number;
}

export interface ObjectSummary {
  name: string;
  /** Bytes. */
  size: number;
}

/** There is no file with this name. */
export class ObjectNotFoundError extends Error {
  constructor(name: string) {
    super(`There is no file "${name}".`);
  }
}

/** The store cannot be used; the message is one line that says which store, why, and what to do. */
export class ObjectStoreError extends Error {}

const segment = '[A-Za-z0-9_][A-Za-z0-9._-]*';
const namePattern = new RegExp(`^${segment}(/${segment})*$`);
const prefixPattern = new RegExp(`^(${segment}/)*(${segment})?$`);
/** Limits that both kinds of store can hold: file systems allow 255 bytes per segment, S3 allows 1024 per name. */
const maxNameLength = 600;
const maxSegmentLength = 200;
/** Maximum length of the prefix of `prefixObjectStore`. */
const maxPrefixLength = 100;

const isShortEnough = (name: string, maxLength = maxNameLength): boolean =>
  name.length <= maxLength && name.split('/').every((part) => part.length <= maxSegmentLength);

/**
 * Checks a file name: segments of letters, digits, `.`, `_` and `-`, separated by `/`, none of which begins with `.` or
 * `-`. So no name leads out of the store or has a special meaning to a file system. A name must not be the folder of
 * another name.
 * @throws Error for any other name
 */
export const requireObjectName = (name: string): string => {
  if (!namePattern.test(name) || !isShortEnough(name)) throw new Error(`"${name}" is not a valid file name.`);
  return name;
};

/** @throws Error for a text that no valid name begins with */
export const requirePrefix = (prefix: string): string => {
  if (!prefixPattern.test(prefix) || !isShortEnough(prefix))
    throw new Error(`"${prefix}" is not a valid prefix of file names.`);
  return prefix;
};

/** The files of a store whose names begin with `prefix` (such as `a/b/`), as a store of its own without the prefix. */
export const prefixObjectStore = (store: ObjectStore, prefix: string): ObjectStore => {
  const withPrefix = (name: string): string => {
    if (!isShortEnough(requireObjectName(name), maxNameLength - maxPrefixLength))
      throw new Error(`"${name}" is not a valid file name.`);
    return prefix + name;
  };
  return {
    put: (name, content) => store.put(withPrefix(name), content),
    get: (name, range) => store.get(withPrefix(name), range),
    open: (name) => store.open(withPrefix(name)),
    head: async (name) => {
      const found = await store.head(withPrefix(name));
      return found === undefined ? undefined : { ...found, name };
    },
    delete: (name) => store.delete(withPrefix(name)),
    async *list(start) {
      for await (const found of store.list(prefix + requirePrefix(start)))
        yield { ...found, name: found.name.slice(prefix.length) };
    },
    close: () => store.close(),
  };
};

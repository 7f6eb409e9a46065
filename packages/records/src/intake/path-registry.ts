import {
  fieldCode,
  isDocPath,
  kindBit,
  numberMarker,
  textMarker,
  type Kind,
  type NumberFlag,
  type PathEntry,
} from '@redoubt/query';

/** A known path of the dataset: its id, and the mask of the kinds of its values. */
export interface KnownPath {
  id: number;
  path: string;
  kinds: number;
}

/** A path of the dataset during one write, with the texts that rows consist of. */
export interface PathInWrite {
  path: string;
  /** Its id; for a new path, the id that it gets unless another write adds a path in the meantime. */
  id: number;
  /** The mask of kinds that were known before or appear in this write. */
  knownKinds: number;
  kinds: number;
  /** Whether rows of replacements get what is stored for this path from the record that they replace. */
  isCarried: boolean;
  /** `"path":`, or empty if `doc` cannot store a value here. */
  docKey: string;
  textMark: string;
  numberMark: string;
  /** The texts of `fieldCode`, by kind and top-level bit, each with a comma; created on demand. */
  codes: (string | undefined)[];
  /** For each code, the last record with it, so that a record lists each code once. */
  seenIn: number[];
  /** The last record with a value in `doc` here. */
  docIn: number;
}

/** A key at one place in records. Two places may have the same path: {"a.b":1} and {"a":{"b":1}}. */
export interface PathNode {
  entry: PathInWrite;
  isTop: boolean;
  children: Map<string, PathNode>;
  /** The last object with this key, to detect duplicate keys. */
  seenIn: number;
}

export interface PathRegistry {
  /** The node of a top-level key. */
  top(key: string): PathNode;
  child(parent: PathNode, key: string): PathNode;
  /** All paths of this write. */
  used(): Iterable<PathInWrite>;
}

/** A path of a write with all its known kinds; new paths have the ids that they are expected to get. */
export interface WrittenPath {
  path: string;
  id: number;
  kinds: number;
  isNew: boolean;
  isWider: boolean;
}

export const pathsOf = (book: PathRegistry, known: ReadonlyMap<string, PathEntry>): WrittenPath[] =>
  Array.from(book.used(), ({ path, id, kinds, knownKinds }) => ({
    path,
    id,
    kinds,
    isNew: id >= known.size,
    isWider: (kinds | knownKinds) !== knownKinds,
  }));

const topBit = 16;

/**
 * Collects the paths of one write. New paths get the ids after the known ones, in the order of appearance.
 * @param onNew called for each new path; throws to reject it
 * @param isCarried whether the path is carried over from replaced records
 */
export function createPathRegistry(
  known: ReadonlyMap<string, PathEntry>,
  onNew?: (path: string, used: number) => void,
  isCarried: (path: string) => boolean = () => false,
): PathRegistry {
  const entries = new Map<string, PathInWrite>();
  const roots = new Map<string, PathNode>();
  let nextId = known.size;

  function entryOf(path: string): PathInWrite {
    const found = entries.get(path);
    if (found !== undefined) return found;
    onNew?.(path, entries.size + 1);
    const before = known.get(path);
    const entry =
      before === undefined
        ? createPathInWrite(path, nextId, 0, makeTexts(path, nextId++))
        : createPathInWrite(path, before.pathId, before.kinds, textsOf(path, before));
    entry.isCarried = isCarried(path);
    entries.set(path, entry);
    return entry;
  }

  const nodeOf = (path: string, isTop: boolean): PathNode => ({
    entry: entryOf(path),
    isTop,
    children: new Map(),
    seenIn: -1,
  });

  return {
    top(key) {
      let node = roots.get(key);
      if (node === undefined) roots.set(key, (node = nodeOf(key, true)));
      return node;
    },
    child(parent, key) {
      let node = parent.children.get(key);
      if (node === undefined) parent.children.set(key, (node = nodeOf(`${parent.entry.path}.${key}`, false)));
      return node;
    },
    used: () => entries.values(),
  };
}

type PathTexts = Pick<PathInWrite, 'docKey' | 'textMark' | 'numberMark' | 'codes'>;

const makeTexts = (path: string, id: number): PathTexts => ({
  docKey: isDocPath(path) ? `"${path}":` : '',
  textMark: `${textMarker(id)} `,
  numberMark: `${numberMarker(id)} `,
  codes: [],
});

/** Caches the texts of known paths, because many writes have only one record. */
const knownTexts = new WeakMap<PathEntry, PathTexts>();

function textsOf(path: string, known: PathEntry): PathTexts {
  let texts = knownTexts.get(known);
  if (texts === undefined) knownTexts.set(known, (texts = makeTexts(path, known.pathId)));
  return texts;
}

const createPathInWrite = (path: string, id: number, kinds: number, texts: PathTexts): PathInWrite => ({
  path,
  id,
  knownKinds: kinds,
  kinds,
  isCarried: false,
  docKey: texts.docKey,
  textMark: texts.textMark,
  numberMark: texts.numberMark,
  codes: texts.codes,
  seenIn: [],
  docIn: -1,
});

/**
 * Records that a record has a kind at a path. Returns the text of the code if it is new in this record, otherwise ''.
 */
export function recordKind(node: PathNode, kind: Kind | NumberFlag, record: number): string {
  const { entry } = node;
  const code = node.isTop ? kind + topBit : kind;
  if (entry.seenIn[code] === record) return '';
  entry.seenIn[code] = record;
  entry.kinds |= kindBit(kind);
  return (entry.codes[code] ??= `${String(fieldCode(entry.id, kind, node.isTop))},`);
}

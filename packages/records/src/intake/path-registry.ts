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

/** A path that the dataset knows: its id, and the mask of kinds seen there. */
export interface KnownPath {
  id: number;
  path: string;
  kinds: number;
}

/** One path of the dataset during one write, with the texts that rows are made of. */
export interface PathInWrite {
  path: string;
  /** Its id; for a path that is new, the one it gets when nobody else adds a path meanwhile. */
  id: number;
  /** Mask of kinds: those known before, and those of this write. */
  knownKinds: number;
  kinds: number;
  /** `"path":`, or nothing when `doc` cannot hold a value here. */
  docKey: string;
  textMark: string;
  numberMark: string;
  /** The texts of `fieldCode`, by kind and the bit of the top level, each followed by a comma; made when first asked for. */
  codes: (string | undefined)[];
  /** For each code: the last record that had it, so that a record has each code once. */
  seenIn: number[];
  /** The last record whose `doc` got a value here. */
  docIn: number;
}

/** A key at one place of the nesting. Two places may share one path: {"a.b":1} and {"a":{"b":1}}. */
export interface PathNode {
  entry: PathInWrite;
  isTop: boolean;
  children: Map<string, PathNode>;
  /** The last object that had this key, to tell duplicate keys. */
  seenIn: number;
}

export interface PathRegistry {
  /** The node of a key at the top of a record. */
  top(key: string): PathNode;
  child(parent: PathNode, key: string): PathNode;
  /** Every path of this write. */
  used(): Iterable<PathInWrite>;
}

/** A path of a write with its kinds, those known before included; new ones have the ids that they are expected to get. */
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
 * The paths of one write. New paths get the ids that follow the known ones, in the order in which they are met.
 * @param onNew called for each path that this write meets first; throws to refuse it
 */
export function createPathRegistry(
  known: ReadonlyMap<string, PathEntry>,
  onNew?: (path: string, used: number) => void,
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

/** The texts of paths that a dataset knows stay the same, and many writes have a single record. */
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
  docKey: texts.docKey,
  textMark: texts.textMark,
  numberMark: texts.numberMark,
  codes: texts.codes,
  seenIn: [],
  docIn: -1,
});

/** Notes that a record has a kind at a path; the text of its code when it is the first time in this record. */
export function recordKind(node: PathNode, kind: Kind | NumberFlag, record: number): string {
  const { entry } = node;
  const code = node.isTop ? kind + topBit : kind;
  if (entry.seenIn[code] === record) return '';
  entry.seenIn[code] = record;
  entry.kinds |= kindBit(kind);
  return (entry.codes[code] ??= `${String(fieldCode(entry.id, kind, node.isTop))},`);
}

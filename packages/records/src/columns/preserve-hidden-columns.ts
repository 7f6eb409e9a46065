import { readHiddenTree, type HiddenMember, type HiddenObject, type HiddenTree } from './hidden-tree.ts';

type Kept = Pick<HiddenMember, 'keyText' | 'value'>;

/**
 * The text of a record that replaces another, with the columns hidden from its writer as they were. They stay where they
 * were in objects that are there still (once), and in lists that are as long as before; otherwise they come to stand at the
 * end of the record under their path.
 * @param text a record without spaces between its tokens, and without hidden columns
 * @param part what is hidden in the record that it replaces, as `createHiddenPartReader` reads it
 */
export function preserveHiddenColumns(text: string, part: string, hidden: readonly string[]): string {
  const bytes = Buffer.from(text);
  const record = readHiddenTree(bytes, hidden);
  const added = new Map<HiddenObject, Kept[]>();
  const lost = new Map<string, Kept[]>();
  keep(record, readHiddenTree(Buffer.from(part), hidden), '', added, lost);
  if (record?.kind === 'object' && lost.size > 0) {
    for (const [path, all] of lost) listIn(added, record).push(together(path, all));
  }
  return print(bytes, added);
}

/**
 * Notes which members come into which objects of a record.
 * @param path the keys down to here, each followed by a dot
 * @param lost the members whose object is gone, by path
 */
function keep(
  into: HiddenTree | undefined,
  from: HiddenTree | undefined,
  path: string,
  added: Map<HiddenObject, Kept[]>,
  lost: Map<string, Kept[]>,
): void {
  if (from?.kind === 'list') {
    const items = into?.kind === 'list' && into.items.length === from.items.length ? into.items : [];
    for (const [index, item] of from.items.entries()) keep(items[index], item, path, added, lost);
    return;
  }
  const object = into?.kind === 'object' ? into : undefined;
  const inside = treesByKey(object);
  for (const { isHidden, key, keyText, value, tree } of from?.members ?? []) {
    const inner = `${path}${key}`;
    if (!isHidden) keep(inside.get(key), tree, `${inner}.`, added, lost);
    else if (object === undefined) listIn(lost, inner).push({ keyText, value });
    else listIn(added, object).push({ keyText, value });
  }
}

/** Of a key that is there twice, searches see one and statements the other: what is kept stands beside both. */
function treesByKey(object: HiddenObject | undefined): Map<string, HiddenTree | undefined> {
  const trees = new Map<string, HiddenTree | undefined>();
  for (const { key, tree } of object?.members ?? []) trees.set(key, trees.has(key) ? undefined : tree);
  return trees;
}

/** One member for a path; values that stood in lists make a list. */
function together(path: string, all: readonly Kept[]): Kept {
  const keyText = Buffer.from(JSON.stringify(path));
  const [only] = all;
  if (only !== undefined && all.length === 1) return { keyText, value: only.value };
  const values = all.flatMap(({ value }, index) => (index === 0 ? [value] : [comma, value]));
  return { keyText, value: Buffer.concat([Buffer.from('['), ...values, Buffer.from(']')]) };
}

const comma = Buffer.from(',');
const colon = Buffer.from(':');

/** The record with the members in front of the closing brackets of their objects. */
function print(record: Buffer, added: ReadonlyMap<HiddenObject, readonly Kept[]>): string {
  const pieces: Buffer[] = [];
  let from = 0;
  for (const [{ end, isEmpty }, members] of [...added].toSorted(([a], [b]) => a.end - b.end)) {
    pieces.push(record.subarray(from, end));
    for (const [index, { keyText, value }] of members.entries()) {
      if (!isEmpty || index > 0) pieces.push(comma);
      pieces.push(keyText, colon, value);
    }
    from = end;
  }
  pieces.push(record.subarray(from));
  return Buffer.concat(pieces).toString('utf8');
}

function listIn<Key>(lists: Map<Key, Kept[]>, key: Key): Kept[] {
  let list = lists.get(key);
  if (list === undefined) lists.set(key, (list = []));
  return list;
}

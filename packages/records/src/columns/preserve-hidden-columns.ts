import type { SortedPaths } from '@redoubt/labels';
import { readHiddenTree, type HiddenMember, type HiddenObject, type HiddenTree } from './hidden-tree.ts';

type Kept = Pick<HiddenMember, 'keyText' | 'value'>;

/**
 * Adds to a record the hidden columns of the record that it replaces. A hidden column stays in the object that
 * contained it if the new record has that object exactly once, and if the arrays around it are as long as before.
 * Otherwise it becomes a member at the end of the record, with its whole path as the key.
 * @param text the new record, without spaces between its tokens and without hidden columns
 * @param part the hidden part of the replaced record, from `createHiddenPartReader`
 */
export function preserveHiddenColumns(text: string, part: string, hidden: SortedPaths): string {
  const bytes = Buffer.from(text);
  const record = readHiddenTree(bytes, hidden);
  const added = new Map<HiddenObject, Kept[]>();
  const lost = new Map<string, Kept[]>();
  placeHidden(record, readHiddenTree(Buffer.from(part), hidden), '', added, lost);
  if (record?.kind === 'object' && lost.size > 0) {
    for (const [path, values] of lost) listOf(added, record).push(memberFor(path, values));
  }
  return print(bytes, added);
}

/**
 * Decides for each hidden member of `from` which object of `into` gets it.
 * @param path the keys from the root to here, each followed by a dot
 * @param added collects the members by the object that gets them
 * @param lost collects the members whose object no longer exists, by path
 */
function placeHidden(
  into: HiddenTree | undefined,
  from: HiddenTree | undefined,
  path: string,
  added: Map<HiddenObject, Kept[]>,
  lost: Map<string, Kept[]>,
): void {
  if (from?.kind === 'list') {
    const items = into?.kind === 'list' && into.items.length === from.items.length ? into.items : [];
    for (const [index, item] of from.items.entries()) placeHidden(items[index], item, path, added, lost);
    return;
  }
  const object = into?.kind === 'object' ? into : undefined;
  const inside = treesByKey(object);
  for (const { isHidden, key, keyText, value, tree } of from?.members ?? []) {
    const inner = `${path}${key}`;
    if (!isHidden) placeHidden(inside.get(key), tree, `${inner}.`, added, lost);
    else if (object === undefined) listOf(lost, inner).push({ keyText, value });
    else listOf(added, object).push({ keyText, value });
  }
}

/**
 * The subtrees of an object by key. A key that occurs twice has none, because searches read one of its values and SQL
 * the other; hidden columns inside it then become members at the end of the record.
 */
function treesByKey(object: HiddenObject | undefined): Map<string, HiddenTree | undefined> {
  const trees = new Map<string, HiddenTree | undefined>();
  for (const { key, tree } of object?.members ?? []) trees.set(key, trees.has(key) ? undefined : tree);
  return trees;
}

/** Makes one member for a path. If there are several values, they become an array. */
function memberFor(path: string, members: readonly Kept[]): Kept {
  const keyText = Buffer.from(JSON.stringify(path));
  const [only] = members;
  if (only !== undefined && members.length === 1) return { keyText, value: only.value };
  const values = members.flatMap(({ value }, index) => (index === 0 ? [value] : [comma, value]));
  return { keyText, value: Buffer.concat([Buffer.from('['), ...values, Buffer.from(']')]) };
}

const comma = Buffer.from(',');
const colon = Buffer.from(':');

/** Prints the record, with the added members before the closing brackets of their objects. */
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

function listOf<Key>(lists: Map<Key, Kept[]>, key: Key): Kept[] {
  let list = lists.get(key);
  if (list === undefined) lists.set(key, (list = []));
  return list;
}

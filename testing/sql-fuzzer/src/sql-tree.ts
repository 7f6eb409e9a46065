/** What stands where: only a part of the same kind can take its place. */
export type SqlTree = string | SqlPart;

/** A part of a generated statement, kept as a tree so that a statement that fails can be made smaller. */
export interface SqlPart {
  readonly kind: string;
  readonly parts: readonly SqlTree[];
  /** It may be left out. */
  readonly optional?: boolean;
  /** Smaller parts that may always stand in its place. */
  readonly simpler?: readonly SqlTree[];
}

export const part = (kind: string, ...parts: SqlTree[]): SqlPart => ({ kind, parts });
export const optional = (...parts: SqlTree[]): SqlPart => ({ kind: 'optional', parts, optional: true });

/** The text of a statement. Names of nested fields stand between « and ». */
export const treeText = (tree: SqlTree): string =>
  typeof tree === 'string' ? tree : tree.parts.map(treeText).join('');

/** As one writes it to Redoubt: a nested field is a path. */
export const ourText = (text: string): string => text.replaceAll(/[«»]/g, '');

/** As one writes it to PostgreSQL, where the table has a column with the path as its name. */
export const postgresText = (text: string): string => text.replaceAll(/[«»]/g, '"');

function* descendants(tree: SqlTree): Generator<SqlPart> {
  if (typeof tree === 'string') return;
  yield tree;
  for (const child of tree.parts) yield* descendants(child);
}

const replaced = (tree: SqlTree, from: SqlPart, to: SqlTree): SqlTree => {
  if (tree === from) return to;
  if (typeof tree === 'string') return tree;
  const parts = tree.parts.map((child) => replaced(child, from, to));
  return parts.every((child, i) => child === tree.parts[i]) ? tree : { ...tree, parts };
};

/** Statements that are a little smaller, the boldest first. */
function* smaller(tree: SqlTree): Generator<SqlTree> {
  for (const node of descendants(tree)) {
    if (node.optional === true) yield replaced(tree, node, '');
    for (const simple of node.simpler ?? []) yield replaced(tree, node, simple);
    for (const inner of descendants(node)) {
      if (inner !== node && inner.kind === node.kind && node.optional !== true)
        yield replaced(tree, node, inner);
    }
  }
}

/** Makes a failing statement as small as it can be found in `tries` attempts. */
export async function shrink(
  tree: SqlTree,
  fails: (tree: SqlTree) => Promise<boolean>,
  tries: number,
): Promise<SqlTree> {
  let smallest = tree;
  let left = tries;
  search: for (;;) {
    const length = treeText(smallest).length;
    for (const candidate of smaller(smallest)) {
      if (treeText(candidate).length >= length) continue;
      if (left-- <= 0) return smallest;
      if (await fails(candidate)) {
        smallest = candidate;
        continue search;
      }
    }
    return smallest;
  }
}

/** A generated statement as a tree, so that a failing statement can be shortened. */
export type SqlTree = string | SqlPart;

/** A part of a statement. Shortening replaces a part only by a part of the same kind. */
export interface SqlPart {
  readonly kind: string;
  readonly parts: readonly SqlTree[];
  /** Whether it can be left out. */
  readonly optional?: boolean;
  /** Smaller parts that can always replace it. */
  readonly simpler?: readonly SqlTree[];
}

export const part = (kind: string, ...parts: SqlTree[]): SqlPart => ({ kind, parts });
/** Creates a part that a statement can do without. */
export const optional = (...parts: SqlTree[]): SqlPart => ({ kind: 'optional', parts, optional: true });

/** The text of a tree. Names of nested fields are between « and »; see `ourText` and `postgresText`. */
export const treeText = (tree: SqlTree): string =>
  typeof tree === 'string' ? tree : tree.parts.map(treeText).join('');

/** The statement for Redoubt, where a nested field is a path. */
export const ourText = (text: string): string => text.replaceAll(/[«»]/g, '');

/** The statement for PostgreSQL, where the path is the name of a column. */
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

/** Generates slightly smaller statements, starting with the largest reductions. */
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

/** Shortens a failing statement as far as possible within `tries` attempts. */
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

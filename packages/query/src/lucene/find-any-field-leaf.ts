import type { LuceneNode, PatternNode, RegexLeafNode, TermNode } from './lucene-node.ts';

/** Finds the first leaf that searches all fields, for datasets on which such searches are disabled. */
export function findAnyFieldLeaf(tree: LuceneNode): PatternNode | RegexLeafNode | TermNode | undefined {
  switch (tree.type) {
    case 'term':
    case 'pattern':
    case 'regex':
      return tree.field === null ? tree : undefined;
    case 'boolean':
      for (const { node } of tree.clauses) {
        const found = findAnyFieldLeaf(node);
        if (found !== undefined) return found;
      }
      return undefined;
    case 'all':
    case 'exists':
    case 'range':
      return undefined;
  }
}

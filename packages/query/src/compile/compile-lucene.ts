import type { BooleanNode, LuceneNode } from '../lucene/lucene-node.ts';
import { compileAnyPattern, compileAnyRegex, compilePattern, compileRegex } from './compile-pattern.ts';
import { createSearchPath, type SearchPath } from './path.ts';
import { allOf, trueLiteral, anyOf, falseLiteral, noneOf } from './predicate.ts';
import { compileRange } from './compile-range.ts';
import type { VisiblePaths } from './visible-paths.ts';
import { mergeIndexLookups } from './word-predicates.ts';
import { compileAnyTerm, compileExists, compileTerm } from './compile-term.ts';

/** Compiles a search to a predicate, without the label predicate. Paths that are not in the catalog match nothing. */
export function compileLucene(tree: LuceneNode, paths: VisiblePaths): string {
  switch (tree.type) {
    case 'all':
      return trueLiteral;
    case 'boolean':
      return compileBoolean(tree, paths);
    case 'exists':
      return onPath(paths, tree.field, compileExists);
    case 'range':
      return onPath(paths, tree.field, (path) => compileRange(path, tree));
    case 'term':
      return tree.field === null
        ? compileAnyTerm(tree.text, paths.hidden)
        : onPath(paths, tree.field, (path) => compileTerm(path, tree.text));
    case 'pattern':
      return tree.field === null
        ? compileAnyPattern(tree.parts, paths.hidden)
        : onPath(paths, tree.field, (path) => compilePattern(path, tree.parts));
    case 'regex':
      return tree.field === null
        ? compileAnyRegex(tree.regex, paths.hidden)
        : onPath(paths, tree.field, (path) => compileRegex(path, tree.regex));
  }
}

function onPath(paths: VisiblePaths, field: string, compile: (path: SearchPath) => string): string {
  const entry = paths.get(field);
  return entry === undefined ? falseLiteral : compile(createSearchPath(field, entry, paths.byPath));
}

function compileBoolean({ clauses }: BooleanNode, paths: VisiblePaths): string {
  const compiled = (occur: string): string[] =>
    clauses.filter((clause) => clause.occur === occur).map(({ node }) => compileLucene(node, paths));
  const must = compiled('must');
  const should = compiled('should');
  return allOf([
    ...must,
    ...(must.length === 0 && should.length > 0 ? [anyOf(mergeIndexLookups(should))] : []),
    ...compiled('mustNot').map(noneOf),
  ]);
}

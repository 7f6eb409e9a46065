import ts from 'typescript';

/** Attributes of components whose text people read. */
const readAttributes = new Set([
  'alt',
  'aria-label',
  'facts',
  'hint',
  'label',
  'message',
  'placeholder',
  'submitText',
  'title',
]);

const hasLetters = (text: string): boolean => /\p{L}/u.test(text);

/** Finds the texts for people that a component contains as literals, each with its line. */
export const findLiteralTexts = (source: string): readonly string[] => {
  const file = ts.createSourceFile('x.tsx', source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const add = (node: ts.Node, text: string): void => {
    if (!hasLetters(text)) return;
    const { line } = file.getLineAndCharacterOfPosition(node.getEnd());
    found.push(`${String(line + 1)}: ${text.trim().replaceAll(/\s+/g, ' ')}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) add(node, node.text);
    if (
      ts.isJsxAttribute(node) &&
      readAttributes.has(node.name.getText(file)) &&
      node.initializer !== undefined &&
      ts.isStringLiteral(node.initializer)
    )
      add(node, node.initializer.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
};

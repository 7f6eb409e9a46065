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

/** The name of the product is the same in every language. */
const hasLetters = (text: string): boolean => /\p{L}/u.test(text.replaceAll('Redoubt', ''));

/** The texts that an expression may return: literals, the branches of conditions, and templates without their values. */
const literalsOf = (expression: ts.Expression): readonly ts.Expression[] => {
  if (ts.isParenthesizedExpression(expression)) return literalsOf(expression.expression);
  if (ts.isConditionalExpression(expression))
    return [expression.whenTrue, expression.whenFalse].flatMap(literalsOf);
  if (ts.isBinaryExpression(expression)) return literalsOf(expression.right);
  return ts.isStringLiteralLike(expression) || ts.isTemplateExpression(expression) ? [expression] : [];
};

const wordsOf = (literal: ts.Expression): string => {
  if (ts.isStringLiteralLike(literal)) return literal.text;
  if (!ts.isTemplateExpression(literal)) return '';
  return [literal.head.text, ...literal.templateSpans.map((span) => span.literal.text)].join('…');
};

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
    if (
      ts.isJsxExpression(node) &&
      node.expression !== undefined &&
      (!ts.isJsxAttribute(node.parent) || readAttributes.has(node.parent.name.getText(file)))
    )
      for (const literal of literalsOf(node.expression)) add(literal, wordsOf(literal));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
};

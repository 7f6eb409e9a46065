import ts from 'typescript';

export type FunctionNode = ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression;

const isFunctionNode = (node: ts.Node): node is FunctionNode =>
  ts.isFunctionDeclaration(node) || ts.isArrowFunction(node) || ts.isFunctionExpression(node);

/** Removes parentheses and type assertions. */
export const unwrap = (node: ts.Expression): ts.Expression =>
  ts.isParenthesizedExpression(node) ||
  ts.isAsExpression(node) ||
  ts.isSatisfiesExpression(node) ||
  ts.isNonNullExpression(node) ||
  ts.isAwaitExpression(node)
    ? unwrap(node.expression)
    : node;

/** The declaration that an expression names, through imports. */
export const declarationOf = (checker: ts.TypeChecker, node: ts.Node): ts.Declaration | undefined => {
  const shorthand = ts.isShorthandPropertyAssignment(node.parent);
  const symbol = shorthand
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node);
  if (symbol === undefined) return undefined;
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return target.valueDeclaration;
};

/** The function that a callee names, if its body is in the repository. */
export const functionOf = (checker: ts.TypeChecker, callee: ts.Expression): FunctionNode | undefined => {
  if (!ts.isIdentifier(callee)) return undefined;
  const declaration = declarationOf(checker, callee);
  if (declaration === undefined) return undefined;
  if (ts.isFunctionDeclaration(declaration)) return declaration;
  if (!ts.isVariableDeclaration(declaration) || declaration.initializer === undefined) return undefined;
  const value = unwrap(declaration.initializer);
  return isFunctionNode(value) ? value : undefined;
};

/** The constructor that `new` or `super` calls. */
export const constructorOf = (
  checker: ts.TypeChecker,
  node: ts.Expression,
): { className: string; declaration: ts.ConstructorDeclaration | undefined } | undefined => {
  const declaration = declarationOf(checker, node);
  if (declaration === undefined || !ts.isClassDeclaration(declaration)) return undefined;
  return {
    className: declaration.name?.text ?? '',
    declaration: declaration.members.find((member) => ts.isConstructorDeclaration(member)),
  };
};

/** The expressions that a function returns. */
export const returnsOf = (node: FunctionNode): ts.Expression[] => {
  if (node.body === undefined) return [];
  if (!ts.isBlock(node.body)) return [node.body];
  const found: ts.Expression[] = [];
  const visit = (child: ts.Node): void => {
    if (ts.isReturnStatement(child) && child.expression !== undefined) found.push(child.expression);
    if (!ts.isFunctionLike(child)) ts.forEachChild(child, visit);
  };
  ts.forEachChild(node.body, visit);
  return found;
};

/** The parameter that declares a name, with the properties that lead to it. */
export const parameterOf = (
  declaration: ts.Declaration,
): { parameter: ts.ParameterDeclaration; path: string[] } | undefined => {
  const path: string[] = [];
  let node: ts.Node = declaration;
  while (ts.isBindingElement(node)) {
    const key = node.propertyName ?? node.name;
    if (!ts.isIdentifier(key) || !ts.isObjectBindingPattern(node.parent)) return undefined;
    path.unshift(key.text);
    node = node.parent.parent;
  }
  return ts.isParameter(node) ? { parameter: node, path } : undefined;
};

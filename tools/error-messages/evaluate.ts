import ts from 'typescript';
import { declarationOf, functionOf, parameterOf, returnsOf, unwrap } from './declarations.ts';
import { bindArguments, createObjectFinder, maxDepth, type Bindings, type Bound } from './find-objects.ts';
import { combine, hasText, holeOnly, maxVariants, toTemplate, type Template } from './template.ts';

/** Returns the name of the hole for an expression: the last name in the expression that describes its value. */
const nameHole = (node: ts.Expression): string => {
  const inner = unwrap(node);
  if (ts.isIdentifier(inner)) return inner.text;
  if (ts.isPropertyAccessExpression(inner)) return inner.name.text;
  if (ts.isElementAccessExpression(inner)) return nameHole(inner.expression);
  if (ts.isCallExpression(inner)) return nameHole(namedPart(inner));
  if (ts.isTemplateExpression(inner)) return nameHole(inner.templateSpans[0]?.expression ?? inner);
  if (ts.isBinaryExpression(inner)) return nameHole(inner.left);
  return ts.isConditionalExpression(inner) ? nameHole(inner.whenTrue) : 'value';
};

/** `names` of `names.join(', ')`, `sent` of `JSON.stringify(sent)` and of `quote(sent)`. */
const namedPart = ({ expression, arguments: args }: ts.CallExpression): ts.Expression => {
  const [argument = expression] = args;
  if (!ts.isPropertyAccessExpression(expression)) return argument;
  const receiver = expression.expression;
  return ts.isIdentifier(receiver) && /^[A-Z]/.test(receiver.text) ? argument : receiver;
};

const isConstant = ({ parts }: Template): boolean => parts.every((part) => typeof part === 'string');

/** Whether to show the texts instead of a hole: there are few of them, and none consists of a hole alone. */
const isTelling = (texts: readonly Template[]): boolean =>
  texts.length > 0 && texts.length <= maxVariants && texts.every((text) => hasText(text) || isConstant(text));

export interface Evaluator {
  /** Returns all texts that the expression may have. */
  evaluate: (node: ts.Expression, bindings: Bindings) => Template[];
  /** Returns all texts that a property of the expression's value may have; none if the value lacks the property. */
  evaluateProperty: (node: ts.Expression, path: readonly string[], bindings: Bindings) => Template[];
}

/** Creates an evaluator for the expressions of messages. Parts that the sources do not determine become holes. */
export const createEvaluator = (checker: ts.TypeChecker): Evaluator => {
  const { findObjects, findProperties, toHole } = createObjectFinder(checker);

  const evaluateBound = ({ value, bindings, choices }: Bound, name: string, depth: number): Template[] => {
    const texts = value === undefined ? holeOnly(name) : evaluate(value, bindings, depth + 1);
    return choices === undefined ? texts : combine([[{ parts: [], choices }], texts]);
  };

  const evaluateParameter = (
    node: ts.Identifier,
    { parameter, path }: { parameter: ts.ParameterDeclaration; path: readonly string[] },
    bindings: Bindings,
    depth: number,
  ): Template[] => {
    const bound = bindings.get(parameter);
    if (bound === undefined) return [toTemplate({ name: node.text, parameter, path })];
    if (path.length === 0) return evaluateBound(bound, node.text, depth);
    if (bound.value === undefined) return holeOnly(node.text);
    const found = findProperties(bound.value, path, bound.bindings, depth + 1);
    return found.length === 0
      ? [toTemplate(toHole(bound.value, path, node.text, bound.bindings))]
      : found.flatMap((one) => evaluateBound(one, node.text, depth));
  };

  const evaluateIdentifier = (node: ts.Identifier, bindings: Bindings, depth: number): Template[] => {
    const declaration = declarationOf(checker, node);
    if (declaration === undefined) return holeOnly(node.text);
    const owner = parameterOf(declaration);
    if (owner !== undefined) return evaluateParameter(node, owner, bindings, depth);
    if (!ts.isVariableDeclaration(declaration) || declaration.initializer === undefined)
      return holeOnly(node.text);
    const isConst = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
    const texts = isConst ? evaluate(declaration.initializer, bindings, depth + 1) : [];
    return isTelling(texts) ? texts : holeOnly(node.text);
  };

  /** Whether a value is undefined; returns undefined if the sources do not determine it. */
  const isUndefined = (node: ts.Expression, bindings: Bindings): boolean | undefined => {
    if (!ts.isIdentifier(node)) return undefined;
    if (node.text === 'undefined') return true;
    const declaration = declarationOf(checker, node);
    const owner = declaration && parameterOf(declaration);
    const bound = owner && bindings.get(owner.parameter);
    if (owner === undefined || bound === undefined) return undefined;
    if (bound.value === undefined) return true;
    if (
      owner.path.length > 0 &&
      toHole(bound.value, owner.path, '', bound.bindings).parameter !== undefined
    ) {
      return undefined;
    }
    const values: Bound[] =
      owner.path.length === 0 ? [bound] : findProperties(bound.value, owner.path, bound.bindings, 0);
    if (values.length === 0) return true;
    const [only, ...others] = values;
    if (only === undefined || others.length > 0 || only.value === undefined) {
      return undefined;
    }
    if (ts.isIdentifier(only.value)) return isUndefined(only.value, only.bindings);
    return ts.isConditionalExpression(only.value) ? undefined : false;
  };

  const branchesOf = (node: ts.ConditionalExpression, bindings: Bindings): ts.Expression[] => {
    const { condition, whenTrue, whenFalse } = node;
    if (ts.isBinaryExpression(condition) && condition.right.getText() === 'undefined') {
      const known = isUndefined(condition.left, bindings);
      const isEqual = condition.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken;
      if (known !== undefined) return [known === isEqual ? whenTrue : whenFalse];
    }
    // If one branch is the empty text, the other is an optional part of a message, which is always shown.
    return [whenTrue, whenFalse].filter((branch) => !ts.isStringLiteral(branch) || branch.text !== '');
  };

  const evaluateCall = (node: ts.CallExpression, bindings: Bindings, depth: number): Template[] => {
    const called = functionOf(checker, node.expression);
    if (called === undefined) return holeOnly(nameHole(node));
    const inner = bindArguments(called.parameters, node.arguments, bindings);
    const texts = returnsOf(called)
      .filter((result) => result.getText() !== 'undefined')
      .flatMap((result) => evaluate(result, inner, depth + 1));
    return isTelling(texts) ? texts : holeOnly(nameHole(node));
  };

  const evaluate = (node: ts.Expression, bindings: Bindings, depth: number): Template[] => {
    const value = unwrap(node);
    if (depth > maxDepth) return holeOnly(nameHole(value));
    if (ts.isStringLiteralLike(value)) return [toTemplate(value.text)];
    if (ts.isNumericLiteral(value)) return [toTemplate(Number(value.text).toString())];
    if (ts.isPrefixUnaryExpression(value) && ts.isNumericLiteral(value.operand))
      return [toTemplate(value.getText())];
    if (ts.isTemplateExpression(value)) {
      return combine([
        [toTemplate(value.head.text)],
        ...value.templateSpans.flatMap((span) => [
          evaluate(span.expression, bindings, depth + 1),
          [toTemplate(span.literal.text)],
        ]),
      ]);
    }
    if (ts.isConditionalExpression(value)) {
      return branchesOf(value, bindings).flatMap((branch) => evaluate(branch, bindings, depth + 1));
    }
    if (ts.isBinaryExpression(value)) {
      const sides = [value.left, value.right].map((side) => evaluate(side, bindings, depth + 1));
      const { kind } = value.operatorToken;
      if (kind === ts.SyntaxKind.PlusToken && sides.some((texts) => texts.some(hasText)))
        return combine(sides);
      if (kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken) {
        const texts = sides.flat();
        return texts.some(hasText) ? texts.filter(hasText) : texts;
      }
      return holeOnly(nameHole(value));
    }
    if (ts.isIdentifier(value)) return evaluateIdentifier(value, bindings, depth);
    if (ts.isCallExpression(value)) return evaluateCall(value, bindings, depth);
    if (ts.isPropertyAccessExpression(value)) return evaluateAccess(value, bindings, depth);
    if (ts.isElementAccessExpression(value)) {
      const texts = findObjects(value, bindings, depth + 1).flatMap((one) =>
        evaluateBound(one, nameHole(value), depth),
      );
      return isTelling(texts) ? texts : holeOnly(nameHole(value));
    }
    return holeOnly(nameHole(value));
  };

  const evaluateAccess = (
    { expression, name }: ts.PropertyAccessExpression,
    bindings: Bindings,
    depth: number,
  ): Template[] => {
    const holder = unwrap(expression);
    const found = findProperties(holder, [name.text], bindings, depth + 1);
    if (found.length === 0) return [toTemplate(toHole(holder, [name.text], name.text, bindings))];
    const texts = found.flatMap((one) => evaluateBound(one, name.text, depth));
    return texts.length <= maxVariants && texts.some(hasText) ? texts : holeOnly(name.text);
  };

  return {
    evaluate: (node, bindings) => evaluate(node, bindings, 0),
    evaluateProperty: (node, path, bindings) =>
      findProperties(node, path, bindings, 0).flatMap((one) => evaluateBound(one, path.at(-1) ?? '', 0)),
  };
};

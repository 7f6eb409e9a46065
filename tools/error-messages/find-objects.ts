import ts from 'typescript';
import { declarationOf, functionOf, parameterOf, returnsOf, unwrap } from './declarations.ts';
import type { Hole, Template } from './template.ts';

/** The arguments of the parameters of called functions. */
export type Bindings = ReadonlyMap<ts.ParameterDeclaration, Bound>;

export interface Bound {
  value: ts.Expression | undefined;
  bindings: Bindings;
  /** The choices among several objects or branches that lead to this value. */
  choices?: Template['choices'];
}

/** The maximum length of chains of calls and constants that are followed. */
export const maxDepth = 12;

/** Binds the parameters of a function to the arguments of a call. */
export const bindArguments = (
  parameters: readonly ts.ParameterDeclaration[],
  args: readonly ts.Expression[],
  bindings: Bindings,
): Bindings => {
  const bound = new Map(bindings);
  for (const [index, parameter] of parameters.entries()) {
    bound.set(parameter, { value: args[index], bindings });
  }
  return bound;
};

const addChoices = (bounds: readonly Bound[], choices: Template['choices'] = new Map()): Bound[] =>
  bounds.map((bound) => ({ ...bound, choices: new Map([...choices, ...(bound.choices ?? [])]) }));

const choose = (key: ts.Node, choice: ts.Node, bounds: readonly Bound[]): Bound[] =>
  addChoices(bounds, new Map([[key, choice]]));

export interface ObjectFinder {
  /**
   * Returns the expressions that may have produced a value, found through constants, parameters, calls and
   * conditionals.
   */
  findObjects: (node: ts.Expression, bindings: Bindings, depth: number) => Bound[];
  /** Returns the values that a property may have; none if the objects are unknown or do not have the property. */
  findProperties: (
    node: ts.Expression,
    path: readonly string[],
    bindings: Bindings,
    depth: number,
  ) => Bound[];
  /** Creates the hole for a property of a parameter, for which callers may pass text. */
  toHole: (node: ts.Expression, path: readonly string[], name: string, bindings: Bindings) => Hole;
}

export const createObjectFinder = (checker: ts.TypeChecker): ObjectFinder => {
  const findObjects = (node: ts.Expression, bindings: Bindings, depth: number): Bound[] => {
    const value = unwrap(node);
    if (depth > maxDepth) return [];
    if (ts.isConditionalExpression(value)) {
      return [value.whenTrue, value.whenFalse].flatMap((branch) =>
        choose(value, branch, findObjects(branch, bindings, depth + 1)),
      );
    }
    if (ts.isElementAccessExpression(value)) {
      return findObjects(value.expression, bindings, depth + 1).flatMap((object) => {
        const table = object.value;
        if (table === undefined || !ts.isObjectLiteralExpression(table)) return [];
        return table.properties
          .filter((property) => ts.isPropertyAssignment(property))
          .flatMap(({ initializer }) =>
            choose(table, initializer, [{ value: initializer, bindings: object.bindings }]),
          );
      });
    }
    if (ts.isCallExpression(value)) {
      const called = functionOf(checker, value.expression);
      if (called === undefined) return [];
      const inner = bindArguments(called.parameters, value.arguments, bindings);
      return returnsOf(called).flatMap((result) =>
        choose(called, result, findObjects(result, inner, depth + 1)),
      );
    }
    if (ts.isIdentifier(value)) {
      const declaration = declarationOf(checker, value);
      const owner = declaration && parameterOf(declaration);
      const bound = owner && bindings.get(owner.parameter);
      if (bound?.value !== undefined) {
        return owner === undefined || owner.path.length === 0
          ? findObjects(bound.value, bound.bindings, depth + 1)
          : findProperties(bound.value, owner.path, bound.bindings, depth + 1);
      }
      if (declaration && ts.isVariableDeclaration(declaration) && declaration.initializer) {
        return findObjects(declaration.initializer, bindings, depth + 1);
      }
    }
    return [{ value, bindings }];
  };

  const findProperties = (
    node: ts.Expression,
    [key, ...rest]: readonly string[],
    bindings: Bindings,
    depth: number,
  ): Bound[] => {
    const found = findObjects(node, bindings, depth).flatMap((object): Bound[] => {
      if (object.value === undefined) return [];
      if (!ts.isObjectLiteralExpression(object.value)) return [];
      for (const property of object.value.properties.toReversed()) {
        if (ts.isSpreadAssignment(property)) {
          const spread = findProperties(property.expression, [key ?? ''], object.bindings, depth + 1);
          if (spread.length > 0) return addChoices(spread, object.choices);
        } else if (
          property.name !== undefined &&
          ts.isIdentifier(property.name) &&
          property.name.text === key
        ) {
          if (ts.isPropertyAssignment(property)) {
            return [{ ...object, value: property.initializer }];
          }
          if (ts.isShorthandPropertyAssignment(property)) {
            return [{ ...object, value: property.name }];
          }
        }
      }
      return [];
    });
    return rest.length === 0
      ? found
      : found.flatMap(({ value, bindings: inner, choices }) =>
          value === undefined ? [] : addChoices(findProperties(value, rest, inner, depth + 1), choices),
        );
  };

  const toHole: ObjectFinder['toHole'] = (node, path, name, bindings) => {
    const declaration = ts.isIdentifier(node) ? declarationOf(checker, node) : undefined;
    const owner = declaration && parameterOf(declaration);
    if (owner === undefined) return { name };
    const full = [...owner.path, ...path];
    const bound = bindings.get(owner.parameter);
    if (bound === undefined) return { name, parameter: owner.parameter, path: full };
    return bound.value === undefined ? { name } : toHole(bound.value, full, name, bound.bindings);
  };

  return { findObjects, findProperties, toHole };
};

import { errorCatalogue, type ErrorName } from '@redoubt/errors';
import ts from 'typescript';
import { constructorOf, functionOf, returnsOf } from './declarations.ts';
import { createEvaluator } from './evaluate.ts';
import type { Bindings, Bound } from './find-objects.ts';
import { loadSources } from './load-sources.ts';
import { combine, hasText, printTemplate, toTemplate, type Hole, type Template } from './template.ts';

export interface ErrorMessage {
  name: ErrorName;
  code: number;
  /** The text. Parts that are known only when the error is thrown are placeholders such as `{name}`. */
  message: string;
}

/** A place in the sources that creates an error, with all values that its name, status and message may have. */
interface Site {
  name: Template[];
  /** Empty if the name determines the status. */
  code: Template[];
  message: Template[];
}

type Call = ts.CallExpression | ts.NewExpression;
type EvaluateSite = (bindings: Bindings) => Site;

/** Errors that are not in the catalogue, each with the error of the catalogue that takes over its message. */
const innerErrors: Readonly<Record<string, ErrorName>> = {
  JsonSyntaxError: 'BadRequestError',
  LabelSyntaxError: 'SecurityError',
};

/** Functions that return messages, each with the error of the catalogue that has them. */
const messageFunctions: Readonly<Record<string, ErrorName>> = { validationMessage: 'BadRequestError' };

const isErrorName = (name: string): name is ErrorName => Object.hasOwn(errorCatalogue, name);

/** Collects the messages of all errors that the sources under `folder` create. */
export const collectMessages = (folder: string): ErrorMessage[] => {
  const { checker, files } = loadSources(folder);
  const { evaluate, evaluateProperty } = createEvaluator(checker);
  const calls = new Map<ts.Node, Call[]>();
  const sites: EvaluateSite[] = [];

  const argumentTexts = (args: readonly ts.Expression[], index: number, bindings: Bindings): Template[] => {
    const node = args[index];
    return node === undefined ? [toTemplate('')] : evaluate(node, bindings);
  };

  const catalogueSite =
    (args: readonly ts.Expression[]): EvaluateSite =>
    (bindings) => ({
      name: argumentTexts(args, 0, bindings),
      code: args[2] === undefined ? [] : evaluateProperty(args[2], ['code'], bindings),
      message: argumentTexts(args, 1, bindings),
    });

  /** `parseSql` completes the message of an SqlCompileError with its position. */
  const sqlSite =
    ([kind, message, , instead]: readonly ts.Expression[]): EvaluateSite =>
    (bindings) => {
      if (kind === undefined || message === undefined) return { name: [], code: [], message: [] };
      const isUnsupported = printTemplate(evaluate(kind, bindings)[0] ?? toTemplate('')) === 'unsupported';
      const end = isUnsupported ? ' is not supported (character {position}). ' : ' (character {position}).';
      const advice = instead === undefined ? [toTemplate('')] : evaluate(instead, bindings);
      return {
        name: [toTemplate('SqlParseError')],
        code: [],
        message: combine([
          [toTemplate('SQL: ')],
          evaluate(message, bindings),
          [toTemplate(end)],
          ...(isUnsupported ? [advice] : []),
        ]),
      };
    };

  const siteOf = (className: string, args: readonly ts.Expression[]): EvaluateSite | undefined => {
    if (className === 'RedoubtError') return catalogueSite(args);
    return className === 'SqlCompileError' ? sqlSite(args) : undefined;
  };

  const addNew = (node: ts.NewExpression): void => {
    const created = constructorOf(checker, node.expression);
    if (created === undefined) return;
    const site = siteOf(created.className, node.arguments ?? []);
    if (site !== undefined) sites.push(site);
    else if (created.declaration !== undefined) index(created.declaration, node);
  };

  const addSuper = (node: ts.CallExpression): void => {
    const { name, base } = enclosingClass(node);
    const inner = innerErrors[name];
    if (inner !== undefined) {
      sites.push((bindings) => ({
        name: [toTemplate(inner)],
        code: [],
        message: argumentTexts(node.arguments, 0, bindings),
      }));
    } else if (base !== undefined && constructorOf(checker, base)?.className === 'RedoubtError') {
      sites.push(catalogueSite(node.arguments));
    }
  };

  const addMessageFunction = (node: ts.VariableDeclaration): void => {
    const name = ts.isIdentifier(node.name) ? messageFunctions[node.name.text] : undefined;
    if (name === undefined || node.initializer === undefined || !ts.isArrowFunction(node.initializer)) return;
    const results = returnsOf(node.initializer);
    sites.push((bindings) => ({
      name: [toTemplate(name)],
      code: [],
      message: results.flatMap((result) => evaluate(result, bindings)),
    }));
  };

  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node)) addNew(node);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword) addSuper(node);
    else if (ts.isCallExpression(node)) {
      const called = functionOf(checker, node.expression);
      if (called !== undefined) index(called, node);
    } else if (ts.isVariableDeclaration(node)) addMessageFunction(node);
    ts.forEachChild(node, visit);
  };
  const index = (owner: ts.Node, call: Call): void => {
    calls.set(owner, [...(calls.get(owner) ?? []), call]);
  };
  for (const file of files) visit(file);

  const known = new Map<ts.ParameterDeclaration, Map<string, boolean>>();
  /** Whether the sources determine the text that some caller passes for this hole. */
  const hasTextFromCallers = ({ parameter, path = [] }: Hole): boolean => {
    if (parameter === undefined) return false;
    const key = path.join('.');
    const knownPaths = known.get(parameter) ?? new Map<string, boolean>();
    known.set(parameter, knownPaths);
    const isKnown = knownPaths.get(key);
    if (isKnown !== undefined) return isKnown;
    knownPaths.set(key, false);
    const position = parameter.parent.parameters.indexOf(parameter);
    const found = (calls.get(parameter.parent) ?? []).some((call) => {
      const argument = call.arguments?.[position];
      if (argument === undefined) return false;
      const texts =
        path.length === 0 ? evaluate(argument, new Map()) : evaluateProperty(argument, path, new Map());
      return texts.some(
        (template) =>
          hasText(template) ||
          template.parts.some((part) => typeof part !== 'string' && hasTextFromCallers(part)),
      );
    });
    knownPaths.set(key, found);
    return found;
  };

  const messages = new Map<string, ErrorMessage>();
  const emit = ({ name, code, message }: Site): void => {
    for (const named of name) {
      const errorName = printTemplate(named);
      if (!isErrorName(errorName)) continue;
      const codes = code.length === 0 ? [String(errorCatalogue[errorName][0])] : code.map(printTemplate);
      for (const status of codes) {
        for (const template of message.filter(hasText)) {
          const printed = printTemplate(template);
          // Messages that differ only in the names of their holes are the same message.
          const key = `${errorName} ${status} ${printed.replaceAll(/\{\w+\}/g, '{}')}`;
          if (!messages.has(key))
            messages.set(key, { name: errorName, code: Number(status), message: printed });
        }
      }
    }
  };

  /** Emits the messages of a site, with the texts that the callers of its function pass as arguments. */
  const follow = (site: EvaluateSite, steps: readonly Step[]): void => {
    const bindings = bindSteps(steps);
    const evaluated = site(bindings);
    const open = [evaluated.name, evaluated.code, evaluated.message]
      .flat()
      .flatMap(({ parts }) => parts.filter((part) => typeof part !== 'string'))
      .filter((hole) => hole.parameter !== undefined && !bindings.has(hole.parameter))
      .filter((hole) => hasTextFromCallers(hole))
      .flatMap(({ parameter }) => (parameter === undefined ? [] : [parameter]));
    const owner = open[0]?.parent;
    if (owner === undefined || steps.length === maxSteps) return emit(evaluated);
    const parameters = open.filter((parameter) => parameter.parent === owner);
    for (const call of calls.get(owner) ?? []) follow(site, [...steps, { parameters, call }]);
  };
  for (const site of sites) follow(site, []);
  return [...messages.values()];
};

/** A call of the function that creates a message, with the parameters for which the call passes text. */
interface Step {
  parameters: readonly ts.ParameterDeclaration[];
  call: Call;
}

/** Binds parameters to the arguments of callers. These may refer to parameters that later steps bind. */
const bindSteps = (steps: readonly Step[]): Bindings => {
  const bindings = new Map<ts.ParameterDeclaration, Bound>();
  for (const { parameters, call } of steps) {
    for (const parameter of parameters) {
      const position = parameter.parent.parameters.indexOf(parameter);
      bindings.set(parameter, { value: call.arguments?.[position], bindings });
    }
  }
  return bindings;
};

const maxSteps = 8;

const enclosingClass = (node: ts.Node): { name: string; base: ts.Expression | undefined } => {
  let holder: ts.Node = node;
  while (!ts.isClassDeclaration(holder)) {
    if (holder.parent === undefined) return { name: '', base: undefined };
    holder = holder.parent;
  }
  const base = holder.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
  return { name: holder.name?.text ?? '', base: base?.types[0]?.expression };
};

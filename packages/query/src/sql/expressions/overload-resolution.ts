import type { Expression } from '../expression.ts';
import { arrayType, numericType, sameType, toScalarType, type ElementType, type SqlType } from '../types.ts';
import { compileCast, requireKnownType, resolveUnknownLiteral } from './casts.ts';
import { commonTypeOrNone } from './common-type.ts';
import { typeCategory, isPreferred, isImplicitCast } from './implicit-casts.ts';
import { defaultNumericScale } from './numeric/number-casts.ts';
import type { FunctionRule, Parameter } from './function-rule.ts';

/** A rule with one parameter for each argument. */
interface Candidate {
  readonly rule: FunctionRule;
  readonly parameters: readonly Parameter[];
}

/** The type of a parameter if it is a single type. */
const typeNameOf = (parameter: Parameter): SqlType['name'] | undefined => {
  if (['any', 'any scalar', 'typed', 'same'].includes(parameter)) return undefined;
  return parameter.endsWith('[]') || parameter.startsWith('array')
    ? 'array'
    : (parameter as ElementType['name']);
};

const elementNameOf = (parameter: Parameter): string | undefined =>
  parameter.endsWith('[]') ? parameter.slice(0, -2) : undefined;

function spread(rule: FunctionRule, count: number): readonly Parameter[] | undefined {
  const { parameters } = rule;
  if (parameters.length === count) return parameters;
  const last = parameters.at(-1);
  if (rule.variadic !== true || last === undefined || count < parameters.length) return undefined;
  return [...parameters, ...Array.from({ length: count - parameters.length }, () => last)];
}

function accepts(parameter: Parameter, { type }: Expression): boolean {
  const name = typeNameOf(parameter);
  if (parameter === 'any scalar') return type.name !== 'array';
  if (name === undefined || type.name === 'unknown') return true;
  if (name !== 'array') return isImplicitCast(type.name, name);
  const element = elementNameOf(parameter);
  return type.name === 'array' && (element === undefined || type.element.name === element);
}

const isExact = (parameter: Parameter, { type }: Expression): boolean => typeNameOf(parameter) === type.name;

const isArrayOfShared = (parameter: Parameter | undefined): boolean =>
  parameter === 'array of same' || parameter === 'array of one';

const sharedOf = (parameters: readonly Parameter[], args: readonly Expression[]): SqlType | undefined => {
  const shared = args.flatMap((value, index): Expression[] => {
    const parameter = parameters[index];
    if (parameter === 'same') return [value];
    const isArray = isArrayOfShared(parameter) && value.type.name === 'array';
    return isArray ? [{ ...value, type: value.type.element }] : [];
  });
  const [first] = shared;
  const isOne = shared.every(({ type }) => first !== undefined && sameType(type, first.type));
  return isOne || !parameters.includes('array of one') ? commonTypeOrNone(shared) : undefined;
};

const best = (candidates: readonly Candidate[], score: (candidate: Candidate) => number): Candidate[] => {
  const most = Math.max(...candidates.map(score));
  return candidates.filter((candidate) => score(candidate) === most);
};

const count = (
  { parameters }: Candidate,
  args: readonly Expression[],
  holds: (parameter: Parameter, value: Expression) => boolean,
): number => parameters.filter((parameter, index) => holds(parameter, args[index] as Expression)).length;

/**
 * Keeps the candidates that fit the string literals best. For each literal, these are the candidates that accept text,
 * or else, if all candidates accept types of one category, those that accept its preferred type.
 */
function byUnknown(candidates: Candidate[], args: readonly Expression[]): Candidate[] {
  let left = candidates;
  args.forEach(({ type }, index) => {
    if (type.name !== 'unknown') return;
    const names = left.map(({ parameters }) => typeNameOf(parameters[index] ?? 'any') ?? 'unknown');
    const kinds = new Set(names.map(typeCategory));
    const kind = kinds.has('string') ? 'string' : kinds.size === 1 ? [...kinds][0] : undefined;
    if (kind === undefined) return;
    const fits = left.filter((_, place) => typeCategory(names[place] ?? 'unknown') === kind);
    const preferred = fits.filter(({ parameters }) =>
      isPreferred(typeNameOf(parameters[index] ?? 'any') ?? 'unknown'),
    );
    left = preferred.length > 0 ? preferred : fits;
  });
  return left;
}

/**
 * The last step: if the other arguments all have one type, keeps the candidates that fit if string literals have it
 * too.
 */
function byKnown(candidates: Candidate[], args: readonly Expression[]): Candidate[] {
  const names = new Set(args.map(({ type }) => type.name).filter((name) => name !== 'unknown'));
  const [only] = names;
  if (only === undefined || names.size !== 1) return candidates;
  return candidates.filter(({ parameters }) =>
    parameters.every((parameter) => {
      const name = typeNameOf(parameter);
      return name === undefined || isImplicitCast(only, name);
    }),
  );
}

/**
 * Returns the rules that PostgreSQL's overload resolution chooses: none if none fits, several if the call is ambiguous.
 */
export function candidatesFor(rules: readonly FunctionRule[], args: readonly Expression[]): FunctionRule[] {
  const fitting = rules.flatMap((rule): Candidate[] => {
    const parameters = spread(rule, args.length);
    if (parameters === undefined) return [];
    const taken = args.every((value, index) => accepts(parameters[index] ?? 'any', value));
    const shares = parameters.some((one) => one === 'same' || isArrayOfShared(one));
    return taken && (!shares || sharedOf(parameters, args) !== undefined) ? [{ rule, parameters }] : [];
  });
  const exact = fitting.find((candidate) => count(candidate, args, isExact) === args.length);
  if (exact !== undefined) return [exact.rule];
  const steps = [
    assumedExact(args),
    (left: Candidate[]) => best(left, (candidate) => count(candidate, args, isExact)),
    (left: Candidate[]) =>
      best(left, (candidate) =>
        count(candidate, args, (parameter, value) => {
          const name = typeNameOf(parameter);
          return (
            name === value.type.name ||
            (name !== undefined && isPreferred(name) && value.type.name !== 'unknown')
          );
        }),
      ),
    (left: Candidate[]) => byUnknown(left, args),
    (left: Candidate[]) => byKnown(left, args),
  ];
  let left = fitting;
  for (const step of steps) {
    if (left.length < 2) break;
    const next = step(left);
    if (next.length > 0) left = next;
  }
  return left.map(({ rule }) => rule);
}

/** Whether a rule was chosen only because PostgreSQL's other overloads are not supported. */
export function isAmbiguousWithoutUnsupported(
  { amongOthers, parameters }: FunctionRule,
  args: readonly Expression[],
): boolean {
  const [first, ...others] = args;
  const name = typeNameOf(parameters[0] ?? 'any');
  return (
    amongOthers === true && first?.type.name === 'unknown' && others.every(({ type }) => type.name !== name)
  );
}

/** The first step: assumes that a string literal next to an argument of known type has the same type. */
const assumedExact =
  (args: readonly Expression[]) =>
  (left: Candidate[]): Candidate[] => {
    const known = args.filter(({ type }) => type.name !== 'unknown');
    const [only] = known;
    if (args.length !== 2 || known.length !== 1 || only === undefined) return left;
    return left.filter(({ parameters }) => parameters.every((parameter) => isExact(parameter, only)));
  };

/** Casts the arguments to the parameter types of a rule. */
export function castArguments(rule: FunctionRule, args: readonly Expression[]): readonly Expression[] {
  const parameters = spread(rule, args.length) ?? [];
  const shared = sharedOf(parameters, args) ?? toScalarType('text');
  return args.map((value, index) => {
    const parameter = parameters[index] ?? 'any';
    if (parameter === 'typed' || parameter === 'array') return requireKnownType(value);
    if (parameter === 'any' || parameter === 'any scalar') return resolveUnknownLiteral(value);
    if (parameter === 'same') return compileCast(value, shared, value.at);
    if (isArrayOfShared(parameter)) {
      return shared.name === 'array' || shared.name === 'unknown'
        ? value
        : compileCast(value, arrayType(shared), value.at);
    }
    const element = elementNameOf(parameter) as ElementType['name'] | undefined;
    if (element !== undefined) {
      return value.type.name === 'array' ? value : compileCast(value, arrayType(named(element)), value.at);
    }
    if (parameter === 'numeric') {
      return compileCast(value, { type: numericType(defaultNumericScale), anyScale: true }, value.at);
    }
    return compileCast(value, toScalarType(parameter as Exclude<ElementType['name'], 'numeric'>), value.at);
  });
}

const named = (name: ElementType['name']): ElementType =>
  name === 'numeric' ? numericType(defaultNumericScale) : toScalarType(name);

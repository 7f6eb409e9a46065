import type { Schema, Schemas } from './types.ts';

/** What is wrong with a value, and where: `records[0].name`. */
export interface BodyFault {
  at: string;
  problem: string;
}

const refPrefix = '#/components/schemas/';

/** The schema itself, where it is named. */
export const resolve = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref === undefined ? schema : (schemas[schema.$ref.slice(refPrefix.length)] ?? {});

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
};

const hasType = (type: string, value: unknown): boolean => {
  if (type === 'integer') return Number.isInteger(value);
  return typeOf(value) === type;
};

const isObject = (value: unknown): value is Record<string, unknown> => typeOf(value) === 'object';

const below = (at: string, key: string): string => (at === '' ? key : `${at}.${key}`);

const boundFault = (schema: Schema, value: unknown): string | undefined => {
  const { minimum, maximum, minLength, maxLength, pattern, minItems, maxItems } = schema;
  if (typeof value === 'number') {
    if (minimum !== undefined && value < minimum) return `has to be at least ${minimum}`;
    if (maximum !== undefined && value > maximum) return `has to be at most ${maximum}`;
  }
  if (typeof value === 'string') {
    if (minLength !== undefined && value.length < minLength)
      return `has to have ${minLength} characters or more`;
    if (maxLength !== undefined && value.length > maxLength)
      return `has to have ${maxLength} characters at most`;
    if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return `has to match ${pattern}`;
  }
  if (Array.isArray(value)) {
    if (minItems !== undefined && value.length < minItems) return `has to have ${minItems} entries or more`;
    if (maxItems !== undefined && value.length > maxItems) return `has to have ${maxItems} entries at most`;
  }
  return undefined;
};

const objectFaults = (
  schema: Schema,
  schemas: Schemas,
  value: Record<string, unknown>,
  at: string,
): BodyFault[] => {
  const { properties = {}, required = [], additionalProperties } = schema;
  const missing = required
    .filter((key) => !Object.hasOwn(value, key))
    .map((key) => ({ at: below(at, key), problem: 'is missing' }));
  const others = Object.entries(value).flatMap(([key, item]): BodyFault[] => {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (property !== undefined) return bodyFaults(property, schemas, item, below(at, key));
    if (additionalProperties === false) {
      const known = Object.keys(properties);
      return [{ at: below(at, key), problem: `is not known here; known are ${known.join(', ') || 'none'}` }];
    }
    return typeof additionalProperties === 'object'
      ? bodyFaults(additionalProperties, schemas, item, below(at, key))
      : [];
  });
  return [...missing, ...others];
};

/** What a value of JSON has that its schema does not allow, as far as a schema can say it; the server checks more. */
export const bodyFaults = (given: Schema, schemas: Schemas, value: unknown, at = ''): BodyFault[] => {
  const schema = resolve(given, schemas);
  const { type, anyOf, enum: values, const: constant, items } = schema;
  if (anyOf !== undefined) {
    const each = anyOf.map((one) => bodyFaults(one, schemas, value, at));
    // The variant that comes nearest says best what is wrong.
    return each.toSorted((a, b) => a.length - b.length)[0] ?? [];
  }
  if (values !== undefined && !values.includes(value)) {
    return [{ at, problem: `has to be one of ${values.map((one) => JSON.stringify(one)).join(', ')}` }];
  }
  if (constant !== undefined && value !== constant) {
    return [{ at, problem: `has to be ${JSON.stringify(constant)}` }];
  }
  if (type !== undefined && !hasType(type, value)) {
    return [{ at, problem: `has to be of type ${type}, and is ${typeOf(value)}` }];
  }
  const bound = boundFault(schema, value);
  if (bound !== undefined) return [{ at, problem: bound }];
  if (isObject(value)) return objectFaults(schema, schemas, value, at);
  if (Array.isArray(value) && typeof items === 'object') {
    return value.flatMap((item, index) => bodyFaults(items, schemas, item, `${at}[${index}]`));
  }
  return [];
};

/** Reads the text of a body and checks it: its value, or what is wrong with it. */
export const readBody = (
  text: string,
  schema: Schema,
  schemas: Schemas,
): { value: unknown } | { faults: readonly BodyFault[] } => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { faults: [{ at: '', problem: `is no JSON: ${error instanceof Error ? error.message : ''}` }] };
  }
  const faults = bodyFaults(schema, schemas, value);
  return faults.length === 0 ? { value } : { faults };
};

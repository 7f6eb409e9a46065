import type { Schema, Schemas } from './types.ts';

/** A problem of a value and its path, such as `records[0].name`. */
export interface BodyFault {
  at: string;
  problem: string;
}

const refPrefix = '#/components/schemas/';

/** Follows a `$ref` to the schema that it names. */
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
    if (minimum !== undefined && value < minimum) return `must be at least ${minimum}, got ${value}`;
    if (maximum !== undefined && value > maximum) return `must be at most ${maximum}, got ${value}`;
  }
  if (typeof value === 'string') {
    if (minLength !== undefined && value.length < minLength)
      return `must have at least ${minLength} characters, got ${value.length}`;
    if (maxLength !== undefined && value.length > maxLength)
      return `must have at most ${maxLength} characters, got ${value.length}`;
    if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return `must match ${pattern}`;
  }
  if (Array.isArray(value)) {
    if (minItems !== undefined && value.length < minItems)
      return `must have at least ${minItems} entries, got ${value.length}`;
    if (maxItems !== undefined && value.length > maxItems)
      return `must have at most ${maxItems} entries, got ${value.length}`;
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
      return [
        {
          at: below(at, key),
          problem: `is an unknown field. The known fields are: ${known.join(', ') || 'none'}`,
        },
      ];
    }
    return typeof additionalProperties === 'object'
      ? bodyFaults(additionalProperties, schemas, item, below(at, key))
      : [];
  });
  return [...missing, ...others];
};

/** Checks a JSON value against its schema. The server checks more than a schema can express. */
export const bodyFaults = (given: Schema, schemas: Schemas, value: unknown, at = ''): BodyFault[] => {
  const schema = resolve(given, schemas);
  const { type, anyOf, enum: values, const: constant, items } = schema;
  if (anyOf !== undefined) {
    const each = anyOf.map((one) => bodyFaults(one, schemas, value, at));
    // The variant with the fewest problems gives the most useful message.
    return each.toSorted((a, b) => a.length - b.length)[0] ?? [];
  }
  if (values !== undefined && !values.includes(value)) {
    return [{ at, problem: `must be one of ${values.map((one) => JSON.stringify(one)).join(', ')}` }];
  }
  if (constant !== undefined && value !== constant) {
    return [{ at, problem: `must be ${JSON.stringify(constant)}` }];
  }
  if (type !== undefined && !hasType(type, value)) {
    return [{ at, problem: `must be of type ${type}, got ${typeOf(value)}` }];
  }
  const bound = boundFault(schema, value);
  if (bound !== undefined) return [{ at, problem: bound }];
  if (isObject(value)) return objectFaults(schema, schemas, value, at);
  if (Array.isArray(value) && typeof items === 'object') {
    return value.flatMap((item, index) => bodyFaults(items, schemas, item, `${at}[${index}]`));
  }
  return [];
};

/** Parses and checks the text of a body: returns its value or its problems. */
export const readBody = (
  text: string,
  schema: Schema,
  schemas: Schemas,
): { value: unknown } | { faults: readonly BodyFault[] } => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      faults: [{ at: '', problem: `is not valid JSON: ${error instanceof Error ? error.message : ''}` }],
    };
  }
  const faults = bodyFaults(schema, schemas, value);
  return faults.length === 0 ? { value } : { faults };
};

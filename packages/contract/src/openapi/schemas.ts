import type { TSchema } from 'typebox';

export type Json = Record<string, unknown>;

/** Keywords with schemas as their value: one schema, an array of schemas, or schemas by name. */
const single = new Set(['items', 'not', 'additionalProperties', 'propertyNames', 'contains']);
const several = new Set(['anyOf', 'allOf', 'oneOf', 'prefixItems']);
const named = new Set(['properties', 'patternProperties']);

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Turns a union of string constants into an `enum`, which is easier to read. */
const toEnum = (schema: Json): Json => {
  const { anyOf, enum: values, ...rest } = schema;
  const variants = Array.isArray(anyOf)
    ? anyOf.map((variant: unknown) => isObject(variant) && variant['const'])
    : values;
  if (!Array.isArray(variants) || variants.length === 0) return schema;
  return variants.every((value) => typeof value === 'string')
    ? { type: 'string', enum: variants, ...rest }
    : schema;
};

/** Converts a schema of an object with any keys to `additionalProperties`, which OpenAPI tools support best. */
const toMap = (schema: Json): Json => {
  const { patternProperties, ...rest } = schema;
  if (!isObject(patternProperties) || Object.keys(patternProperties).join('') !== '^.*$') return schema;
  const value = patternProperties['^.*$'];
  return { ...rest, additionalProperties: isObject(value) && Object.keys(value).length === 0 ? true : value };
};

/** Converts tuples to the keywords of JSON Schema 2020-12. */
const toPrefixItems = (schema: Json): Json => {
  const { items, additionalItems, ...rest } = schema;
  return Array.isArray(items) ? { ...rest, prefixItems: items, items: additionalItems ?? true } : schema;
};

/** Converts schemas to OpenAPI 3.1, and collects those with a title because the document contains them only once. */
export interface SchemaCollector {
  /** Converts a schema; schemas with a title in it become a `$ref`. */
  convert(schema: TSchema): Json;
  /** The schemas with a title that were converted so far, by title. */
  components(): Json;
}

/**
 * Creates a collector without schemas. Its `convert` throws an Error if two different schemas share a title, or for a
 * title or schema that OpenAPI cannot express.
 */
export const createSchemaCollector = (): SchemaCollector => {
  const components = new Map<string, Json>();

  const convertValue = (value: unknown): unknown => (isObject(value) ? convert(value) : value);

  const convertKeyword = (key: string, value: unknown): unknown => {
    if (single.has(key)) return convertValue(value);
    if (several.has(key) && Array.isArray(value)) return value.map(convertValue);
    if (named.has(key) && isObject(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, convertValue(schema)]));
    }
    return value;
  };

  const convert = (schema: Json): Json => {
    if (schema['type'] === 'undefined' || '$ref' in schema) {
      throw new Error(`OpenAPI cannot express the schema ${JSON.stringify(schema)}.`);
    }
    const plain = toPrefixItems(schema);
    const converted = toEnum(
      toMap(
        Object.fromEntries(Object.entries(plain).map(([key, value]) => [key, convertKeyword(key, value)])),
      ),
    );
    return hoist(converted);
  };

  const hoist = (schema: Json): Json => {
    const { title } = schema;
    if (typeof title !== 'string') return schema;
    if (!/^[A-Za-z0-9]+$/.test(title))
      throw new Error(`The title of a schema must consist of letters and digits, got "${title}".`);
    const known = components.get(title);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two different schemas share the title "${title}".`);
    }
    components.set(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  };

  return {
    convert: (schema) => convert(schema as Json),
    components: () => Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
};

import createText from 'fast-json-stringify';
import type { TSchema } from 'typebox';

const cache = new WeakMap<TSchema, (response: unknown) => string>();

/**
 * Serializes responses with exactly the fields of the schema. The schema is compiled at the first response, because
 * compiling the schemas of all routes would take most of the time of a start.
 */
export const createResponseSerializer =
  (schema: TSchema) =>
  (response: unknown): string => {
    const known = cache.get(schema);
    if (known !== undefined) return known(response);
    const text = createText(schema);
    cache.set(schema, text);
    return text(response);
  };

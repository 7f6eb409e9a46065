import createText from 'fast-json-stringify';
import type { TSchema } from 'typebox';

const cache = new WeakMap<TSchema, (response: unknown) => string>();

/**
 * Serializes responses with exactly the fields of the schema. It is compiled at the first response: compiling those of
 * all routes would be most of the time of a start.
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

import createText from 'fast-json-stringify';
import type { TSchema } from 'typebox';

const made = new WeakMap<TSchema, (answer: unknown) => string>();

/**
 * What writes answers as text, with what stands in the schema and nothing else. It is made for the first answer: making those of all
 * calls is most of what a start would cost.
 */
export const createResponseSerializer =
  (schema: TSchema) =>
  (answer: unknown): string => {
    const known = made.get(schema);
    if (known !== undefined) return known(answer);
    const text = createText(schema);
    made.set(schema, text);
    return text(answer);
  };

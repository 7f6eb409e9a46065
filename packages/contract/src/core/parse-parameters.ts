import { describeValue, invalidField, unknownField } from '@redoubt/errors';
import type { Static, TObject } from 'typebox';
import { parseScalar } from './parse-scalar.ts';
import { readScalarSchema, type Scalar, type ScalarValue } from './scalar.ts';

/**
 * Rejects keys that are not in `allowed`, so that a misspelt parameter is never ignored.
 * @throws BadRequestError 400 with the key and the allowed ones
 */
export const rejectUnknownKeys = (raw: Record<string, unknown>, allowed: readonly string[]): void => {
  for (const [key, sent] of Object.entries(raw)) {
    if (allowed.includes(key)) continue;
    throw unknownField({
      field: truncateForMessage(key),
      kind: 'a parameter of this request',
      got: describeValue(sent),
      known: allowed,
    });
  }
};

/** Shortens a key for an error message. */
export const truncateForMessage = (key: string): string => (key.length > 100 ? `${key.slice(0, 100)}…` : key);

/** What the schema expects instead of `value`, or undefined if the value fits. */
const expectedByLimits = (value: ScalarValue, scalar: Scalar): string | undefined => {
  if (typeof value === 'number') {
    if (scalar.minimum !== undefined && value < scalar.minimum) return `at least ${scalar.minimum}`;
    if (scalar.maximum !== undefined && value > scalar.maximum) return `at most ${scalar.maximum}`;
  }
  if (typeof value === 'string') {
    const { minLength = 0, maxLength = value.length, pattern } = scalar;
    if (value.length < minLength || value.length > maxLength) {
      return scalar.maxLength === undefined
        ? `a string of at least ${minLength} characters`
        : `a string of ${minLength} to ${scalar.maxLength} characters`;
    }
    if (pattern !== undefined && !new RegExp(pattern, 'u').test(value))
      return `a string that matches ${pattern}`;
  }
  return undefined;
};

/**
 * Parses the query string of a request that is not a list, by the schemas of its parameters. Booleans may have any
 * letter case (`True`, `FALSE`). An absent parameter gets the default of its schema.
 * @param raw the query string as the `qs` library parses it
 * @param schema undefined if the request takes no parameters
 * @throws BadRequestError 400 for a parameter that is unknown, missing or invalid
 */
export const parseParameters = <Q extends TObject = TObject<Record<never, never>>>(
  raw: Record<string, unknown>,
  schema: Q | undefined,
): Static<Q> => {
  rejectUnknownKeys(raw, Object.keys(schema?.properties ?? {}));
  return parseDeclaredParameters(raw, schema);
};

/** Like `parseParameters`, but ignores undeclared parameters: the query string of a list has others. */
export const parseDeclaredParameters = <Q extends TObject>(
  raw: Record<string, unknown>,
  schema: Q | undefined,
): Static<Q> => {
  const required: readonly string[] = schema?.required ?? [];
  const flags: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema?.properties ?? {})) {
    const scalar = readScalarSchema(property);
    if (scalar === undefined)
      throw new TypeError(`The query parameter ${name} must have the schema of a single value.`);
    const sent = Object.hasOwn(raw, name) ? raw[name] : undefined;
    if (sent !== undefined) {
      const value = parseScalar(name, sent, scalar);
      const expected = expectedByLimits(value, scalar);
      if (expected !== undefined) {
        const advice = 'Send a value that fits.';
        throw invalidField({ field: name, expected, got: describeValue(sent), advice });
      }
      flags[name] = value;
    } else if ('default' in property) flags[name] = property.default;
    else if (required.includes(name)) {
      const expected = 'present in the query string';
      throw invalidField({ field: name, expected, got: 'nothing', advice: `Send ${name}=value.` });
    }
  }
  return flags as Static<Q>;
};

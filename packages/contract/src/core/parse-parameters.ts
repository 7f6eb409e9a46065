import { badField } from '@redoubt/errors';
import type { Static, TObject } from 'typebox';
import { quoteForMessage, parseScalar } from './parse-scalar.ts';
import { readScalarSchema, type Scalar, type ScalarValue } from './scalar.ts';

/** The keys of `raw` that `allowed` lacks are refused, so that a misspelt parameter is never ignored. */
export const rejectUnknownKeys = (raw: Record<string, unknown>, allowed: readonly string[]): void => {
  for (const [key, sent] of Object.entries(raw)) {
    if (allowed.includes(key)) continue;
    const offer = allowed.length === 0 ? 'None is allowed.' : `Allowed are: ${allowed.join(', ')}.`;
    throw badField(
      truncateForMessage(key),
      `is no parameter of this call (sent: ${quoteForMessage(sent)}). ${offer}`,
    );
  }
};

/** A key as it is quoted in an error. */
export const truncateForMessage = (key: string): string => (key.length > 100 ? `${key.slice(0, 100)}…` : key);

const limitFault = (value: ScalarValue, scalar: Scalar): string | undefined => {
  if (typeof value === 'number') {
    if (scalar.minimum !== undefined && value < scalar.minimum) return `Send at least ${scalar.minimum}.`;
    if (scalar.maximum !== undefined && value > scalar.maximum) return `Send at most ${scalar.maximum}.`;
  }
  if (typeof value === 'string') {
    const { minLength = 0, maxLength = value.length, pattern } = scalar;
    if (value.length < minLength || value.length > maxLength) {
      return scalar.maxLength === undefined
        ? `Send at least ${minLength} characters.`
        : `Send ${minLength} to ${scalar.maxLength} characters.`;
    }
    if (pattern !== undefined && !new RegExp(pattern, 'u').test(value))
      return `Send a text that matches ${pattern}.`;
  }
  return undefined;
};

/**
 * The declared parameters of a plain query string, typed by their schemas: booleans in any spelling
 * (`True`, `FALSE`), whole numbers, numbers, times and texts. Absent ones take the default of their schema.
 * @param raw the query string as the `qs` library parses it
 * @param schema undefined where the call takes no parameters
 * @throws BadRequestError 400 naming an unknown, missing or unfit parameter
 */
export const parseParameters = <Q extends TObject = TObject<Record<never, never>>>(
  raw: Record<string, unknown>,
  schema: Q | undefined,
): Static<Q> => {
  rejectUnknownKeys(raw, Object.keys(schema?.properties ?? {}));
  return parseDeclaredParameters(raw, schema);
};

/** As `parseParameters`, for a query string that also holds other parameters. */
export const parseDeclaredParameters = <Q extends TObject>(
  raw: Record<string, unknown>,
  schema: Q | undefined,
): Static<Q> => {
  const required: readonly string[] = schema?.required ?? [];
  const flags: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema?.properties ?? {})) {
    const scalar = readScalarSchema(property);
    if (scalar === undefined)
      throw new TypeError(`The query parameter ${name} has no schema of a single value.`);
    const sent = Object.hasOwn(raw, name) ? raw[name] : undefined;
    if (sent !== undefined) {
      const value = parseScalar(name, sent, scalar);
      const fault = limitFault(value, scalar);
      if (fault !== undefined) throw badField(name, `${quoteForMessage(sent)} does not fit. ${fault}`);
      flags[name] = value;
    } else if ('default' in property) flags[name] = property.default;
    else if (required.includes(name)) throw badField(name, 'is missing. Send it in the query string.');
  }
  return flags as Static<Q>;
};

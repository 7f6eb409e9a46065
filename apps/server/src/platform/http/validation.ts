import { truncateForMessage } from '@redoubt/contract';
import { badRequest, type FieldError } from '@redoubt/errors';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { validationMessage } from './validation-messages.ts';

const createAjv = (allErrors: boolean): Ajv2020 => {
  const ajv = new Ajv2020({ allErrors, verbose: true, strict: false, discriminator: false });
  addFormats.default(ajv);
  return ajv;
};
const firstErrorAjv = createAjv(false);
const allErrorsAjv = createAjv(true);

/** Throws 400 with a message for each wrong field: what is expected, what was sent, and what to do. */
export type Validator = (value: unknown) => void;

/** Compiles the schema at the first use: compiling all of them took a sixth of the start, and most are rarely used. */
const compileLazily = (ajv: Ajv2020, schema: TSchema): (() => ValidateFunction) => {
  let validate: ValidateFunction | undefined;
  return () => (validate ??= ajv.compile(schema));
};

/** A validator of one part of a request: `body`, `path`, `query`, or `config` of a job. */
export const createValidator = (schema: TSchema, part: string): Validator => {
  const validator = compileLazily(firstErrorAjv, schema);
  const explainer = compileLazily(allErrorsAjv, schema);
  return (value) => {
    const validate = validator();
    if (validate(value)) return;
    const explain = explainer();
    const isExplained = isSmall(value) && !explain(value);
    const errors = toFieldErrors((isExplained ? explain : validate).errors ?? [], schema, part);
    throw badRequest(errors.map(({ message }) => message).join(' '), errors);
  };
};

/** Only values up to this size are checked for all errors: each error costs far more than the value that causes it. */
const maxExplainedValues = 200;

/** Whether a JSON value holds at most `maxExplainedValues`. It stops counting above that. */
const isSmall = (value: unknown): boolean => {
  const open = [value];
  for (const next of open) {
    if (typeof next !== 'object' || next === null) continue;
    for (const key in next) {
      if (open.length > maxExplainedValues) return false;
      open.push((next as Record<string, unknown>)[key]);
    }
  }
  return true;
};

/** Maximum number of errors in a message; further ones are left out. */
const maxErrors = 20;

const fieldOf = (error: ErrorObject, part: string, key?: unknown): string => {
  const path = error.instancePath.split('/').slice(1);
  if (typeof key === 'string') path.push(key);
  return path.length === 0
    ? part
    : path.map((step) => truncateForMessage(step.replaceAll('~1', '/').replaceAll('~0', '~'))).join('.');
};

/** Values of such fields are never quoted. */
const secretNames = /password|secret|token|key/i;

/** The errors that a client can act on: those of the branches of a union are folded into one. */
const toFieldErrors = (errors: readonly ErrorObject[], schema: TSchema, part: string): FieldError[] => {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf').map(({ schemaPath }) => schemaPath);
  const isInUnion = (error: ErrorObject): boolean =>
    unions.some((union) => error.schemaPath.startsWith(`${union}/`));
  return errors
    .filter((error) => !isInUnion(error))
    .slice(0, maxErrors)
    .map((error) => {
      const field = fieldOf(error, part, error.params.missingProperty ?? error.params.additionalProperty);
      const isSecret = secretNames.test(field);
      const message = validationMessage(error, {
        field,
        part,
        isSecret,
        isOptional: isOptional(error, schema),
      });
      return { field, message };
    });
};

const decodePart = (part: string): string =>
  decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');

/** Whether the field of the error is optional in the object that holds it. */
const isOptional = ({ schemaPath }: ErrorObject, schema: TSchema): boolean => {
  const keys = schemaPath.split('/').slice(1, -1).map(decodePart);
  const name = keys.pop();
  if (name === undefined || keys.pop() !== 'properties') return false;
  let holder: unknown = schema;
  for (const key of keys) holder = (holder as Record<string, unknown> | undefined)?.[key];
  const required = (holder as { required?: readonly string[] } | undefined)?.required;
  return holder !== undefined && required?.includes(name) !== true;
};

import { truncateForMessage } from '@redoubt/contract';
import { badRequest, type FieldError } from '@redoubt/errors';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';

const createAjv = (allErrors: boolean): Ajv2020 => {
  const ajv = new Ajv2020({ allErrors, verbose: true, strict: false, discriminator: false });
  addFormats.default(ajv);
  return ajv;
};
const toFirstFault = createAjv(false);
const toAllFaults = createAjv(true);

/** Throws 400, naming each field at fault and the value that was sent. `where` is `body`, `path` or `query`. */
export type Validator = (value: unknown) => void;

/** Made when it is first asked for: to make all of them was a sixth of a start, and most are not needed for long. */
const whenAsked = (ajv: Ajv2020, schema: TSchema): (() => ValidateFunction) => {
  let made: ValidateFunction | undefined;
  return () => (made ??= ajv.compile(schema));
};

export const createValidator = (schema: TSchema, where: string): Validator => {
  const validator = whenAsked(toFirstFault, schema);
  const explainer = whenAsked(toAllFaults, schema);
  return (value) => {
    const validate = validator();
    if (validate(value)) return;
    const explain = explainer();
    const isExplained = isSmall(value) && !explain(value);
    const faults = faultsOf((isExplained ? explain : validate).errors ?? [], where);
    throw badRequest(faults.map(({ field, message }) => `${field}: ${message}`).join(' '), faults);
  };
};

/** The most values for which every fault is looked for: each costs far more than the value that has it. */
const smallSize = 200;

/** Whether a JSON value holds few values; the count stops where it is known not to. */
const isSmall = (value: unknown): boolean => {
  const open = [value];
  for (const next of open) {
    if (typeof next !== 'object' || next === null) continue;
    for (const key in next) {
      if (open.length > smallSize) return false;
      open.push((next as Record<string, unknown>)[key]);
    }
  }
  return true;
};

const maxShown = 80;
const maxFaults = 20;

/** A value as a message may quote it: short. */
const quote = (value: unknown): string => {
  const text = jsonOf(value) ?? 'nothing';
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
};

/** A value can be read that is nested too deep to be written again. */
const jsonOf = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return 'a deeply nested value';
    throw error;
  }
};

const fieldOf = (error: ErrorObject, where: string, key?: unknown): string => {
  const path = error.instancePath.split('/').slice(1);
  if (typeof key === 'string') path.push(key);
  return path.length === 0
    ? where
    : path.map((part) => truncateForMessage(part.replaceAll('~1', '/').replaceAll('~0', '~'))).join('.');
};

/** The faults that a person can act on: branches of a union are folded into one. */
const faultsOf = (errors: readonly ErrorObject[], where: string): FieldError[] => {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf').map(({ schemaPath }) => schemaPath);
  const inUnion = (error: ErrorObject): boolean =>
    unions.some((union) => error.schemaPath.startsWith(`${union}/`));
  const secrets = /password|secret|token|key/i;
  return errors
    .filter((error) => !inUnion(error))
    .slice(0, maxFaults)
    .map((error) => {
      const field = fieldOf(error, where, error.params.missingProperty ?? error.params.additionalProperty);
      const sent = secrets.test(field) ? 'the value sent' : quote(error.data);
      return { field, message: messageFor(error, sent) };
    });
};

const messageFor = (error: ErrorObject, sent: string): string => {
  const { keyword, params } = error;
  switch (keyword) {
    case 'required':
      return 'is required.';
    case 'additionalProperties': {
      const known = Object.keys((error.parentSchema?.properties as object | undefined) ?? {});
      return known.length === 0 ? 'is not known here.' : `is not known here; known are ${known.join(', ')}.`;
    }
    case 'type':
      if (error.data === undefined) return `was not sent; send one of type ${String(params.type)}.`;
      return `${sent} is no ${String(params.type)}.`;
    case 'const':
      return `${sent} is not ${quote(params.allowedValue)}.`;
    case 'enum':
      return `${sent} is none of ${(params.allowedValues as unknown[]).map(quote).join(', ')}.`;
    case 'anyOf':
      return `${sent} does not fit (${wordsFor(error) ?? alternatives(error.schema).join(', ')}).`;
    case 'maxLength':
      return `is longer than ${String(params.limit)} characters.`;
    case 'minLength':
      return params.limit === 1
        ? 'must not be empty.'
        : `is shorter than ${String(params.limit)} characters.`;
    case 'format':
      return `${sent} is no ${String(params.format)}.`;
    case 'pattern':
      return `${sent} does not have the form asked for (${wordsFor(error) ?? String(params.pattern)}).`;
    default:
      return `${sent} ${error.message ?? 'is not allowed'}.`;
  }
};

/** What is asked for, where the schema says it in words. */
const wordsFor = ({ parentSchema }: ErrorObject): string | undefined => {
  const words: unknown = parentSchema?.description;
  return typeof words === 'string' ? words.replace(/\.$/, '') : undefined;
};

/** What each branch of a union takes, in words. */
const alternatives = (branches: unknown): string[] =>
  (branches as { const?: unknown; type?: string; pattern?: string }[]).map((branch) =>
    branch.const === undefined ? `type ${branch.type ?? 'any'}` : quote(branch.const),
  );

import { describeValue, expectedMessage, unknownFieldMessage, type Mismatch } from '@redoubt/errors';
import type { ErrorObject } from 'ajv/dist/2020.js';

const typeNames: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

const nameType = (type: unknown): string => typeNames[String(type)] ?? String(type);

const quote = (value: unknown): string => JSON.stringify(value);

/** The sentence with which the schema describes the field, without its full stop, in parentheses. */
const descriptionPart = ({ parentSchema }: ErrorObject): string => {
  const description: unknown = parentSchema?.description;
  return typeof description === 'string' ? ` (${description.replace(/\.$/, '')})` : '';
};

const describeBranches = (branches: unknown): string =>
  (branches as { const?: unknown; type?: string }[])
    .map((branch) => (branch.const === undefined ? nameType(branch.type ?? 'any') : quote(branch.const)))
    .join(' or ');

type Requirement = Pick<Mismatch, 'expected' | 'advice'>;

const requirementOf = (error: ErrorObject): Requirement | undefined => {
  const { keyword, params } = error;
  const limit = String(params.limit);
  switch (keyword) {
    case 'type':
      return { expected: nameType(params.type), advice: `Send ${nameType(params.type)}` };
    case 'const':
      return { expected: quote(params.allowedValue), advice: 'Send this value' };
    case 'enum':
      return {
        expected: `one of ${(params.allowedValues as unknown[]).map(quote).join(', ')}`,
        advice: 'Send one of these values',
      };
    case 'anyOf': {
      const alternatives = describeBranches(error.schema);
      const description = descriptionPart(error);
      return { expected: `${alternatives}${description}`, advice: 'Send one of these' };
    }
    case 'maxLength':
      return { expected: `at most ${limit} characters long`, advice: 'Send a shorter string' };
    case 'minLength':
      return params.limit === 1
        ? { expected: 'a non-empty string', advice: 'Send at least one character' }
        : { expected: `at least ${limit} characters long`, advice: 'Send a longer string' };
    case 'minimum':
      return { expected: `at least ${limit}`, advice: 'Send a larger number' };
    case 'maximum':
      return { expected: `at most ${limit}`, advice: 'Send a smaller number' };
    case 'minItems':
      return { expected: `an array of at least ${limit} values`, advice: 'Send more values' };
    case 'maxItems':
      return { expected: `an array of at most ${limit} values`, advice: 'Send fewer values' };
    case 'uniqueItems':
      return { expected: 'an array without duplicates', advice: 'Send each value once' };
    case 'format':
      return params.format === 'date-time'
        ? { expected: 'a timestamp with a time zone', advice: 'Send one such as 2024-01-31T12:00:00Z' }
        : { expected: `a valid ${String(params.format)}`, advice: 'Send a string of this format' };
    case 'pattern': {
      const form = descriptionPart(error) || ` (${String(params.pattern)})`;
      return { expected: `a string of the documented form${form}`, advice: 'Send a string of this form' };
    }
    default:
      return undefined;
  }
};

/** The position of a field, and whether its value may appear in a message. */
interface FieldContext {
  field: string;
  /** The part of the request: `body`, `path` or `query`. */
  part: string;
  /** The request may lack the field. */
  isOptional: boolean;
  /** The value must not be quoted. */
  isSecret: boolean;
}

/** The message for one error of the schema check: what is expected, what was sent, and what to do. */
export const validationMessage = (error: ErrorObject, context: FieldContext): string => {
  const { field, part, isOptional, isSecret } = context;
  if (error.keyword === 'required') {
    return expectedMessage({ field, expected: 'present', got: 'nothing', advice: `Add it to the ${part}.` });
  }
  if (error.keyword === 'additionalProperties') {
    const known = Object.keys((error.parentSchema?.properties as object | undefined) ?? {});
    return unknownFieldMessage({ field, kind: 'a known field', known });
  }
  const got = isSecret ? undefined : describeValue(error.data);
  const requirement = requirementOf(error);
  if (requirement === undefined) {
    const expected = `valid: it ${error.message ?? 'is not allowed'}`;
    return expectedMessage({ field, expected, got, advice: 'See the description of this request.' });
  }
  const advice = `${requirement.advice}${isOptional ? ' or leave it out' : ''}.`;
  return expectedMessage({ field, expected: requirement.expected, got, advice });
};

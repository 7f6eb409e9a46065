/** What a field must be, what was sent instead, and what to do. */
export interface Mismatch {
  /** A path such as `records.3.city` or `$sort[name]`. */
  field: string;
  /** What follows "must be": `an object`, `at least 1`. */
  expected: string;
  /** What was sent, from `describeValue`. Leave it out for secrets. */
  got?: string | undefined;
  /** One sentence or more: what the client can do. */
  advice: string;
}

/** A field that does not exist. */
export interface UnknownField {
  field: string;
  /** What follows "is not": `a parameter of this request`. */
  kind: string;
  /** What was sent in it, from `describeValue`. */
  got?: string | undefined;
  /** The names that exist in its place. */
  known: readonly string[];
}

const gotPart = (got: string | undefined): string => (got === undefined ? '' : `, got ${got}`);

/**
 * The message for a value that does not fit.
 *
 * @example
 * expectedMessage({
 *   field: 'securityLabelInfo',
 *   expected: 'an object',
 *   got: describeValue('A&B'),
 *   advice: 'Send an object or leave it out.',
 * });
 * // securityLabelInfo must be an object, got the string "A&B". Send an object or leave it out.
 */
export const expectedMessage = ({ field, expected, got, advice }: Mismatch): string =>
  `${field} must be ${expected}${gotPart(got)}. ${advice}`;

/** The message for a field that does not exist: it names the fields that do. */
export const unknownFieldMessage = ({ field, kind, got, known }: UnknownField): string => {
  const advice = known.length === 0 ? 'Leave it out.' : `Use one of: ${known.join(', ')}.`;
  return `${field} is not ${kind}${gotPart(got)}. ${advice}`;
};

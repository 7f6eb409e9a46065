/** Longer strings are cut in messages. */
const maxQuoted = 100;

const describeString = (value: string): string =>
  value.length <= maxQuoted
    ? `the string ${JSON.stringify(value)}`
    : `the string ${JSON.stringify(`${value.slice(0, maxQuoted)}…`)} of ${value.length} characters`;

const describeArray = ({ length }: readonly unknown[]): string => {
  if (length === 0) return 'an empty array';
  return length === 1 ? 'an array of 1 value' : `an array of ${length} values`;
};

/**
 * Describes a value that a client sent, for an error message: `the string "A&B"`, `the number 5`, `true`,
 * `an array of 2 values`, `an object`, `null`, or `nothing` for undefined. The text is short for any value, and
 * objects are never read. Do not pass secrets: strings are quoted.
 */
export const describeValue = (value: unknown): string => {
  if (typeof value === 'string') return describeString(value);
  if (typeof value === 'number' || typeof value === 'bigint') return `the number ${value}`;
  if (typeof value === 'boolean') return String(value);
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return describeArray(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};

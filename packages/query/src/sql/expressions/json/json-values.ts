import { letIn } from '../engine-sql.ts';
import { printCanonicalContainer } from './json-canonical.ts';
import { memberByKey, elementByIndex, numberText, stringText } from './json-access.ts';

/**
 * Compiles `body` with the JSON value bound to `j_text`, and the other values to their names. NULL if any of them is
 * NULL, so in `body` none is.
 */
export const bindJsonValue = (
  value: string,
  body: string,
  others: Readonly<Record<string, string>> = {},
): string => {
  const names = Object.keys(others);
  const absent = ['j_value', ...names.map((name) => `${name}_or_null`)]
    .map((name) => `isNull(${name})`)
    .join(' OR ');
  const given = Object.fromEntries(Object.entries(others).map(([name, sql]) => [`${name}_or_null`, sql]));
  const present = Object.fromEntries(names.map((name) => [name, `assumeNotNull(${name}_or_null)`]));
  const inside = letIn({ j_text: `ifNull(j_value, 'null')`, ...present }, body);
  return letIn({ j_value: value, ...given }, `if(${absent}, NULL, ${inside})`);
};

export const jsonMemberByKey = (value: string, key: string): string =>
  bindJsonValue(value, memberByKey('j_text', 'j_key'), { j_key: key });

/** Compiles the element by index; NULL if there is none. A scalar counts as an array of one element. */
export const jsonElementByIndex = (value: string, place: string): string =>
  bindJsonValue(
    value,
    `if(j_place IN (0, -1) AND NOT match(j_text, '^[{[]'), toNullable(j_text), ${elementByIndex('j_text', 'j_place')})`,
    { j_place: place },
  );

/** The member for a step of a path. The step is an index if it is an integer and the value is an array. */
export const jsonMemberByPathStep = (value: string, step: string): string => {
  const place = `toInt64OrZero(substring(j_step, 1, 18))`;
  const inArray = `if(match(j_step, '^[ ]*[+-]?[0-9]{1,9}$'), ${elementByIndex('j_text', place)}, NULL)`;
  return bindJsonValue(value, `if(startsWith(j_text, '['), ${inArray}, ${memberByKey('j_text', 'j_step')})`, {
    j_step: step,
  });
};

/** The value as text: strings without quotes, and NULL for null. */
export const jsonText = (value: string): string =>
  bindJsonValue(
    value,
    `multiIf(j_text = 'null', NULL, startsWith(j_text, '"'), toNullable(${stringText('j_text')}), match(j_text, '^[-0-9]'), ${numberText('j_text')}, match(j_text, '^[{[]'), toNullable(${printCanonicalContainer('j_text')}), toNullable(j_text))`,
  );

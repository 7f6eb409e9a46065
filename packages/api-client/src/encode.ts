import { describeValue, invalidField } from '@redoubt/errors';

/**
 * Fills in the parameters of a path, each as one segment.
 * @throws BadRequestError for an empty value, `.` or `..`, which would lead to another path
 */
export const encodePath = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{([^}]*)\}/g, (_whole, name: string) => {
    const value = params[name] ?? '';
    if (value === '' || value === '.' || value === '..') {
      const got = describeValue(value);
      throw invalidField({
        field: name,
        expected: 'an id that a path can contain',
        got,
        advice: 'Send an id.',
      });
    }
    return encodeURIComponent(value);
  });

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const pairsOf = (key: string, value: unknown): string[] => {
  if (value === undefined) return [];
  if (!isObject(value)) {
    const scalar = value as string | number | boolean | null;
    return [`${encodeURIComponent(key)}=${encodeURIComponent(String(scalar))}`];
  }
  if (!Array.isArray(value)) {
    return Object.entries(value).flatMap(([name, inner]) => pairsOf(`${key}[${name}]`, inner));
  }
  if (value.length === 0) {
    throw invalidField({
      field: key,
      expected: 'an array with at least one value',
      got: describeValue(value),
      advice: 'Send at least one value: a query string cannot express an empty array.',
    });
  }
  return value.flatMap((inner, index) => pairsOf(isObject(inner) ? `${key}[${index}]` : `${key}[]`, inner));
};

/**
 * Encodes a query string with brackets for nested values: `$sort[name]=1`, `size[$in][]=1`, `$or[0][name]=a`. Undefined
 * values are left out, and null becomes `null`. The result starts with a question mark unless it is empty.
 * @throws BadRequestError for an empty array, which a query string cannot express
 */
export const encodeQuery = (query: Readonly<Record<string, unknown>>): string => {
  const pairs = Object.entries(query).flatMap(([key, value]) => pairsOf(key, value));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
};

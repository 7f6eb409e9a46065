import { badField } from '@redoubt/errors';

/** The path with its parameters put in, each as one segment that no server takes for another path. */
export const encodePath = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{([^}]*)\}/g, (_whole, name: string) => {
    const value = params[name] ?? '';
    if (value === '' || value === '.' || value === '..') {
      throw badField(name, `${JSON.stringify(value)} cannot stand in a path. Send an id.`);
    }
    return encodeURIComponent(value);
  });

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

const pairsOf = (key: string, value: unknown): string[] => {
  if (value === undefined) return [];
  if (!isNested(value)) {
    const scalar = value as string | number | boolean | null;
    return [`${encodeURIComponent(key)}=${encodeURIComponent(String(scalar))}`];
  }
  if (!Array.isArray(value)) {
    return Object.entries(value).flatMap(([name, inner]) => pairsOf(`${key}[${name}]`, inner));
  }
  if (value.length === 0) {
    throw badField(
      key,
      'a list without values was sent, and a query string cannot say that. Send one value or more.',
    );
  }
  return value.flatMap((inner, index) => pairsOf(isNested(inner) ? `${key}[${index}]` : `${key}[]`, inner));
};

/**
 * A query string with brackets for what is nested: `$sort[name]=1`, `size[$in][]=1`, `$or[0][name]=a`.
 * Undefined is left out and null is the text `null`. It is empty, or begins with a question mark.
 */
export const encodeQuery = (query: Readonly<Record<string, unknown>>): string => {
  const pairs = Object.entries(query).flatMap(([key, value]) => pairsOf(key, value));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
};

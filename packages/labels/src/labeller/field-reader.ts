/** The values of a field in a record, or the path of the list (`at`) that blocks the way to it. */
export type FieldLookup =
  | { readonly kind: 'values'; readonly values: readonly unknown[] }
  | { readonly kind: 'blocked'; readonly at: string };

type JsonObject = Readonly<Record<string, unknown>>;

/** Callers handle lists first. */
const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;

const ownValue = (record: JsonObject, key: string): unknown[] =>
  Object.hasOwn(record, key) ? [record[key]] : [];

/**
 * Creates a function that reads one field of a record. A name with dots means both the key of that name and the path
 * into nested objects; a record that has both yields both values. A list on the path blocks it, because a label may be
 * inside the list. A scalar on the path has no fields, so the path finds nothing.
 */
export function createFieldReader(field: string): (record: JsonObject) => FieldLookup {
  const path = field.split('.');
  const name = path.pop();

  return (record) => {
    const values = ownValue(record, field);
    if (path.length === 0) return { kind: 'values', values };
    let parent = record;
    for (const [depth, key] of path.entries()) {
      const [value] = ownValue(parent, key);
      if (Array.isArray(value)) return { kind: 'blocked', at: path.slice(0, depth + 1).join('.') };
      if (!isObject(value)) return { kind: 'values', values };
      parent = value;
    }
    return { kind: 'values', values: [...values, ...ownValue(parent, String(name))] };
  };
}

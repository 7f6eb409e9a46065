/** What a record holds under a field's name, or where a path towards it does not go on. */
export type FieldLookup =
  | { readonly kind: 'values'; readonly values: readonly unknown[] }
  | { readonly kind: 'blocked'; readonly at: string };

type JsonObject = Readonly<Record<string, unknown>>;

/** Lists are told apart before. */
const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;

const own = (record: JsonObject, key: string): unknown[] => (Object.hasOwn(record, key) ? [record[key]] : []);

/**
 * Makes the reader of one field. A name with dots is a key of that very name, and also a path into nested objects;
 * a record that has both has both values. Where a path comes to a list it is blocked: a label may be in there
 * where it was not looked for. A text, number, boolean or null holds no fields, so there the path finds nothing.
 */
export function createFieldReader(field: string): (record: JsonObject) => FieldLookup {
  const path = field.split('.');
  const name = path.pop();

  return (record) => {
    const values = own(record, field);
    if (path.length === 0) return { kind: 'values', values };
    let parent = record;
    for (const [depth, key] of path.entries()) {
      const [value] = own(parent, key);
      if (Array.isArray(value)) return { kind: 'blocked', at: path.slice(0, depth + 1).join('.') };
      if (!isObject(value)) return { kind: 'values', values };
      parent = value;
    }
    return { kind: 'values', values: [...values, ...own(parent, String(name))] };
  };
}

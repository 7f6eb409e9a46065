import { DamagedFile, UnsupportedFile } from '../damaged-file.ts';

type Attributes = Readonly<Record<string, unknown>>;

export interface AvroField {
  readonly name: string;
  readonly type: AvroType;
}

/** A type of a schema. Named types may contain themselves. */
export type AvroType =
  | { readonly kind: 'primitive'; readonly name: string; readonly attributes: Attributes }
  | { readonly kind: 'fixed'; readonly name: string; readonly size: number; readonly attributes: Attributes }
  | { readonly kind: 'enum'; readonly name: string; readonly symbols: readonly string[] }
  | { readonly kind: 'record'; readonly name: string; fields: readonly AvroField[] }
  | { readonly kind: 'array' | 'map'; readonly name: string; readonly items: AvroType }
  | { readonly kind: 'union'; readonly name: 'union'; readonly branches: readonly AvroType[] };

const primitives = new Set(['null', 'boolean', 'int', 'long', 'float', 'double', 'bytes', 'string']);
/** The maximum nesting depth of types. */
const maxDepth = 200;

const fail = (what: string): never => {
  throw new DamagedFile(`its schema is not valid: ${what.slice(0, 100)}`);
};

const isObject = (value: unknown): value is Attributes =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown, what: string): string => (typeof value === 'string' ? value : fail(what));

/**
 * The type of the records of a file.
 * @param references schemas whose named types the schema may use; each may use those of the ones before it
 * @throws Error for a schema that is not valid or not supported
 */
export function parseSchema(json: string, references: readonly string[] = []): AvroType {
  const named = new Map<string, AvroType>();

  function parse(schema: unknown, space: string, depth: number): AvroType {
    if (depth > maxDepth) {
      throw new UnsupportedFile(`the types of its schema are nested more than ${String(maxDepth)} deep.`);
    }
    if (Array.isArray(schema)) {
      const branches = schema.map((branch: unknown) => parse(branch, space, depth + 1));
      if (branches.length === 0) fail('a union has no types');
      return { kind: 'union', name: 'union', branches };
    }
    if (typeof schema === 'string') return reference(schema, space, {});
    if (!isObject(schema)) return fail('a type is neither text, list nor object');
    const type = schema['type'];
    if (typeof type !== 'string') return parse(type, space, depth + 1);
    switch (type) {
      case 'record':
      case 'error':
        return parseRecord(schema, space, depth);
      case 'enum': {
        const { name } = nameOf(schema, space);
        const symbols = Array.isArray(schema['symbols']) ? schema['symbols'] : fail('an enum has no symbols');
        return define(name, {
          kind: 'enum',
          name,
          symbols: symbols.map((symbol) => textOf(symbol, 'a symbol is no text')),
        });
      }
      case 'fixed': {
        const { name } = nameOf(schema, space);
        const size = Number(schema['size']);
        if (!(Number.isInteger(size) && size >= 0)) fail('a fixed type has no size');
        return define(name, { kind: 'fixed', name, size, attributes: schema });
      }
      case 'array':
      case 'map':
        return {
          kind: type,
          name: type,
          items: parse(schema[type === 'array' ? 'items' : 'values'], space, depth + 1),
        };
      default:
        return reference(type, space, schema);
    }
  }

  function parseRecord(schema: Attributes, space: string, depth: number): AvroType {
    const { name, inner } = nameOf(schema, space);
    const record: AvroType & { kind: 'record' } = { kind: 'record', name, fields: [] };
    define(name, record);
    const fields = Array.isArray(schema['fields'])
      ? (schema['fields'] as unknown[])
      : fail('a record has no fields');
    record.fields = fields.map((field) => {
      if (!isObject(field)) return fail('a field is not an object');
      return {
        name: textOf(field['name'], 'a field has no name'),
        type: parse(field['type'], inner, depth + 1),
      };
    });
    const names = record.fields.map((field) => field.name);
    if (new Set(names).size !== names.length) fail(`the record ${name} has a field twice`);
    return record;
  }

  function reference(name: string, space: string, attributes: Attributes): AvroType {
    if (primitives.has(name)) return { kind: 'primitive', name, attributes };
    const full = name.includes('.') || space === '' ? name : `${space}.${name}`;
    return named.get(full) ?? named.get(name) ?? fail(`there is no type ${name}`);
  }

  function define(name: string, type: AvroType): AvroType {
    if (named.has(name) || primitives.has(name)) fail(`the type ${name} is there twice`);
    named.set(name, type);
    return type;
  }

  for (const referred of references) parse(parseJson(referred), '', 0);
  return parse(parseJson(json), '', 0);
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return fail('it is no JSON');
  }
};

/** The full name of a named type, and the namespace of the names inside it. */
function nameOf(schema: Attributes, space: string): { name: string; inner: string } {
  const name = textOf(schema['name'], 'a type has no name');
  const own = typeof schema['namespace'] === 'string' ? schema['namespace'] : space;
  const full = name.includes('.') || own === '' ? name : `${own}.${name}`;
  return { name: full, inner: full.includes('.') ? full.slice(0, full.lastIndexOf('.')) : '' };
}

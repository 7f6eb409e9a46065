import { Type, type TProperties, type TSchema } from 'typebox';
import { strictObject } from '../core/fields.ts';
import { defaultPageSize, type ListDescriptor } from '../core/list.ts';
import { readFilterSchemas } from '../core/list-query.ts';
import type { RouteDescriptor } from '../core/route.ts';
import type { Scalar, ScalarKind } from '../core/scalar.ts';
import type { Json, SchemaCollector } from './schemas.ts';

const deepObject = { style: 'deepObject', explode: true };

const limit = Type.Integer({ minimum: -1, default: defaultPageSize });
const skip = Type.Integer({ minimum: 0, default: 0 });
const direction = Type.Enum([1, -1], { type: 'integer' });

const kinds: Record<ScalarKind, { title: string; value: TSchema }> = {
  integer: { title: 'IntegerOperators', value: Type.Integer() },
  number: { title: 'NumberOperators', value: Type.Number() },
  boolean: { title: 'BooleanOperators', value: Type.Boolean() },
  text: { title: 'TextOperators', value: Type.String() },
  'date-time': { title: 'TimeOperators', value: Type.String({ format: 'date-time' }) },
};

const operatorsOf = (kind: ScalarKind): TSchema => {
  const { title, value } = kinds[kind];
  const one = Type.Optional(value);
  const many = Type.Optional(Type.Array(value));
  const order = kind === 'boolean' ? {} : { $lt: one, $lte: one, $gt: one, $gte: one };
  return strictObject(
    { $ne: one, ...order, $in: many, $nin: many },
    {
      title,
      description: 'Comparisons that must all hold; `$in` and `$nin` take several values as `[$in][]=`.',
    },
  );
};

const filterSchema = ({ kind, values }: Scalar): TSchema =>
  Type.Union([
    values === undefined ? kinds[kind].value : Type.Union(values.map((value) => Type.Literal(value))),
    operatorsOf(kind),
  ]);

const filterDescription = (field: string, { nullable }: Scalar): string =>
  `Only entries whose ${field} is this, or compares so: \`${field}[$ne]=\`${nullable ? '; `null` means none' : ''}.`;

const listParameters = (
  list: ListDescriptor,
  taken: ReadonlySet<string>,
  schemas: SchemaCollector,
): Json[] => {
  const filters = [...readFilterSchemas(list)].filter(([field]) => !taken.has(field));
  const sortKeys: TProperties = Object.fromEntries(
    list.filters.map((field) => [field, Type.Optional(direction)]),
  );
  const group: TProperties = Object.fromEntries(
    filters.map(([field, scalar]) => [field, Type.Optional(filterSchema(scalar))]),
  );
  const parameter = (name: string, description: string, schema: TSchema, style: Json = {}): Json => ({
    name,
    in: 'query',
    description,
    ...style,
    schema: schemas.convert(schema),
  });
  return [
    parameter('$limit', 'Entries a page; -1 asks for all, 0 for the total alone.', limit),
    parameter('$skip', 'Entries to pass over.', skip),
    parameter('$sort', '`$sort[field]=1` ascending, `-1` descending.', strictObject(sortKeys), deepObject),
    ...filters.map(([field, scalar]) =>
      parameter(field, filterDescription(field, scalar), filterSchema(scalar), deepObject),
    ),
    parameter(
      '$or',
      'Groups of filters, one of which must hold: `$or[0][field]=a&$or[1][field]=b`.',
      Type.Array(strictObject(group)),
      deepObject,
    ),
  ];
};

const declared = (
  place: 'path' | 'query',
  { properties, required = [] }: { properties: TProperties; required?: readonly string[] },
  schemas: SchemaCollector,
): Json[] =>
  Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = schemas.convert(property);
    return {
      name,
      in: place,
      ...(place === 'path' || required.includes(name) ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      schema,
    };
  });

/** The parameters of a call: those of its path, its own in the query string, and the conventions of lists. */
export const toOpenApiParameters = (
  { params, query, list }: RouteDescriptor,
  schemas: SchemaCollector,
): Json[] => [
  ...(params === undefined ? [] : declared('path', params, schemas)),
  ...(query === undefined ? [] : declared('query', query, schemas)),
  ...(list === undefined ? [] : listParameters(list, new Set(Object.keys(query?.properties ?? {})), schemas)),
];

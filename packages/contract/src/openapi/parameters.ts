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
      description: 'Comparisons that must all match. `$in` and `$nin` accept several values as `[$in][]=`.',
    },
  );
};

const filterSchema = ({ kind, values }: Scalar): TSchema =>
  Type.Union([
    values === undefined ? kinds[kind].value : Type.Union(values.map((value) => Type.Literal(value))),
    operatorsOf(kind),
  ]);

const filterDescription = (field: string, { nullable }: Scalar): string =>
  `Returns only entries whose ${field} has this value, or matches a comparison such as \`${field}[$ne]=\`${nullable ? '. `null` finds entries without a value' : ''}.`;

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
    parameter('$limit', 'Entries per page: -1 for all, 0 for only the total.', limit),
    parameter('$skip', 'Entries to skip.', skip),
    parameter(
      '$sort',
      '`$sort[field]=1` sorts in ascending order, `-1` in descending order.',
      strictObject(sortKeys),
      deepObject,
    ),
    ...filters.map(([field, scalar]) =>
      parameter(field, filterDescription(field, scalar), filterSchema(scalar), deepObject),
    ),
    parameter(
      '$or',
      'Groups of filters; at least one group must match: `$or[0][field]=a&$or[1][field]=b`.',
      Type.Array(strictObject(group)),
      deepObject,
    ),
  ];
};

const toParameters = (
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

/** The OpenAPI parameters of a call, in its path and query string, including the list conventions. */
export const toOpenApiParameters = (
  { params, query, list }: RouteDescriptor,
  schemas: SchemaCollector,
): Json[] => [
  ...(params === undefined ? [] : toParameters('path', params, schemas)),
  ...(query === undefined ? [] : toParameters('query', query, schemas)),
  ...(list === undefined ? [] : listParameters(list, new Set(Object.keys(query?.properties ?? {})), schemas)),
];

import * as fc from 'fast-check';

/** Every record has the first two fields, and no record has the last. */
const field = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('i', 'label') },
  { weight: 3, arbitrary: fc.constantFrom('f', 'g', 'h', 'g.x', 'F') },
  { weight: 1, arbitrary: fc.constantFrom('f.y', 'h.f.x', 'nowhere') },
);
const literal = fc.constantFrom(
  '0',
  '1',
  '42',
  '1.5',
  '1e400',
  '18446744073709551616',
  "'fox'",
  "'ÉCOLE'",
  "''",
  "'2024-01-05'",
  'null',
  'true',
);
const type = fc.constantFrom(
  'bigint',
  'numeric',
  'double precision',
  'boolean',
  'text',
  'timestamp',
  'date',
  'jsonb',
);
const direction = fc.constantFrom('', ' desc', ' nulls first', ' desc nulls last');

const value = fc.oneof(
  field,
  fc.tuple(field, type).map(([name, to]) => `${name}::${to}`),
  fc.tuple(field, field).map(([a, b]) => `${a} / ${b}`),
  fc.tuple(field, literal).map(([name, other]) => `coalesce(${name}::text, ${other}::text)`),
  fc
    .tuple(fc.constantFrom('ln', 'sqrt', 'exp'), field)
    .map(([name, of]) => `${name}(${of}::double precision)`),
  fc
    .tuple(fc.constantFrom('upper', 'length', 'md5', 'reverse'), field)
    .map(([name, of]) => `${name}(${of}::text)`),
  fc.tuple(field, field).map(([of, by]) => `lag(${of}) over (order by ${by})`),
);
const condition = fc.oneof(
  fc
    .tuple(field, fc.constantFrom('=', '<>', '<', '>='), literal)
    .map(([name, operator, other]) => `${name} ${operator} ${other}`),
  fc
    .tuple(field, fc.constantFrom('is null', 'is not null', "::text like '%o%'", "::text ~ '(a|o)+x'"))
    .map((parts) => parts.join(' ')),
  fc.tuple(field, type, literal).map(([name, to, other]) => `${name}::${to} = ${other}::${to}`),
  fc.constantFrom(
    'i not in (select i from t where f is not null)',
    'exists (select 1 from t as other where other.i = t.i + 1)',
    '1 / (i - 7) > 0',
  ),
);
const aggregate = fc.oneof(
  fc.constant('count(*)'),
  fc
    .tuple(fc.constantFrom('count', 'min', 'max', 'sum', 'avg', 'array_agg', 'count(distinct '), field)
    .map(([name, of]) => (name.endsWith(' ') ? `${name}${of})` : `${name}(${of})`)),
  field.map((of) => `string_agg(${of}::text, ',')`),
  fc.tuple(field, condition).map(([of, where]) => `max(${of}) filter (where ${where})`),
);
const where = fc.oneof(
  fc.constant(''),
  condition.map((text) => ` where ${text}`),
);
const page = fc.constantFrom('', '', ' limit 3', ' limit 4 offset 2');

const statement = fc.oneof(
  fc
    .tuple(where, field, direction, page)
    .map(([of, by, how, some]) => `select * from t${of} order by ${by}${how}${some}`),
  fc
    .tuple(value, value, where, page)
    .map(([a, b, of, some]) => `select ${a} as a, ${b} as b from t${of}${some}`),
  fc.tuple(aggregate, aggregate, where).map(([a, b, of]) => `select ${a} as a, ${b} as b from t${of}`),
  fc
    .tuple(field, aggregate, where, page)
    .map(([by, a, of, some]) => `select ${by}, ${a} as a from t${of} group by ${by}${some}`),
  fc.tuple(field, page).map(([of, some]) => `select distinct ${of} from t${some}`),
  fc
    .tuple(fc.constantFrom('join', 'left join', 'full join'), field, field)
    .map(([kind, a, b]) => `select x.i as a, y.i as b from t x ${kind} t y on x.${a} = y.${b}`),
  fc
    .tuple(fc.constantFrom('union', 'except', 'intersect all'), field, field)
    .map(([kind, a, b]) => `select ${a} from t ${kind} select ${b} from t`),
);

/**
 * Generates statements over a dataset with the name `t`. Hidden values would change them: fields have other kinds of
 * values in hidden records, casts and divisions would fail, and groups, joins and orders would be different.
 */
export const randomStatements = (count: number, seed: number): string[] =>
  fc.sample(statement, { numRuns: count, seed });

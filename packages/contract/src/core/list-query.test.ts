/* Shows: K-list-size, R-list-limit-default, R-list-filter-or, R-flag-spelling, W-booleans */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RedoubtError } from '@redoubt/errors';
import * as fc from 'fast-check';
import qs from 'qs';
import { Type } from 'typebox';
import { BooleanParameter, IdParam, nullable, strictObject, Timestamp } from './fields.ts';
import { parseParameters } from './parse-parameters.ts';
import { parseListQuery } from './list-query.ts';
import type { ListDescriptor } from './list.ts';

const Thing = strictObject({
  id: IdParam,
  name: Type.String(),
  size: Type.Integer(),
  weight: Type.Number(),
  visible: Type.Boolean(),
  status: Type.Union([Type.Literal('pending'), Type.Literal('active')]),
  role: Type.Enum(['member', 'admin']),
  owner: nullable(Type.String()),
  createdAt: Timestamp,
  tags: Type.Array(Type.String()),
});
const list: ListDescriptor = {
  entity: Thing,
  filters: ['id', 'name', 'size', 'weight', 'visible', 'status', 'role', 'owner', 'createdAt'],
  extraFilters: { token: Type.String() },
};
const flags = strictObject({
  full: Type.Optional(BooleanParameter('Everything.')),
  parent: Type.Optional(IdParam),
});

const parse = (text: string) => qs.parse(text, { depth: 4, plainObjects: true }) as Record<string, unknown>;
const read = (text: string) => readRaw(parse(text));
const conditions = (text: string) => read(text).where;

/** Asserts that the query is rejected with a 400 whose message contains all `parts`. */
const assertRejected = (act: () => unknown, ...parts: string[]) => {
  assert.throws(act, (error) => {
    assert.ok(error instanceof RedoubtError, String(error));
    assert.deepEqual([error.name, error.code], ['BadRequestError', 400]);
    assert.equal(error.errors?.length, 1);
    for (const part of parts) assert.ok(error.message.includes(part), `${error.message} lacks ${part}`);
    return true;
  });
};

const values = (count: number) => Array.from({ length: count }, (_, index) => String(index));
const readRaw = (raw: Record<string, unknown>) => parseListQuery(raw, list, flags);

const assertNoOtherError = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof RedoubtError, String(error));
  }
};

describe('the query string of a list', () => {
  test('an empty query string asks for the first ten entries', () => {
    assert.deepEqual(read(''), { limit: 10, skip: 0, sort: [], where: [], or: [], flags: { full: false } });
  });

  test('$limit accepts 0 and -1, $skip accepts 0 and more', () => {
    assert.equal(read('$limit=-1').limit, -1);
    assert.equal(read('$limit=0').limit, 0);
    assert.equal(read('$limit=250&$skip=7').limit, 250);
    assert.equal(read('$limit=250&$skip=7').skip, 7);
  });

  test('$sort keeps the order of its fields', () => {
    assert.deepEqual(read('$sort[name]=-1&$sort[id]=1').sort, [
      { field: 'name', direction: -1 },
      { field: 'id', direction: 1 },
    ]);
  });

  const parsed: [string, unknown][] = [
    ['name=Ada', { field: 'name', operator: 'eq', value: 'Ada' }],
    ['name=', { field: 'name', operator: 'eq', value: '' }],
    ['name=null', { field: 'name', operator: 'eq', value: 'null' }],
    ['owner=null', { field: 'owner', operator: 'eq', value: null }],
    ['owner[$ne]=null', { field: 'owner', operator: 'ne', value: null }],
    ['size[$gte]=-12', { field: 'size', operator: 'gte', value: -12 }],
    ['weight[$lt]=.5e3', { field: 'weight', operator: 'lt', value: 500 }],
    ['visible=TRUE', { field: 'visible', operator: 'eq', value: true }],
    ['visible[$ne]=False', { field: 'visible', operator: 'ne', value: false }],
    ['status=active', { field: 'status', operator: 'eq', value: 'active' }],
    ['role[$in]=admin', { field: 'role', operator: 'in', value: ['admin'] }],
    ['size[$in][]=1&size[$in][]=2', { field: 'size', operator: 'in', value: [1, 2] }],
    ['owner[$nin][0]=a&owner[$nin][99]=null', { field: 'owner', operator: 'nin', value: ['a', null] }],
    ['token=T', { field: 'token', operator: 'eq', value: 'T' }],
    [
      'createdAt[$lte]=2024-02-29T23:59:59.123%2B01:00',
      { field: 'createdAt', operator: 'lte', value: '2024-02-29T23:59:59.123+01:00' },
    ],
  ];
  for (const [text, condition] of parsed) {
    test(`the filter ${text} is parsed`, () => assert.deepEqual(conditions(text), [condition]));
  }

  test('several operators on one field must all match', () => {
    assert.deepEqual(conditions('size[$gt]=1&size[$lt]=5'), [
      { field: 'size', operator: 'gt', value: 1 },
      { field: 'size', operator: 'lt', value: 5 },
    ]);
  });

  test('$or keeps its groups separate', () => {
    assert.deepEqual(read('$or[0][name]=a&$or[0][size][$gt]=3&$or[1][role][$in][]=admin').or, [
      [
        { field: 'name', operator: 'eq', value: 'a' },
        { field: 'size', operator: 'gt', value: 3 },
      ],
      [{ field: 'role', operator: 'in', value: ['admin'] }],
    ]);
  });

  test('a parameter that is both a flag and a filter counts as the flag', () => {
    const both = parseListQuery({ name: 'x' }, list, strictObject({ name: Type.String() }));
    assert.deepEqual([both.where, both.flags], [[], { name: 'x' }]);
  });

  const rejected: [string, ...string[]][] = [
    ['nmae=Ada', 'nmae', '"Ada"', '$limit', 'name'],
    ['tags=x', 'tags', '"x"'],
    ['constructor=x', 'constructor'],
    ['$select[]=id', '$select'],
    ['$limit=-2', '$limit', '"-2"'],
    ['$limit=ten', '"ten"'],
    ['$limit=1.5', '"1.5"'],
    ['$limit=', '""'],
    ['$limit=99999999999999999999', '$limit'],
    ['$limit=1&$limit=2', 'an array of 2 values'],
    ['$skip=-1', '$skip', '"-1"'],
    ['$sort=name', '"name"', '$sort[field]=1'],
    ['$sort[token]=1', 'token', 'Use one of: id'],
    ['$sort[password]=1', '$sort[password] is not a sort field of this list'],
    ['$sort[name]=asc', '$sort[name]', '"asc"'],
    ['name=a&name=b', 'name[$in][]='],
    ['name[$like]=a', '$like', '$nin'],
    ['name[a][b]=c', 'name[a]'],
    ['name[$ne][a]=c', 'name[$ne]', 'an object'],
    ['name[$ne][]=c', 'an array of 1 value'],
    ['name=%00', String.raw`"\u0000"`, 'NUL'],
    ['size=1.5', '"1.5"'],
    ['size=', 'size', '""'],
    ['size=0x10', '"0x10"'],
    ['size=null', '"null"'],
    ['weight=Infinity', '"Infinity"'],
    ['weight=1e999', '"1e999"'],
    ['visible=yes', '"yes"', 'true or false'],
    ['visible[$gt]=true', 'a value that has an order'],
    ['owner[$lt]=null', 'a value that has an order'],
    ['status=gone', 'status must be one of pending, active, got the string "gone".'],
    ['createdAt=yesterday', '"yesterday"'],
    ['createdAt=2024-02-30T00:00:00Z', '2024-02-30'],
    ['createdAt=2024-01-31', '"2024-01-31"'],
    ['createdAt[$gt]=2024-01-01T00:00:00', 'a time zone'],
    ['$or=x', '$or', '"x"'],
    ['$or[]=x', '$or[0]', '"x"'],
    ['$or[0][$or][0][name]=x', '$or[0][$or]'],
    ['$or[0][secret]=x', '$or[0][secret]', '"x"'],
    ['$or[name]=x', '$or'],
    ['full=maybe', 'full', '"maybe"'],
    ['full[$ne]=true', 'full', 'an object'],
    ['parent=', 'parent', '1 to 200'],
  ];
  for (const [text, ...parts] of rejected) {
    test(`the query string ${text} is rejected`, () => assertRejected(() => read(text), ...parts));
  }

  test('$in and $or have a maximum size', () => {
    const groups = (count: number) => values(count).map((name) => ({ name }));
    assert.equal(readRaw({ size: { $in: values(1000) } }).where.length, 1);
    assertRejected(() => readRaw({ size: { $in: values(1001) } }), 'size[$in]', '1001', '1000');
    assert.equal(readRaw({ $or: groups(50) }).or.length, 50);
    assertRejected(() => readRaw({ $or: groups(51) }), '$or', '51', '50');
  });

  test('errors shorten long input', () => {
    assert.throws(
      () => readRaw({ ['k'.repeat(5000)]: 'v'.repeat(5000) }),
      (error) => error instanceof RedoubtError && error.message.length < 600,
    );
  });

  const keys = fc.constantFrom(
    '$limit',
    '$skip',
    '$sort',
    '$or',
    '$in',
    '$ne',
    '$gt',
    '0',
    '1',
    'name',
    'size',
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('1', '-1', 'null', 'true', '2024-01-01T00:00:00Z', ''),
      fc.anything({ withBigInt: true, withNullPrototype: true, withDate: true, withSparseArray: true }),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(keys, fc.string()), tie('tree'), { maxKeys: 4 }),
    ),
  }));
  const raws = fc.dictionary(fc.oneof(keys, fc.string()), tree, { maxKeys: 5 });

  test('any query string of a list is parsed or rejected with a RedoubtError', () => {
    fc.assert(fc.property(raws, (raw) => assertNoOtherError(() => readRaw(raw))));
  });

  test('any plain query string is parsed or rejected with a RedoubtError', () => {
    fc.assert(fc.property(raws, (raw) => assertNoOtherError(() => parseParameters(raw, flags))));
  });
});

describe('a plain query string', () => {
  const schema = strictObject({
    isAsync: Type.Optional(BooleanParameter('Later.')),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
    documentId: Type.String({ minLength: 1, maxLength: 10, pattern: '^[a-z]+$' }),
  });

  test('booleans may have any letter case, and absent ones get their default', () => {
    for (const [text, isAsync] of [
      ['true', true],
      ['True', true],
      ['TRUE', true],
      ['FALSE', false],
      ['False', false],
    ] as const) {
      assert.deepEqual(parseParameters({ isAsync: text, documentId: 'a' }, schema), {
        isAsync,
        documentId: 'a',
      });
    }
    assert.deepEqual(parseParameters({ documentId: 'a', count: '5' }, schema), {
      isAsync: false,
      documentId: 'a',
      count: 5,
    });
  });

  test('a parameter that is unknown, missing, repeated or out of its limits is rejected', () => {
    assertRejected(
      () => parseParameters({ documentId: 'a', x: '1' }, schema),
      'x',
      '"1"',
      'isAsync, count, documentId',
    );
    assertRejected(
      () => parseParameters({}, schema),
      'documentId must be present in the query string, got nothing.',
    );
    assertRejected(() => parseParameters({ documentId: ['a', 'b'] }, schema), 'an array of 2 values');
    assertRejected(() => parseParameters({ documentId: 'A' }, schema), '"A"');
    assertRejected(() => parseParameters({ documentId: 'abcdefghijk' }, schema), '1 to 10');
    assertRejected(() => parseParameters({ documentId: 'a', count: '0' }, schema), '"0"', 'at least 1');
    assertRejected(() => parseParameters({ documentId: 'a', count: '6' }, schema), '"6"', 'at most 5');
    assertRejected(() => parseParameters({ documentId: 'a', isAsync: '1' }, schema), '"1"', 'true or false');
    assertRejected(
      () => parseParameters({ x: '1' }, undefined),
      'x is not a parameter of this request',
      'Leave it out.',
    );
  });
});

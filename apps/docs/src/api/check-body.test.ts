import { deepEqual, match, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bodyFaults, readBody } from './check-body.ts';
import type { Schema } from './types.ts';

const schemas: Record<string, Schema> = { Name: { type: 'string', minLength: 1, maxLength: 5 } };
const schema: Schema = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: { $ref: '#/components/schemas/Name' },
    size: { type: 'integer', minimum: 0, maximum: 9 },
    kind: { type: 'string', enum: ['a', 'b'] },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    list: { type: 'array', maxItems: 2, items: { type: 'object', required: ['id'], properties: {} } },
    one: { const: 1 },
    free: {},
    map: { type: 'object', additionalProperties: { type: 'boolean' } },
    code: { type: 'string', pattern: '^[a-z]+$' },
  },
};

describe('the check of a body', () => {
  test('a body that the schema allows has no problems', () => {
    const value = {
      name: 'x',
      size: 3,
      kind: 'a',
      note: null,
      list: [{ id: 1 }],
      one: 1,
      free: [],
      map: { a: true },
      code: 'abc',
    };
    deepEqual(bodyFaults(schema, schemas, value), []);
  });

  test('each problem is reported with its path', () => {
    const cases: [unknown, string, RegExp][] = [
      [{}, 'name', /is missing/],
      [{ name: '' }, 'name', /at least 1 characters, got 0/],
      [{ name: 'longer' }, 'name', /at most 5 characters, got 6/],
      [{ name: 7 }, 'name', /type string, got number/],
      [{ name: 'x', size: 1.5 }, 'size', /integer/],
      [{ name: 'x', size: 10 }, 'size', /at most 9/],
      [{ name: 'x', size: -1 }, 'size', /at least 0/],
      [{ name: 'x', kind: 'c' }, 'kind', /one of "a", "b"/],
      [{ name: 'x', note: 1 }, 'note', /type string/],
      [{ name: 'x', list: [{ id: 1 }, {}] }, 'list[1].id', /is missing/],
      [{ name: 'x', list: [1, 2, 3] }, 'list', /at most 2 entries, got 3/],
      [{ name: 'x', one: 2 }, 'one', /must be 1/],
      [{ name: 'x', map: { a: 1 } }, 'map.a', /boolean/],
      [{ name: 'x', code: 'A' }, 'code', /match/],
      [{ name: 'x', other: 1 }, 'other', /is an unknown field\. The known fields are: name, size/],
      [{ name: 'x', constructor: 1 }, 'constructor', /is an unknown field/],
      [[], '', /type object, got array/],
    ];
    for (const [value, at, problem] of cases) {
      const [fault] = bodyFaults(schema, schemas, value);
      ok(fault !== undefined, JSON.stringify(value));
      deepEqual(fault.at, at);
      match(fault.problem, problem);
    }
  });

  test('invalid JSON is reported', () => {
    const reading = readBody('{"name": }', schema, schemas);
    ok('faults' in reading);
    match(reading.faults[0]?.problem ?? '', /is not valid JSON/);
    deepEqual(readBody('{"name":"x"}', schema, schemas), { value: { name: 'x' } });
  });
});

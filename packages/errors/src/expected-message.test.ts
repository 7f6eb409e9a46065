import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  describeValue,
  expectedMessage,
  invalidField,
  unknownField,
  unknownFieldMessage,
  type RedoubtError,
} from './index.ts';

const mismatch = {
  field: 'securityLabelInfo',
  expected: 'an object',
  advice: 'Send an object or leave it out.',
};

describe('messages about fields', () => {
  test('a message says what is expected, what was sent and what to do', () => {
    assert.equal(
      expectedMessage({ ...mismatch, got: describeValue('A&B') }),
      'securityLabelInfo must be an object, got the string "A&B". Send an object or leave it out.',
    );
    assert.equal(
      expectedMessage(mismatch),
      'securityLabelInfo must be an object. Send an object or leave it out.',
    );
  });

  test('a message about an unknown field names the known ones', () => {
    const unknown = { field: 'nmae', kind: 'a parameter of this request' };
    assert.equal(
      unknownFieldMessage({ ...unknown, got: describeValue('Ada'), known: ['id', 'name'] }),
      'nmae is not a parameter of this request, got the string "Ada". Use one of: id, name.',
    );
    assert.equal(
      unknownFieldMessage({ ...unknown, known: [] }),
      'nmae is not a parameter of this request. Leave it out.',
    );
  });

  test('errors about a field are 400 and repeat the message for the field', () => {
    const errors: [RedoubtError, string][] = [
      [invalidField(mismatch), 'securityLabelInfo must be an object. Send an object or leave it out.'],
      [unknownField({ field: 'x', kind: 'a field', known: [] }), 'x is not a field. Leave it out.'],
    ];
    for (const [error, message] of errors) {
      const field = message.split(' ')[0];
      assert.deepEqual(error.toWire(), {
        name: 'BadRequestError',
        message,
        code: 400,
        errors: [{ field, message }],
      });
    }
  });
});

describe('the description of a value', () => {
  const descriptions: [unknown, string][] = [
    ['A&B', 'the string "A&B"'],
    ['', 'the string ""'],
    ['a"\n', String.raw`the string "a\"\n"`],
    [5, 'the number 5'],
    [-1.5, 'the number -1.5'],
    [12n, 'the number 12'],
    [true, 'true'],
    [null, 'null'],
    [undefined, 'nothing'],
    [[], 'an empty array'],
    [[1], 'an array of 1 value'],
    [[1, 2], 'an array of 2 values'],
    [{}, 'an object'],
    [Object.create(null), 'an object'],
    [() => 1, 'a function'],
  ];
  for (const [value, description] of descriptions) {
    test(`a value is described as ${description}`, () => assert.equal(describeValue(value), description));
  }

  test('a long string is shortened, and the message gives its length', () => {
    assert.equal(describeValue('x'.repeat(100)), `the string "${'x'.repeat(100)}"`);
    assert.equal(describeValue('x'.repeat(5000)), `the string "${'x'.repeat(100)}…" of 5000 characters`);
  });
});

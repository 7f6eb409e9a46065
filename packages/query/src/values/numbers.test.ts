import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { kinds } from '../storage/record-columns.ts';
import { decimalText, numberValue, parseDecimal, nearestIntegers } from './numbers.ts';

const { integer, float, big } = kinds;
const values: [string, number, string, number][] = [
  ['0', integer, '0', 0],
  ['-0', integer, '0', -0],
  ['42', integer, '42', 42],
  ['9007199254740993', integer, '9007199254740993', 9007199254740992],
  ['-9223372036854775808', integer, '-9223372036854775808', -(2 ** 63)],
  ['-9223372036854775809', big, '-9223372036854775809', -(2 ** 63)],
  ['18446744073709551615', integer, '18446744073709551615', 2 ** 64],
  ['18446744073709551616', big, '18446744073709551616', 2 ** 64],
  ['1.0', float, '1', 1],
  ['-0.0', float, '-0', -0],
  ['1e5', float, '100000', 1e5],
  ['1E+21', float, '1e21', 1e21],
  ['1e-7', float, '1e-7', 1e-7],
  ['1e-400', float, '0', 0],
  ['1e400', big, '1e400', Infinity],
  ['-10e399', big, '-1e400', -Infinity],
];

const textOf = (digits: bigint, exponent: number): string => {
  const parsed = parseDecimal(`${String(digits)}e${String(exponent)}`);
  assert.ok(parsed !== undefined);
  return decimalText(parsed);
};

const neighbours = (text: string): string[] => {
  const decimal = parseDecimal(text);
  assert.ok(decimal !== undefined);
  const { floor, ceiling } = nearestIntegers(decimal);
  return [String(floor), String(ceiling)];
};

for (const [source, kind, text, value] of values) {
  test(`the number ${source} is stored as kind ${String(kind)} with the text ${text.slice(0, 30)}`, () => {
    assert.deepEqual(numberValue(source), { kind, text, float: value });
  });
}

test('numbers in searches may have a plus sign, leading zeros and a bare point, and nothing else', () => {
  for (const text of ['5', '+5', '005', '5.', '5.0', '5e0', '0.5e1', '.5E+1', '50e-1']) {
    assert.deepEqual(parseDecimal(text), { negative: false, digits: '5', exponent: 0 }, text);
  }
  for (const text of ['', '.', '+', '-', 'e5', '5e', '0x5', '5_0', ' 5', '5 ', 'NaN', 'Infinity', '٥']) {
    assert.equal(parseDecimal(text), undefined, text);
  }
});

test('equal decimals have equal texts, different ones different texts', () => {
  const decimal = fc.tuple(
    fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
    fc.integer({ min: -450, max: 450 }),
  );
  fc.assert(
    fc.property(decimal, decimal, fc.nat({ max: 20 }), ([a, x], [b, y], zeros) => {
      assert.equal(textOf(a, x), textOf(a * 10n ** BigInt(zeros), x - zeros));
      const shift = BigInt(Math.min(x, y));
      const equal = a * 10n ** (BigInt(x) - shift) === b * 10n ** (BigInt(y) - shift);
      assert.equal(textOf(a, x) === textOf(b, y), equal);
    }),
  );
});

test('the nearest integers enclose a decimal', () => {
  assert.deepEqual(neighbours('0'), ['0', '0']);
  assert.deepEqual(neighbours('2.5'), ['2', '3']);
  assert.deepEqual(neighbours('-2.5'), ['-3', '-2']);
  assert.deepEqual(neighbours('0.001'), ['0', '1']);
  assert.deepEqual(neighbours('-1e-400'), ['-1', '0']);
  assert.deepEqual(neighbours('18446744073709551616'), ['18446744073709551616', '18446744073709551616']);
  assert.deepEqual(neighbours('1e400'), [String(2n ** 70n), String(2n ** 70n)]);
  assert.deepEqual(neighbours('-1e999999999999999999999'), [String(-(2n ** 70n)), String(-(2n ** 70n))]);
});

test('a number of a million digits is parsed quickly and without an error', () => {
  const text = `${'0'.repeat(500_000)}1${'0'.repeat(500_000)}1`;
  assert.equal(numberValue(text.replace(/^0+/, '')).kind, big);
  assert.equal(parseDecimal(text)?.digits.length, 500_002);
});

import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { duplicateKey } from './internal-keys.ts';

test('a key that an object has twice is found at any depth, however it is written, and nothing else is taken for one', () => {
  const twice = {
    a: ['{"a":1,"a":2}', '{"a":1,"b":2,"a":3}', '{"b":1,"c":2,"a":3,"a":4}', '{"a":1,"\\u0061":2}'],
    '': ['{"":1,"":2}', '[1,{"b":{"":1,"c":[{}],"" : 2}}]'],
    __proto__2: ['{"x":[{"__proto__2":1,"d":{"__proto__2":3},"__proto__2":2}]}'],
  };
  for (const [key, texts] of Object.entries(twice)) {
    for (const text of texts) equal(duplicateKey(text), key, text);
  }
  equal(duplicateKey('{"__proto__":1,"b":2,"__proto__":1}'), '__proto__');
  const once = [
    '1',
    '"a"',
    '["a","a"]',
    '{"a":{"a":{"a":1}},"b":"a"}',
    '[{"a":1},{"a":1}]',
    '{"a":"\\"a\\":1,\\"a\\":2"}',
    '{"a":["a","a",{"a":[]}],"A":1}',
    '{"a":1,"b":"}{","c":{"a":1,"b":2,"c":3}}',
  ];
  for (const text of once) equal(duplicateKey(text), undefined, text);
});

test('keys are looked for in a text that is nested a million deep', () => {
  const deep = 1_000_000;
  equal(duplicateKey('['.repeat(deep) + ']'.repeat(deep)), undefined);
  equal(duplicateKey('{"a":'.repeat(deep) + '{"b":1,"b":2}' + '}'.repeat(deep)), 'b');
});

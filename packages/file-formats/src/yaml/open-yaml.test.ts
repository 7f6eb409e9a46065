import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFile } from '@redoubt/file-formats/testing';

const yaml = { fileName: 'a.yaml' };

test('the maps of a list are rows with the digits of their numbers', async () => {
  const content = `- a: 00501
  b: 12345678901234567890.10
  c: [1, x, null, true]
- a: 0x1F
  t: "7"
  d: 2024-01-01
  s: +1.5
`;
  const { opened, rows } = await readFile(content, yaml);
  assert.equal(opened.format, 'yaml');
  assert.deepEqual(
    rows.map(({ line, json }) => [line, json]),
    [
      [1, '{"a":"00501","b":12345678901234567890.10,"c":[1,"x",null,true]}'],
      [4, '{"a":31,"t":"7","d":"2024-01-01","s":1.5}'],
    ],
  );
});

test('documents are rows, and aliases are written out', async () => {
  const { json } = await readFile('a: &x {b: 1}\nc: *x\n---\nd: 2\n...\n', yaml);
  assert.deepEqual(json, ['{"a":{"b":1},"c":{"b":1}}', '{"d":2}']);
});

test('aliases that multiply or contain themselves are rejected', async () => {
  const levels = Array.from(
    { length: 12 },
    (_, n) =>
      `k${String(n)}: &a${String(n)} [${
        n === 0
          ? 'lol'
          : Array(10)
              .fill(`*a${String(n - 1)}`)
              .join(',')
      }]`,
  );
  const { rows, error } = await readFile(levels.join('\n'), yaml);
  assert.equal(rows.length, 0);
  assert.match(String(error), /aliases grow to more than 10 times/);
  const { rejects } = await readFile('- &a {b: *a}\n- {c: 1}\n', yaml);
  assert.match(rejects[0]!.reason, /nested more than 100 deep|stands for nothing/);
});

test('values that are not maps, repeated keys and tags of other languages are rejected', async () => {
  const { json, rejects } = await readFile('- 1\n- {a: 1, a: 2}\n- {a: !Ref x}\n- {ok: 1}\n', yaml);
  assert.deepEqual(json, ['{"ok":1}']);
  assert.deepEqual(
    rejects.map(({ line, reason }) => [line, reason]),
    [
      [1, 'a record must be a map.'],
      [2, 'a map has the key "a" twice.'],
      [3, 'the tag "!Ref" is not supported.'],
    ],
  );
});

test('YAML that is not valid is an error with its line', async () => {
  const { error } = await readFile('- a: 1\n- b: [1, 2\n- c: 3\n', yaml);
  assert.match(String(error), /a\.yaml, line \d: invalid YAML/);
});

test('a YAML file that is too long is an error', async () => {
  const { error } = await readFile('- a: 1\n', { ...yaml, limits: { maxYamlLength: 5 } });
  assert.match(String(error), /more than 5 characters, the limit of YAML files/);
});

/* Shows: K-write-records, K-record-size */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { array, assert as check, constantFrom, dictionary, jsonValue, property, string } from 'fast-check';
import { RedoubtError } from '@redoubt/errors';
import { parseWriteInThread } from './intake.ts';
import { defaultIntakeLimits } from './intake-limits.ts';
import { createIntake } from './worker-intake.ts';
import { parseWriteBody, type WriteBodyFormat } from './parse-write-body.ts';
import { prepareBatch, type PreparedBatch, type PrepareOptions } from './prepare-batch.ts';

const options = (count: number, more: Partial<PrepareOptions> = {}): PrepareOptions => ({
  labelInfo: undefined,
  knownPaths: new Map(),
  now: 1_700_000_000_000,
  random: Buffer.alloc(count * 10, 7),
  limits: defaultIntakeLimits,
  ...more,
});

function prepare(
  text: string | Uint8Array,
  shape: WriteBodyFormat = 'array',
  more: Partial<PrepareOptions> = {},
): PreparedBatch {
  const body = parseWriteBody(Buffer.from(text), shape);
  return prepareBatch(body, options(body.count, more));
}

const columnsOf = (batch: PreparedBatch): string[][] =>
  batch.inserts.rows.bytes
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));

const refused = (
  text: string | Uint8Array,
  pattern: RegExp,
  code = 400,
  shape: WriteBodyFormat = 'array',
): void => {
  assert.throws(
    () => prepare(text, shape),
    (error: unknown) => {
      assert.ok(error instanceof RedoubtError, String(error));
      assert.equal(error.code, code);
      assert.match(error.message, pattern);
      return true;
    },
  );
};

test('an error in a record names its index, the place and the problem', () => {
  refused('[{"a":1},{"a":}]', /^records\.1 must be valid JSON: at character 6, expected a digit, got "}"/);
  refused('[{"a":1},{"a" 1}]', /^records\.1 must be valid JSON: at character 6, expected ":" after a key/);
  refused('[{"a":1},{"a":1,}]', /^records\.1 .* expected a key in quotes/);
  refused('[{"a":1 "b":2}]', /^records\.0 .* expected "," or "}"/);
  refused('[{"a":[1 2]}]', /^records\.0 .* expected "," or "\]"/);
  refused('[{"a":01}]', /^records\.0 .* got "1/);
  refused('[{"a":1.}]', /^records\.0 .* expected a digit/);
  refused('[{"a":tru}]', /^records\.0 .* expected a value/);
  refused('[{"a":"\t"}]', /^records\.0 .* control character/);
  refused('[{"a":"\\x"}]', /^records\.0 .* valid escapes/);
  refused('[{"a":"\\u12"}]', /^records\.0 .* valid escapes/);
  refused('[{"a":[1}]]', /^records\.0 .* expected "," or "\]"/);
  refused('[{"_koverse_x":}]', /^records\.0 must be valid JSON/);
  refused('[{"a":1},[1]]', /^records\.1 must be a JSON object, got "\[1\]\]"/);
  refused('[{"a":1},7]', /^records\.1 must be a JSON object/);
  refused('[{"a":1}{"b":1}]', /^records\.0 must be followed by "," or "\]"/);
  refused('[{"a":1},{"b":"x]', /^records\.1 must be complete, but the body ends inside it/);
  refused('[{"a":1},', /The body ends where record 1 should begin/);
  refused('[{"a":1}', /The body ends after record 0/);
  refused('[{"a":1},]', /^records\.1 must be a JSON object, got "\]"/);
});

test('a body of another shape is rejected as a whole', () => {
  refused('', /must be a JSON array of records, but begins with the end of the body/);
  refused('{"a":1}', /must be a JSON array/);
  refused('[{}] x', /expected the end of the body, found "x"/);
  refused(Buffer.from([0x5b, 0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d, 0x5d]), /must be valid UTF-8/);
  refused('[]', /must be an object with the key "records"/, 400, 'envelope');
  refused('{}', /^records must be a JSON array, got nothing/, 400, 'envelope');
  refused('{"records":{}}', /^records must be a JSON array, got /, 400, 'envelope');
  refused('{"records":[],"records":[]}', /^records must be present once, got it twice/, 400, 'envelope');
  refused(
    '{"records":[],"\\u0072ecords":[]}',
    /^records must be present once, got it twice/,
    400,
    'envelope',
  );
  refused(
    '{"securityLabelInfo":{},"records":[],"securityLabelInfo":{}}',
    /^securityLabelInfo must be present once, got it twice/,
    400,
    'envelope',
  );
  refused('{"records":[],"other":1}', /"other" is no key of a write/, 400, 'envelope');
  refused('{"records":[],}', /expected a key/, 400, 'envelope');
  refused('{"records":[] "a":1}', /expected "," or "}"/, 400, 'envelope');
  refused('{"records":[],"securityLabelInfo":nul}', /must be valid JSON, got /, 400, 'envelope');
});

const nested = (levels: number): string => `[{},${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}]`;

test('nesting beyond 100 levels is rejected, and the error names the record', () => {
  prepare(nested(100));
  refused(nested(101), /^records\.1 .* at most 100 levels/);
  refused(`[{"a":${'['.repeat(200_000)}`, /^records\.0 .* at most 100 levels/);
  refused(
    `{"records":[],"securityLabelInfo":${'['.repeat(101)}${']'.repeat(101)}}`,
    /securityLabelInfo must be nested at most 100 levels deep/,
    400,
    'envelope',
  );
});

test('sizes are bounded: of a record, of a path, and the number of paths', () => {
  const limits = { maxRecordBytes: 50, maxPathLength: 10, maxPaths: 3 };
  const tooMuch = (text: string, code: number, pattern: RegExp): void => {
    assert.throws(
      () => prepare(text, 'array', { limits }),
      (error: unknown) => {
        assert.ok(error instanceof RedoubtError);
        assert.equal(error.code, code);
        assert.match(error.message, pattern);
        return true;
      },
    );
  };
  prepare(`[{"a":1,"b":2,"c":"${'x'.repeat(20)}"}]`, 'array', { limits });
  tooMuch(`[{},{"a":"${'x'.repeat(50)}"}]`, 413, /^records\.1 must have at most 50 bytes, got 58/);
  tooMuch('[{"abcde":{"fghij":1}}]', 413, /^records\.0 .* with 11\./);
  tooMuch('[{"a":1},{"b":1},{"c":1},{"d":1}]', 400, /more than 3 different fields/);
});

const emptyRecords = (count: number): string => `[${'{},'.repeat(count - 1)}{}]`;

test('one write has a bounded number of records, however small they are', () => {
  assert.equal(parseWriteBody(Buffer.from(emptyRecords(500_000)), 'array').count, 500_000);
  refused(emptyRecords(500_001), /more than 500000 records/, 413);
});

const recordsWithLabels = (labels: number): string =>
  JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ l: `T${String(index % labels)}` })));

test('one write has a bounded number of distinct labels, however many records have them', () => {
  const labelInfo = { parserClassName: 'simple-parser', fields: ['l'], labelHandlingPolicy: 'drop' } as const;
  assert.equal(prepare(recordsWithLabels(10_000), 'array', { labelInfo }).labels.length, 10_000);
  assert.throws(() => prepare(recordsWithLabels(10_001), 'array', { labelInfo }), {
    code: 413,
    message: /^records\.10000 .*beyond 10000 different labels/,
  });
});

test('the keys of an envelope come in any order', () => {
  const info = { fields: ['label'], parserClassName: 'identity-parser' };
  for (const text of [
    `{"records":[{"a":1}],"securityLabelInfo":${JSON.stringify(info)},"columnSecurityLabelInfo":null}`,
    ` { "columnSecurityLabelInfo" : null , "securityLabelInfo":${JSON.stringify(info)} , "records" : [ {"a":1} ] } `,
  ]) {
    const body = parseWriteBody(Buffer.from(text), 'envelope');
    assert.equal(body.count, 1);
    assert.deepEqual(body.securityLabelInfo, info);
    assert.equal(body.columnSecurityLabelInfo, null);
  }
});

const withSpaces = (value: unknown): string => JSON.stringify(value, null, 1);

test('whatever JSON a record is, its text is kept without white space and its doc can be read', () => {
  check(
    property(
      array(dictionary(string({ unit: 'binary' }), jsonValue({ stringUnit: 'binary' })), {
        maxLength: 4,
      }),
      (records) => {
        const kept = records.map((record) =>
          Object.fromEntries(Object.entries(record).filter(([key]) => !key.startsWith('_koverse_'))),
        );
        const batch = prepare(`[${kept.map(withSpaces).join(' , ')}]`);
        const rows = kept.length === 0 ? [] : columnsOf(batch);
        assert.deepEqual(
          rows.map((columns) => columns[2]?.replaceAll('\\\\', '\\')),
          kept.map((record) => JSON.stringify(record)),
        );
        for (const columns of rows) JSON.parse(columns[3]?.replaceAll('\\\\', '\\') ?? '');
      },
    ),
  );
});

test('text that is not JSON is rejected, and valid JSON is accepted', () => {
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"b\\n"',
    '1',
    '-0.5e3',
    'true',
    'null',
    ' ',
    '\\',
    '"',
    '01',
    '\t',
  ];
  check(
    property(array(constantFrom(...pieces), { maxLength: 8 }), (parts) => {
      const text = `[{"k":${parts.join('')}}]`;
      let isValid = true;
      try {
        const value = JSON.parse(text) as unknown[];
        isValid = value.every((each) => typeof each === 'object' && each !== null && !Array.isArray(each));
      } catch {
        isValid = false;
      }
      if (isValid) prepare(text);
      else assert.throws(() => prepare(text), RedoubtError);
    }),
    { numRuns: 3000 },
  );
});

test('the last of duplicate keys is searched, and all of them are kept', () => {
  const [columns] = columnsOf(prepare('[{"a":"one","b":{"x":1,"x":2.50},"a":"two"}]'));
  assert.equal(columns?.[2], '{"a":"one","b":{"x":1,"x":2.50},"a":"two"}');
  assert.equal(columns?.[3], '{"a":"two","b.x":2.50}');
  assert.doesNotMatch(columns?.[5] ?? '', /one/);
});

test('a record without a readable label is rejected with its index, gets a replacement label or is left out', () => {
  const info = { fields: ['l'], parserClassName: 'identity-parser' } as const;
  const text = '[{"l":"A"},{"l":"A&("},{"l":""},{"l":"b|a"}]';
  assert.throws(
    () => prepare(text, 'array', { labelInfo: { ...info, labelHandlingPolicy: 'ignore' } }),
    /records\.1\.l must /,
  );
  const dropped = prepare(text, 'array', { labelInfo: { ...info, labelHandlingPolicy: 'drop' } });
  assert.deepEqual([dropped.labels, dropped.dropped, dropped.replaced], [['A', 'A|B'], 2, 0]);
  const replaced = prepare(text, 'array', {
    labelInfo: { ...info, labelHandlingPolicy: 'replace', replacementString: 'Z' },
  });
  assert.deepEqual([replaced.labels, replaced.dropped, replaced.replaced], [['A', 'Z', 'A|B'], 0, 2]);
});

test('large bodies are read by another thread with the same results and errors', async () => {
  const intake = createIntake();
  const records = Array.from({ length: 5000 }, (_, n) => ({
    n,
    note: `some words ${n} é`,
    label: n % 2 ? 'A' : 'B',
  }));
  const text = JSON.stringify({ records, securityLabelInfo: { label: 'A' } });
  const there = await intake.parse(Buffer.from(text), 'envelope');
  const here = parseWriteInThread(Buffer.from(text), 'envelope');
  assert.deepEqual([there.count, there.securityLabelInfo], [5000, { label: 'A' }]);
  const labelInfo = {
    fields: ['label'],
    parserClassName: 'identity-parser' as const,
    labelHandlingPolicy: 'drop' as const,
  };
  const prepared = options(5000, { labelInfo });
  assert.deepEqual(await there.prepare(prepared), await here.prepare(prepared));
  assert.deepEqual(
    await there.rowsOf('inserts', ['1\t', '2\t']),
    await here.rowsOf('inserts', ['1\t', '2\t']),
  );
  there.release();
  const bad = `[${'{"a":"0123456789"},'.repeat(10_000)}{"a":}]`;
  const parsed = await intake.parse(Buffer.from(bad), 'array');
  await assert.rejects(parsed.prepare(options(10_001)), (error: unknown) => {
    assert.ok(error instanceof RedoubtError);
    assert.deepEqual(
      [error.name, error.code, error.errors?.[0]?.field],
      ['BadRequestError', 400, 'records.10000'],
    );
    return true;
  });
  await intake.close();
});

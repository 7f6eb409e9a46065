import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { finished } from 'node:stream/promises';
import { describeErrorOutput, keepErrorOutput } from './error-output.ts';

test('names of errors and places in the code are kept, messages and values are not', () => {
  const output = [
    'file:///opt/redoubt/packages/file-formats/src/json/open-json.ts:12',
    '    throw new Error(`found ${secret}`);',
    '          ^',
    '',
    'TypeError: found "secret of a record"',
    'Error [ERR_ACCESS_DENIED]: secret',
    '    at readRow (file:///opt/redoubt/packages/file-formats/src/json/open-json.ts:12:9)',
    '    at async file:///opt/redoubt/apps/server/parser-worker.ts:90:3',
    '    at Readable.read [as _read] (node:internal/streams/readable:1:2)',
    '    at secret of a record',
    "  cause: SyntaxError: 'secret'",
    'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    'FATAL ERROR: "secret"',
    'Node.js v24.1.0',
  ].join('\n');
  assert.deepEqual(describeErrorOutput(output), [
    'TypeError',
    'Error [ERR_ACCESS_DENIED]',
    'at readRow (file:///opt/redoubt/packages/file-formats/src/json/open-json.ts:12:9)',
    'at async file:///opt/redoubt/apps/server/parser-worker.ts:90:3',
    'at Readable.read [as _read] (node:internal/streams/readable:1:2)',
    'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
  ]);
});

test('of long output the beginning is kept, in a few lines, and the rest is read', async () => {
  const stream = Readable.from(Array.from({ length: 1000 }, () => 'TypeError: x\n'.repeat(100)));
  const kept = keepErrorOutput(stream);
  await finished(stream);
  assert.ok(kept().startsWith('TypeError: x\n') && kept().length <= 16_000);
  assert.equal(describeErrorOutput(kept()).length, 20);
});

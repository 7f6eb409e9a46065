import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { capcoReferenceFile } from './capco-reference-file.ts';
import { capcoReference } from './capco-reference.ts';

test('the page about CAPCO marks lists what the parser reads', () => {
  const page = capcoReference();
  assert.equal(readFileSync(capcoReferenceFile, 'utf8'), page);
  assert.ok(!page.includes('is not a CAPCO mark'), 'an example cannot be read');
});

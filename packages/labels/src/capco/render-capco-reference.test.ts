/* Shows: V-labelParser-capco */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { renderCapcoReference, capcoReferencePath } from './render-capco-reference.ts';

test('the page about CAPCO markings lists what the parser supports', () => {
  const page = renderCapcoReference();
  assert.equal(readFileSync(capcoReferencePath, 'utf8'), page);
  assert.ok(!page.includes('is not a supported CAPCO marking'), 'an example is not supported');
});

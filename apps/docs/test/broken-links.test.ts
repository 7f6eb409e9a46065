/* Shows: S-build-links, S-build-markdown-links */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { buildSite } from './build.ts';

const { ok, output, folder } = await buildSite({ siteFolder: join(import.meta.dirname, 'fixtures/links') });
after(() => rmSync(folder, { recursive: true, force: true }));

describe('links of the site', () => {
  test('a broken link fails the build and is named', () => {
    assert.equal(ok, false);
    assert.match(output, /\[ERROR\][^]*Broken link[^]*\/no-such-page\//);
  });

  test('a broken markdown link only warns', () => {
    assert.match(output, /\[WARNING\][^\n]*[^]*no-such-file\.md/);
    assert.doesNotMatch(output, /\[ERROR\][^[]*no-such-file\.md/);
  });
});

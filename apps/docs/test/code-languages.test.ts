import { deepEqual, ok } from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { builtSite } from './site.ts';

/** Languages without colours: there is no grammar for Lucene, and plain text needs none. */
const plain = ['lucene', 'nginx', 'text'];

test('code of every other language than Lucene and nginx has colours on the pages', async () => {
  const folder = await builtSite();
  const coloured = new Map<string, boolean>();
  for (const file of globSync('{api,docs}/**/index.html', { cwd: folder })) {
    const html = readFileSync(join(folder, file), 'utf8');
    for (const [block, language = ''] of html.matchAll(/<pre[^>]* language-(\w+)[^]*?<\/pre>/g)) {
      const has = /class="token (?!plain")/.test(block);
      coloured.set(language, has || coloured.get(language) === true);
    }
  }
  ok(coloured.size > plain.length);
  deepEqual([...coloured].flatMap(([language, has]) => (has ? [] : [language])).toSorted(), plain);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readers, search } from './same-search.ts';

const examples = join(import.meta.dirname, '../../../../examples');

const values = (line: string): string[] =>
  [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, value = '']) => value.replaceAll('"', ''));

/** Lines of a file of the demo, whose values hold neither line breaks nor doubled quotes in the columns asked for. */
function rowsOf(file: string): Record<string, string>[] {
  const [head = '', ...lines] = readFileSync(join(examples, file), 'utf8').trim().split('\n');
  const names = values(head);
  return lines.map((line) => Object.fromEntries(values(line).map((value, at) => [names[at] ?? '', value])));
}

test('the home page shows what the demo data answers to each of its people', () => {
  const regions = new Map(
    rowsOf('countries.csv').map(({ code, continent }) => [code, `REGION:${continent}`]),
  );
  const [field = '', word = ''] = search.split(':');
  const hits = rowsOf('navaids.csv')
    .filter((row) => row[field]?.toLowerCase().split(/\W+/).includes(word))
    .map(({ ident, name, iso_country }) => [ident, name, iso_country, regions.get(iso_country)]);
  for (const { name, holds, found } of readers) {
    const seen = hits.filter(([, , , label]) => label !== undefined && holds.includes(label));
    assert.deepEqual(
      found,
      seen.toSorted(([a = ''], [b = '']) => a.localeCompare(b)),
      name,
    );
  }
  assert.equal(
    readers.flatMap(({ found }) => found).length,
    hits.length,
    'no record is left out of the picture',
  );
});

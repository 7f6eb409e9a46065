import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import recorded from './recorded-searches.json' with { type: 'json' };
import { findSearch, firstSearch, people, suggested } from './same-search.ts';

const examples = join(import.meta.dirname, '../../../../examples');

const values = (line: string): string[] =>
  [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, value = '']) => value.replaceAll('"', ''));

/** The rows of a file of the demo. The columns used contain neither line breaks nor doubled quotes. */
function rowsOf(file: string): Record<string, string>[] {
  const [head = '', ...lines] = readFileSync(join(examples, file), 'utf8').trim().split('\n');
  const names = values(head);
  return lines.map((line) => Object.fromEntries(values(line).map((value, at) => [names[at] ?? '', value])));
}

test('the home page shows the results that each person of the demo data gets', () => {
  const regions = new Map(
    rowsOf('countries.csv').map(({ code, continent }) => [code, `REGION:${continent}`]),
  );
  const hits = rowsOf('navaids.csv')
    .filter((row) => row['name']?.toLowerCase().split(/\W+/).includes('london'))
    .map(({ ident, name, iso_country }) => [ident, name, iso_country, regions.get(iso_country)]);
  const { answers = [] } = findSearch(recorded, firstSearch) ?? {};
  for (const [at, { name, holds }] of people.entries()) {
    const seen = hits.filter(([, , , label]) => label !== undefined && holds.includes(label));
    assert.equal(answers[at]?.total, seen.length, name);
    assert.deepEqual(
      answers[at]?.rows,
      seen.toSorted(([a = ''], [b = '']) => a.localeCompare(b)),
      name,
    );
  }
});

test('no person is shown a record whose label they do not satisfy, and an administrator without attributes none', () => {
  for (const { query, answers } of recorded) {
    for (const [at, { holds }] of people.entries()) {
      for (const [, , , label = ''] of answers[at]?.rows ?? []) assert.ok(holds.includes(label), query);
    }
    assert.equal(answers[2]?.total, 0, query);
  }
});

test('a search is found however it is spaced and in whatever case, and a word alone in names', () => {
  for (const query of suggested) assert.equal(findSearch(recorded, query)?.query, query);
  assert.equal(findSearch(recorded, ' Name:London ')?.query, 'name:london');
  assert.equal(findSearch(recorded, 'paris')?.query, 'name:paris');
  assert.equal(findSearch(recorded, 'name:nowhere'), undefined);
});

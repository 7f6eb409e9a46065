import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startExampleServer } from '../examples/example-server.ts';
import { findWrongExamples, readFunctionExamples } from '../examples/function-examples.ts';

const page = readFileSync(join(import.meta.dirname, '../docs/reference/sql.md'), 'utf8');
const server = await startExampleServer();
after(() => server.close());
const { environment } = await server.createEnvironment('function-examples', {
  data: false,
  people: false,
  onlyQueries: false,
});
const reader = { url: server.url, token: environment['TOKEN'] ?? '' };

test('every function and operator of the SQL reference has an example', () => {
  const [, lists = ''] = page.split('\n## Operators\n');
  const [listed = ''] = lists.split('\n## Differences from PostgreSQL\n');
  const [types = ''] = listed.split('\nComparisons (');
  const entries = listed.slice(types.length).match(/^- .+$/gm) ?? [];
  assert.ok(entries.length > 180, `${entries.length} functions and operators`);
  assert.deepEqual(
    entries.filter((entry) => !/` → `/.test(entry)),
    [],
  );
});

test('a server computes the results of all examples of the SQL reference', async () => {
  const count = [...readFunctionExamples(page).values()].flat().length;
  assert.ok(count > 180, `${count} examples`);
  assert.deepEqual(await findWrongExamples(reader, page), []);
});

test('an example with a wrong result or of an unknown function is found', async () => {
  const wrong = await findWrongExamples(
    reader,
    '## Numbers\n\n- `abs(integer)`: the absolute value. `abs(-4)` → `5`\n- `no_such(1)` → `1`\n',
  );
  assert.equal(wrong[0], 'abs(-4) is 4, not 5');
  assert.match(wrong[1] ?? '', /^no_such\(1\) is SQL: the function no_such/);
});

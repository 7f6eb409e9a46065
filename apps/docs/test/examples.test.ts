/* Shows: S-topic-getting-started, S-topic-quickstart, S-topic-datasets, S-topic-applications,
   S-topic-billing, S-topic-using-data, S-topic-tutorials */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Problem } from '../examples/blocks.ts';
import { recordHomeSearches } from '../examples/home-searches.ts';
import { startExampleServer, type ExampleServer } from '../examples/example-server.ts';
import { readPages } from '../examples/pages.ts';
import { runPage } from '../examples/run-page.ts';
import { countExamples, pagesOfHalf } from './half-of-examples.ts';
import recordedSearches from '../src/home/recorded-searches.json' with { type: 'json' };

let server: ExampleServer;
before(async () => {
  server = await startExampleServer();
});
after(() => server.close());

const faultsOf = async (name: string, ...lines: string[]): Promise<readonly Problem[]> =>
  (await runPage(server, { name, file: `${name}.md`, markdown: lines.join('\n') })).problems;

test('every example of the pages is run, and there are some of each kind', () => {
  const pages = [...pagesOfHalf(1), ...pagesOfHalf(2)];
  deepEqual(
    pages.map(({ file }) => file).toSorted(),
    readPages()
      .map(({ file }) => file)
      .toSorted(),
  );
  for (const [kind, count] of Object.entries(countExamples(pages)))
    ok(count > 0, `no page has an example in ${kind}`);
});

test('a server returns the recorded responses for the searches of the home page', async () => {
  deepEqual(await recordHomeSearches(server), recordedSearches);
});

describe('a page whose examples are wrong', () => {
  test('fails on the line of the failed command, after the commands before it have run', async () => {
    const problems = await faultsOf(
      'commands',
      '```bash',
      'echo one',
      'false',
      'echo two',
      '```',
      '```bash',
      'true',
      '```',
    );
    deepEqual(
      problems.map(({ line }) => line),
      [3],
    );
    match(problems[0]!.message, /in: false$/);
  });

  test('fails if a call returns an error that the block does not name', async () => {
    const call = 'curl "$REDOUBT/datasets/none" -H "Authorization: Bearer $TOKEN"';
    const [problem] = await faultsOf('statuses', '```bash', call, '```');
    match(problem!.message, /\/datasets\/none returned 404/);
    deepEqual(await faultsOf('named-statuses', '```bash status=404', call, '```'), []);
    const [other] = await faultsOf('other-statuses', '```bash status=404', 'curl "$REDOUBT/health"', '```');
    match(other!.message, /the last call must return 404, got 200/);
  });

  test('is not judged by calls in the background, which may end at any time', async () => {
    const [list, missing] = ['datasets', 'datasets/none'].map(
      (path) => `curl "$REDOUBT/${path}" -H "Authorization: Bearer $TOKEN"`,
    );
    deepEqual(
      await faultsOf(
        'background',
        '```bash',
        `${list} | jq -e .data >/dev/null`,
        `${missing} -o answer.json &`,
        'wait',
        '```',
        '```json answer',
        '{"total": 0, "limit": 10, "skip": 0, "data": []}',
        '```',
        "```bash\njq -e '.code == 404' answer.json\n```",
      ),
      [],
    );
  });

  test('fails if a response differs from the one on the page', async () => {
    const call = ['```bash', 'curl "$REDOUBT/datasets" -H "Authorization: Bearer $TOKEN"', '```', ''];
    const answer = '{"total": 0, "limit": 10, "skip": 0, "data": []}';
    deepEqual(await faultsOf('answers', ...call, '```json answer', answer, '```'), []);
    const problems = await faultsOf(
      'other-answers',
      ...call,
      '```json answer',
      answer.replace('10', '9'),
      '```',
    );
    deepEqual(problems, [{ line: 5, message: 'the answer differs: $.limit: expected 9, got 10' }]);
  });

  test('fails if a statement returns an error or no row, if Python raises, or if TypeScript throws', async () => {
    const problems = await faultsOf(
      'kinds',
      '```sql\nSELECT nothing FROM navaids\n```',
      "```sql as=reader\nSELECT name FROM navaids WHERE access = 'REGION:NA'\n```",
      '```lucene rows=0\nname:nowhere\n```',
      '```python\none = 1\n```\n```python\nassert one == 2\n```',
      "```ts\nthrow new Error('thrown');\n```",
    );
    deepEqual(
      problems.map(({ line }) => line),
      [1, 4, 13, 16],
    );
    match(problems[0]!.message, /returned 400/);
    match(problems[1]!.message, /returned no row/);
    match(problems[2]!.message, /AssertionError/);
    match(problems[3]!.message, /thrown/);
  });

  test('is counted by the examples that ran', async () => {
    const markdown = ['```bash', 'true', '```', '```text', 'words', '```'].join('\n');
    const { counts } = await runPage(server, { name: 'counted', file: 'counted.md', markdown });
    equal(counts.bash, 1);
    equal(counts.sql, 0);
  });
});

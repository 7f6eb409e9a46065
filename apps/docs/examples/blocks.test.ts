import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readBlocks } from './blocks.ts';

const page = (...lines: string[]): string => lines.join('\n');
const problemsOf = (...lines: string[]): string[] =>
  readBlocks(page(...lines)).problems.map(({ line, message }) => `${line}: ${message}`);

describe('reading the examples of a page', () => {
  test('a block has its marks and the line number of its fence, front matter included', () => {
    const { blocks, problems } = readBlocks(
      page(
        '---',
        'title: T',
        '---',
        '',
        ':::note',
        '',
        '```bash status=404 title="a b"',
        'false',
        '```',
        '',
        ':::',
      ),
    );
    deepEqual(problems, []);
    equal(blocks.length, 1);
    const { language, line, text, marks } = blocks[0]!;
    deepEqual([language, line, text], ['bash', 7, 'false']);
    deepEqual(Object.fromEntries(marks), { status: '404', title: 'a b' });
  });

  test('blocks in lists and in tabs are found', () => {
    const { blocks, problems } = readBlocks(
      page(
        '- one',
        '',
        '  ```sql',
        '  SELECT 1',
        '  ```',
        '',
        '<TabItem value="ts">',
        '',
        '```ts',
        '1',
        '```',
        '',
        '</TabItem>',
      ),
    );
    deepEqual(problems, []);
    deepEqual(
      blocks.map(({ language, text }) => `${language}: ${text}`),
      ['sql: SELECT 1', 'ts: 1'],
    );
  });

  test('a block that would not be run is rejected: unknown languages, unknown marks, fences inside HTML', () => {
    const languages = 'bash, sql, lucene, ts, python, json, text, ebnf, csv, yaml, ini, nginx';
    deepEqual(problemsOf('```sh', 'true', '```'), [`1: the language must be one of ${languages}, got "sh"`]);
    deepEqual(problemsOf('```', 'true', '```'), [`1: the language must be one of ${languages}, got ""`]);
    deepEqual(problemsOf('```sql skip', 'SELECT 1', '```'), [
      '1: a block of sql must not have the mark "skip"',
    ]);
    deepEqual(problemsOf('<div>', '```sql', 'SELECT 1', '```', '</div>'), [
      '2: this fence is not recognised as a block. Put an empty line before it',
    ]);
  });

  test('norun is rejected for queries, for TypeScript and for calls of the API', () => {
    for (const language of ['sql', 'lucene', 'ts'])
      deepEqual(problemsOf(`\`\`\`${language} norun="slow"`, 'a', '```'), [
        `1: a block of ${language} must not have the mark "norun"`,
      ]);
    deepEqual(problemsOf('```bash norun="slow"', 'curl "$REDOUBT/me"', '```'), [
      '1: calls of the API are always run. Remove norun',
    ]);
    deepEqual(problemsOf('```bash norun', 'npm run up', '```'), [
      '1: norun must have a reason: norun="reason"',
    ]);
    deepEqual(problemsOf('```bash norun="it stays in the foreground"', 'npm run up', '```'), []);
  });

  test('an answer is JSON and directly follows its example', () => {
    deepEqual(problemsOf('```bash', 'true', '```', '', '```json answer', '{"a": 1', '```'), [
      '5: this is not valid JSON',
    ]);
    deepEqual(problemsOf('```json answer', '{}', '```'), ['1: an answer must directly follow its example']);
  });
});

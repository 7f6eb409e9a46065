import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readBlocks } from './blocks.ts';

const page = (...lines: string[]): string => lines.join('\n');
const faultsOf = (...lines: string[]): string[] =>
  readBlocks(page(...lines)).faults.map(({ line, message }) => `${line}: ${message}`);

describe('examples are taken out of pages', () => {
  test('a block has the line of its fence in the page, front matter included, and its marks', () => {
    const { blocks, faults } = readBlocks(
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
    deepEqual(faults, []);
    equal(blocks.length, 1);
    const { language, line, text, marks } = blocks[0]!;
    deepEqual([language, line, text], ['bash', 7, 'false']);
    deepEqual(Object.fromEntries(marks), { status: '404', title: 'a b' });
  });

  test('blocks in lists and in tabs are found', () => {
    const { blocks, faults } = readBlocks(
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
    deepEqual(faults, []);
    deepEqual(
      blocks.map(({ language, text }) => `${language}: ${text}`),
      ['sql: SELECT 1', 'ts: 1'],
    );
  });

  test('a block that no run would see is a fault: unknown languages, unknown marks, fences inside HTML', () => {
    const languages = 'bash, sql, lucene, ts, python, json, text, ebnf, csv, yaml, ini, nginx';
    deepEqual(faultsOf('```sh', 'true', '```'), [
      `1: there is no language "sh" for blocks; write one of ${languages}`,
    ]);
    deepEqual(faultsOf('```', 'true', '```'), [
      `1: there is no language "" for blocks; write one of ${languages}`,
    ]);
    deepEqual(faultsOf('```sql skip', 'SELECT 1', '```'), ['1: a block of sql has no mark "skip"']);
    deepEqual(faultsOf('<div>', '```sql', 'SELECT 1', '```', '</div>'), [
      '2: this fence is not read as a block: put an empty line before it',
    ]);
  });

  test('what readers would paste is run: norun is refused for queries, for TypeScript and for calls of the API', () => {
    for (const language of ['sql', 'lucene', 'ts'])
      deepEqual(faultsOf(`\`\`\`${language} norun="slow"`, 'a', '```'), [
        `1: a block of ${language} has no mark "norun"`,
      ]);
    deepEqual(faultsOf('```bash norun="slow"', 'curl "$REDOUBT/me"', '```'), [
      '1: calls of the API are always run',
    ]);
    deepEqual(faultsOf('```bash norun', 'npm run up', '```'), ['1: norun has to say why: norun="reason"']);
    deepEqual(faultsOf('```bash norun="it stays in the foreground"', 'npm run up', '```'), []);
  });

  test('an answer is JSON and stands right after the example that gives it', () => {
    deepEqual(faultsOf('```bash', 'true', '```', '', '```json answer', '{"a": 1', '```'), [
      '5: this is no JSON',
    ]);
    deepEqual(faultsOf('```json answer', '{}', '```'), [
      '1: an answer stands right after the example that gives it',
    ]);
  });
});

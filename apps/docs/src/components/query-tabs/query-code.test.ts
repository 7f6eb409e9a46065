import { deepEqual, equal } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { asCurl, asPython, type QueryBlock } from './query-code.ts';

const sql: QueryBlock = {
  language: 'sql',
  text: `SELECT "name", 'it''s \\' AS note\nFROM navaids`,
  token: 'READER',
};

/** The body that a shell passes to curl. */
const bodySent = (command: string): unknown => {
  const script = `curl() { printf '%s' "\${@: -1}"; }\nDATASET=abc-1\n${command}`;
  return JSON.parse(spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout);
};

test('the curl command of a query sends it unchanged, with any quotes', () => {
  deepEqual(bodySent(asCurl(sql)), { expression: `SELECT "name", 'it''s \\' AS note FROM navaids` });
  const lucene: QueryBlock = { language: 'lucene', text: 'name:"east london"', token: 'TOKEN' };
  deepEqual(bodySent(asCurl(lucene)), { datasetId: 'abc-1', expression: 'name:"east london"' });
});

test('a query with a comment or a multi-line text keeps its line breaks', () => {
  const text = "SELECT 1 -- one\n, 'a\nb'";
  deepEqual(bodySent(asCurl({ ...sql, text })), { expression: text });
});

test('a query in Python is a multi-line string if it has line breaks or quotes', () => {
  const lines = asPython(sql).split('\n');
  equal(lines[5], '    headers={"Authorization": "Bearer " + os.environ["READER"]},');
  deepEqual(lines.slice(7, 11), [
    '        "expression": """',
    `SELECT "name", 'it''s \\\\' AS note`,
    'FROM navaids',
    '""",',
  ]);
});

/* Shows: F-POST-/query-position, X-SqlParseError */
import { RedoubtError } from '@redoubt/errors';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileSql } from './compile-statement.ts';
import { UnsupportedSqlError } from './sql-compile-error.ts';
import { parseSql } from './statement/parse-sql.ts';

/** Compiles a statement for a reader who can read no dataset. */
async function compiled(statement: string): Promise<unknown> {
  const catalog = { find: () => undefined };
  const parsed = await parseSql(statement);
  return compileSql({ parsed, catalog, now: new Date(0), limit: 1, offset: 0, columns: 'plain' });
}

const unsupported: Readonly<Record<string, string>> = {
  'SELECT 1 FROM system.tables':
    'SQL: a table name with a schema ("system"."tables") is not supported (character 15). Datasets have no schema, and there are no system tables: write the name or id of a dataset alone, in double quotes.',
  'SELECT 1 FROM (VALUES (1)) v(x) WHERE EXISTS (SELECT 1 FROM pg_catalog.pg_class)':
    'SQL: a table name with a schema ("pg_catalog"."pg_class") is not supported (character 61). Datasets have no schema, and there are no system tables: write the name or id of a dataset alone, in double quotes.',
  "SELECT 1 FROM url('http://127.0.0.1', 'CSV')":
    'SQL: the function url in FROM is not supported (character 15). The SQL reference lists the set-returning functions.',
  'WITH RECURSIVE t AS (SELECT 1) SELECT * FROM t':
    'SQL: WITH with RECURSIVE is not supported (character 1). Join the dataset to itself once for each level, or use generate_series for a series.',
  "SELECT '{}'::jsonb = '{}'::jsonb":
    "SQL: the comparison of jsonb is not supported (character 20). Cast both to text, or compare a member, as in o ->> 'a'.",
  "SELECT json_build_object('a', 1)":
    'SQL: the function json_build_object is not supported (character 8). Use jsonb_build_object.',
  "SELECT jsonb_pretty('{}'::jsonb)":
    'SQL: the function jsonb_pretty is not supported (character 8). Cast to text, as in o::text.',
  "SELECT '12'::real": 'SQL: the type float4 is not supported (character 12). Use double precision.',
  'SELECT 2 ^ 0.5::numeric':
    'SQL: the operator ^ of numeric is not supported (character 10). Cast to double precision first, as in x::float8.',
  'SELECT \'a\' COLLATE "C"':
    'SQL: COLLATE is not supported (character 12). Leave it out: texts are always compared by code point.',
  'SELECT x FROM (VALUES (1)) v(x) FOR UPDATE':
    'SQL: SELECT with FOR UPDATE or FOR SHARE is not supported (character 1). Leave it out: statements only read.',
  "SELECT 'aa' ~ '(a)\\1'":
    'SQL: a back reference in a regular expression is not supported (character 13). Write out what it stands for.',
};

for (const [statement, message] of Object.entries(unsupported)) {
  test(`the error for unsupported syntax has the position and an alternative: ${statement}`, async () => {
    await assert.rejects(compiled(statement), (error) => {
      assert.ok(error instanceof UnsupportedSqlError);
      const { position, hint, ...wire } = error.toWire();
      assert.deepEqual(wire, { name: 'SqlParseError', message, code: 400 });
      assert.ok(message.includes(` (character ${String((position?.offset ?? -1) + 1)})`));
      assert.ok(message.endsWith(`. ${hint ?? '?'}`));
      return true;
    });
  });
}

test('errors distinguish invalid from unsupported statements', async () => {
  for (const statement of ['SELEC 1', 'SELECT nope', 'SELECT 1; SELECT 2', 'SELECT nosuch(1)']) {
    await assert.rejects(compiled(statement), (error) => !(error instanceof UnsupportedSqlError));
  }
});

const wrongParts: readonly [statement: string, part: string, hint?: RegExp][] = [
  ['SELECT nope', 'nope', /^Name a column/],
  ['SELECT "a b".c', '"a b".c', /^Name a column/],
  ["SELECT '💩', nope", 'nope'],
  ['SELECT 1 FROM nowhere', 'nowhere'],
  ['SELECT 1 FRUM a', 'a'],
  ['SELECT nosuch(1)', 'nosuch'],
  ['SELECT 1 +', ''],
  ['SELECT 1; SELECT 2', 'SELECT'],
  ["SELECT '12'::real", '::', /^Use double precision/],
];

test('errors of SQL mark the wrong part, and some have a hint', async () => {
  for (const [statement, part, hint] of wrongParts) {
    await assert.rejects(compiled(statement), (error) => {
      assert.ok(error instanceof RedoubtError);
      const { offset = -1, length = -1 } = error.position ?? {};
      assert.equal(
        Array.from(statement)
          .slice(offset, offset + length)
          .join(''),
        part,
      );
      assert.equal(offset >= 0 && length, Array.from(part).length);
      if (hint !== undefined) assert.match(error.hint ?? '', hint);
      return true;
    });
  }
});

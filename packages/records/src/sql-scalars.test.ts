import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createReferenceDatabase, hasReferenceServer, type ReferenceDatabase } from '@redoubt/testkit';
import { openComparison, type SqlComparison } from './testing/sql/comparison.ts';
import { raisingScalars, scalarStatements } from './testing/sql/scalar-statements.ts';
import { openTestStore, type TestStore } from './testing/test-store.ts';

const skip = hasReferenceServer() ? false : 'there is no PostgreSQL server to compare with';

describe('numbers and texts of SQL are those of PostgreSQL', { skip }, () => {
  let t: TestStore;
  let reference: ReferenceDatabase | undefined;
  let both: SqlComparison;
  before(async () => {
    t = await openTestStore();
    reference = await createReferenceDatabase();
    assert.ok(reference !== undefined);
    both = await openComparison(t, reference, 1);
  });
  after(async () => {
    await reference?.remove();
    await t.close();
  });

  for (const [name, statements] of Object.entries(scalarStatements)) {
    test(`expressions of ${name} give the rows that PostgreSQL gives`, async () => {
      const different: string[] = [];
      for (const statement of statements) {
        const { kind, detail } = await both.compare(statement, false);
        if (kind !== 'same') different.push(`${kind}: ${statement}\n    ${detail}`);
      }
      assert.deepEqual(different, [], different.join('\n'));
    });
  }

  test('a number or text for which PostgreSQL raises an error is NULL', async () => {
    for (const statement of raisingScalars) {
      assert.equal((await both.compare(statement, false)).kind, 'raised', statement);
      const { rows } = await both.ours(statement);
      assert.ok(
        rows.length > 0 && rows.every((row) => Object.values(row).every((value) => value === null)),
        statement,
      );
    }
  });
});

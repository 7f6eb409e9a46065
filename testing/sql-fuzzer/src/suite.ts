import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { createReferenceDatabase, hasReferenceServer, type ReferenceDatabase } from '@redoubt/testkit';
import { openTestStore, type TestStore } from '@redoubt/records/testing';
import { openComparison, type SqlComparison } from './comparison.ts';

/** The reason for skipping suites that compare with PostgreSQL, or false. */
export const skip = hasReferenceServer() ? false : 'there is no PostgreSQL server to compare with';

/** Creates a PostgreSQL database before the tests of the calling suite, and removes it after them. */
export function referenceOfSuite(): () => ReferenceDatabase {
  let reference: ReferenceDatabase | undefined;
  const opened = (): ReferenceDatabase => {
    assert.ok(reference !== undefined);
    return reference;
  };
  before(async () => {
    reference = await createReferenceDatabase();
    opened();
  });
  after(() => reference?.remove());
  return opened;
}

/**
 * Opens a comparison before the tests of the calling suite, and closes it after them.
 * @param seed the seed of the records
 * @returns a function that returns the comparison; call it only in tests
 */
export function comparisonOfSuite(seed: number): () => SqlComparison {
  const reference = referenceOfSuite();
  let t: TestStore;
  let both: SqlComparison;
  before(async () => {
    t = await openTestStore();
    both = await openComparison(t, reference(), seed);
  });
  after(() => t.close());
  return () => both;
}

/** Asserts that the rows equal those of PostgreSQL, in the same order if `isOrdered` says so. */
export async function expectSame(
  both: SqlComparison,
  statements: readonly string[],
  isOrdered: (statement: string) => boolean,
): Promise<void> {
  const different: string[] = [];
  for (const statement of statements) {
    const { kind, detail } = await both.compare(statement, isOrdered(statement));
    if (kind !== 'same') different.push(`${kind}: ${statement}\n    ${detail}`);
  }
  assert.deepEqual(different, [], different.join('\n'));
}

/** Asserts that PostgreSQL fails and Redoubt returns NULL. */
export async function expectNulls(both: SqlComparison, statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    assert.equal((await both.compare(statement, false)).kind, 'raised', statement);
    const { rows } = await both.ours(statement);
    assert.ok(
      rows.length > 0 && rows.every((row) => Object.values(row).every((value) => value === null)),
      statement,
    );
  }
}

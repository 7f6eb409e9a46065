import { describe, test } from 'node:test';
import { raisingScalars, scalarStatements } from './testing/sql/scalar-statements.ts';
import { comparisonOfSuite, expectNulls, expectSame, skip } from './testing/sql/suite.ts';

describe('numbers and texts of SQL are those of PostgreSQL', { skip }, () => {
  const both = comparisonOfSuite(1);

  for (const [name, statements] of Object.entries(scalarStatements)) {
    test(`expressions of ${name} give the rows that PostgreSQL gives`, async () =>
      expectSame(both(), statements, () => false));
  }

  test('a number or text for which PostgreSQL raises an error is NULL', async () =>
    expectNulls(both(), raisingScalars));
});

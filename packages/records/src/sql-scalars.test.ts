import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { raisingScalars, scalarStatements } from './testing/sql/scalar-statements.ts';
import { comparisonOfSuite, expectNulls, expectSame, skip } from './testing/sql/suite.ts';

describe('numbers and texts of SQL are those of PostgreSQL', { skip }, () => {
  const both = comparisonOfSuite(1);

  for (const [name, statements] of Object.entries(scalarStatements)) {
    test(`expressions of ${name} give the rows that PostgreSQL gives`, async () =>
      expectSame(both(), statements, () => false));
  }

  test('the text of numerics that show more digits in one row than in another is refused by name', async () => {
    for (const statement of [
      'select x::text a from (values (1.0), (1.55)) v(x)',
      'select max(x)::text a from (values (1.0), (1.55)) v(x)',
      'select least(1.50, 1)::text a',
      'select x::text a from (select 1.50 x union all select 1) v',
      'select avg(big)::text a from people',
      'select a::text a from (select distinct avg(age) a from people group by team) q',
      'select a::text a from (select avg(age) a from people union select avg(id) from people) q',
      'select a::text a from (select avg(age) a from people) q group by a',
      'select round(avg(age), 24)::text a from people',
      'select avg(age)::numeric(40, 24)::text a from people',
    ]) {
      const { kind, detail } = await both().compare(statement, false);
      assert.equal(kind, 'unsupported', statement);
      assert.match(detail, /the text of a numeric whose digits after the point are not known/);
    }
  });

  test('a number or text for which PostgreSQL raises an error is NULL', async () =>
    expectNulls(both(), raisingScalars));
});

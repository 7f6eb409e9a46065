import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { comparisonOfSuite, expectSame, skip } from './suite.ts';
import { distinctOnStatements, groupingStatements } from './grouping-statements.ts';
import {
  arrayKeyStatements,
  lateralStatements,
  subqueryStatements,
  rowlessStatements,
  usingStatements,
} from './subquery-statements.ts';

/** Unsupported statements, with the error of each. */
const refused: Record<string, RegExp> = {
  'select id from people where (team, name) not in (select id, title from teams)':
    /IN for rows of several columns/,
  'select p.id, (select count(*) filter (where p.active) from orders o) c from people p':
    /an aggregate of columns of the query around it/,
  'select p.id, (select count(p.age) from orders o) c from people p':
    /an aggregate of columns of the query around it/,
  'select a.id, d.c from teams a, teams b join lateral (select count(*) c from orders o where o.qty = a.id) d on true':
    /LATERAL in a join that names columns of tables before the join/,
  'select p.id from people p left join teams t on exists (select 1 from orders o where o.person = p.id)':
    /a subquery that names columns around it in JOIN conditions/,
};

describe('SQL subqueries and groupings equal those of PostgreSQL', { skip }, () => {
  const both = comparisonOfSuite(1);

  const groups = {
    'a subquery that names columns around it': subqueryStatements,
    'a subquery in FROM that names columns before it': lateralStatements,
    'a join by USING': usingStatements,
    'an outer join with a condition on no row': rowlessStatements,
    'looking up arrays and joining by them': arrayKeyStatements,
    'GROUPING SETS, ROLLUP and CUBE': groupingStatements,
    'DISTINCT ON': distinctOnStatements,
  };
  for (const [name, statements] of Object.entries(groups)) {
    test(`${name} gives the rows that PostgreSQL gives`, async () =>
      expectSame(both(), statements, (statement) => / order by [^)]+$/.test(statement)));
  }

  test('DISTINCT ON with another order, and GROUPING of an expression outside GROUP BY, are rejected as in PostgreSQL', async () => {
    for (const statement of [
      'select distinct on (team) id from people order by age',
      'select distinct on (team, active) id from people order by team, id',
      'select grouping(age) from people group by rollup (team)',
      'select p.id, d.x from people p right join lateral (select p.age x) d on true',
    ]) {
      assert.equal((await both().compare(statement, false)).kind, 'refused', statement);
    }
  });

  test('a scalar subquery with several rows is NULL for that outer row, and the other rows keep their values', async () => {
    const statement = 'select p.id, (select o.id from orders o where o.person = p.id) c from people p';
    const { rows } = await both().ours(statement);
    const { rows: single } = await both().ours(
      'select o.person id, min(o.id) c from orders o group by o.person having count(*) = 1',
    );
    const known = new Map(single.map(({ id, c }) => [JSON.stringify(id), c]));
    for (const { id, c } of rows) assert.deepEqual(c, known.get(JSON.stringify(id)) ?? null);
    assert.ok(rows.some(({ c }) => c !== null));
  });

  for (const [statement, construct] of Object.entries(refused)) {
    test(`an unsupported subquery is rejected by name: ${statement}`, async () => {
      const { kind, detail } = await both().compare(statement, false);
      assert.equal(kind, 'unsupported');
      assert.match(detail, construct);
    });
  }
});

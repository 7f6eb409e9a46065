import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { raisingScalars, scalarStatements } from './scalar-statements.ts';
import { comparisonOfSuite, expectNulls, expectSame, skip } from './suite.ts';

describe('SQL numbers and texts equal those of PostgreSQL', { skip }, () => {
  const both = comparisonOfSuite(1);

  for (const [name, statements] of Object.entries(scalarStatements)) {
    test(`expressions of ${name} give the rows that PostgreSQL gives`, async () =>
      expectSame(both(), statements, () => false));
  }

  test('the text of numerics whose scale differs from row to row is rejected by name', async () => {
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

  test('untyped values are rejected where PostgreSQL cannot determine their type', async () => {
    const functions =
      'age array_agg array_ndims avg bit_and cardinality isfinite jsonb_agg sum to_jsonb trunc unnest';
    for (const expression of functions.split(' ').flatMap((name) => [`${name}('1')`, `${name}(null)`])) {
      const { kind, detail } = await both().compare(`select ${expression}`, false);
      assert.equal(kind, 'refused', `${expression}: ${detail}`);
      assert.match(detail, /cast its arguments|not known; add a cast/, `${expression}: ${detail}`);
    }
    for (const expression of [
      "first_value('a') over ()",
      'last_value(null) over ()',
      "nth_value('a', 1) over ()",
      "lag('a') over ()",
      "array_agg(distinct 'a')",
      'avg(null) over ()',
      "mode() within group (order by 'a')",
      "percentile_disc(0.5) within group (order by 'a')",
      "percentile_disc('0.5') within group (order by 'a')",
      "percentile_disc('0.5') within group (order by text 'a')",
      "percentile_disc('0.5') within group (order by true)",
      "percentile_disc('0.5') within group (order by date '2020-01-01')",
      "percentile_cont('0.5') within group (order by '1')",
      "percentile_cont('0.5') within group (order by text 'a')",
      "percentile_cont('0.5') within group (order by interval '1 day')",
      "array_to_string('{1}', ',')",
      `'{"a":1}' -> 'a'`,
      `'{"a":1}' #>> '{a}'`,
      "'{1}' && '{2}'",
      'array[1] @> array[1.5]',
      'array[1.5] @> array[1]',
      'array[1] && array[1::bigint]',
      'null::integer::date',
    ])
      assert.equal((await both().compare(`select ${expression}`, false)).kind, 'refused', expression);
  });

  test('a number or text for which PostgreSQL raises an error is NULL', async () =>
    expectNulls(both(), raisingScalars));
});

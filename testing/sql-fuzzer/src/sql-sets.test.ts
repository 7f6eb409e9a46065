import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  containmentStatements,
  seriesStatements,
  setNameStatements,
  setStatements,
} from './set-statements.ts';
import { comparisonOfSuite, expectSame, skip } from './suite.ts';

/** Unsupported statements, with the error of each. */
const refused: Record<string, RegExp> = {
  'select row_number() over (), unnest(array[1,2])': /a window function beside a set-returning function/,
  'select unnest(array_agg(id)) from teams': /an aggregate inside a set-returning function/,
  'select lead, unnest(array[1,2]) from teams group by lead':
    /a set-returning function beside GROUP BY or HAVING/,
  'select unnest(array[1,2]) from teams having true': /a set-returning function beside GROUP BY or HAVING/,
  "select jsonb_each('{}')": /a set-returning function with several columns in the select list/,
  'select unnest(array[jsonb_array_elements_text(tags)]) from people':
    /a set-returning function inside another one/,
  'select unnest(array[1,2]) in (1,2)': /IN of a set-returning function/,
  'select u from teams t left join unnest(array[t.id]) u on u > 3': /a condition other than true/,
  'select u from teams t, unnest(array[t.id]) u join teams s on s.id = u':
    /a function in a join that names columns of tables before the join/,
  'select (select count(*) from teams s, unnest(array[s.id, t.id]) u) c from teams t':
    /a function of columns around the query and of its own/,
  'select t.id, (select sum(v) from teams t cross join (unnest(array[1]) u cross join unnest(array[t.id]) v)) b from teams t':
    /a function in a join that names columns of tables before the join/,
  'select t.id, (select sum(v) from teams t cross join (lateral (select t.id v) q cross join (values (1)) u(w))) b from teams t':
    /LATERAL in a join that names columns of tables before the join/,
  'select id from teams window w as (order by unnest(array[1,2]))': /a window by a set-returning function/,
  'select sum(id) over (order by unnest(array[1])) from teams': /a window by a set-returning function/,
  'select unnest(array[grouping(lead)]) from teams group by lead':
    /an aggregate inside a set-returning function/,
  [`select tags @> '${'['.repeat(30)}1${']'.repeat(30)}' from people`]: /a jsonb of more than 12 levels/,
  "select tags <@ '[]' from people": /jsonb <@ jsonb with a part that is not a constant/,
  "select tags || '[]' from people": /the operator jsonb \|\| jsonb/,
  'select * from generate_series(1.5, 3)': /the function generate_series\(numeric, numeric\)/,
  "select * from generate_series(timestamp '2024-01-03', '2024-06-02', '1 month 1 day')":
    /generate_series by months together with days or hours/,
  'select g from generate_series(now(), now(), now() - now()) g':
    /a step of generate_series that is not a constant/,
  "select * from pg_ls_dir('/')": /the function pg_ls_dir in FROM/,
};

/** Statements that PostgreSQL rejects, too, with the error of each. */
const wrong: Record<string, RegExp> = {
  'select unnest(array[1,2]) from teams where "0" = 1': /the column "0" does not exist/,
  'select unnest(array[1,2]) in (select id from teams)': /row comparison operator must not return a set/,
  'select *, unnest(array[1]) b': /SELECT \* needs a FROM/,
  'select sum(unnest(array[1,2]))': /aggregate function calls cannot contain set-returning function calls/,
  'select case when true then unnest(array[1,2]) end': /set-returning functions are not allowed in CASE/,
  'select coalesce(unnest(array[1,2]), 2)': /set-returning functions are not allowed in COALESCE/,
  'select id from teams where unnest(array[1]) = 1': /set-returning functions are not allowed in WHERE/,
  'select unnest(array[1,2]) between 1 and 2': /argument of AND must not return a set/,
  'select not unnest(array[true])': /argument of NOT must not return a set/,
  'select unnest(array[true]) is true': /argument of IS TRUE must not return a set/,
  'select 1 from teams t right join unnest(array[t.id]) u on true': /LATERAL needs an INNER or LEFT JOIN/,
  'select * from people, jsonb_array_elements(name) t': /jsonb_array_elements\(text\) does not exist/,
  "select * from generate_series('2024-01-03', '2024-01-04', '1 day')": /is not unique/,
  'select * from unnest(1)': /unnest\(integer\) does not exist/,
  "select * from jsonb_array_elements('[1]') as e(a, b)": /e gives one column/,
};

/** Statements for which PostgreSQL fails. Here they return no rows, because there are no elements. */
const raising: readonly string[] = [
  `select * from jsonb_array_elements('{"a":1}')`,
  "select * from jsonb_array_elements_text('1')",
  'select g from (values (0)) x(n), generate_series(1, 10, x.n) g',
  "select * from jsonb_object_keys('[1]')",
  "select * from jsonb_each('null')",
];

describe('set-returning functions equal those of PostgreSQL', { skip }, () => {
  const both = comparisonOfSuite(1);

  test('in FROM and in a select list they return the rows that PostgreSQL returns', async () =>
    expectSame(both(), [...setStatements, ...setNameStatements, ...seriesStatements], (statement) =>
      / order by [a-z0-9. ,]+$/.test(statement),
    ));

  test('a series that is longer than memory meets the limit of a query', async () => {
    for (const series of [
      'generate_series(1, 9000000000000000000) g',
      "generate_series(timestamp '0001-01-01', '9999-01-01', '1 second') g",
      'people, generate_series(3, least(huge, 6)::bigint, -1) g',
    ])
      await assert.rejects(both().ours(`select max(g) from ${series}`), { name: 'QueryError' });
  });

  test('containment of jsonb equals that of PostgreSQL', async () =>
    expectSame(both(), containmentStatements, () => false));

  test('rows that a statement leaves in a tie keep the order of their array', async () => {
    const { rows } = await both().ours(
      'select x from (values (\'[3,1,2]\'::jsonb), (\'["b","a"]\')) v(j), jsonb_array_elements_text(j) x limit 5',
    );
    const list = rows.map(({ x }) => x);
    const expected = ['3', '1', '2', 'b', 'a'];
    assert.deepEqual(new Set(list), new Set(expected));
    const places = expected.map((value) => list.indexOf(value));
    assert.deepEqual(
      places.slice(0, 3),
      [0, 1, 2].map((n) => n + (places[0] ?? 0)),
    );
    assert.equal(places[4], (places[3] ?? 0) + 1);
  });

  test('a value that is not an array or object gives no rows, where PostgreSQL fails', async () => {
    for (const statement of raising) {
      assert.equal((await both().compare(statement, false)).kind, 'raised', statement);
      assert.deepEqual((await both().ours(statement)).rows, [], statement);
    }
  });

  for (const [kind, statements] of Object.entries({ unsupported: refused, refused: wrong })) {
    for (const [statement, reason] of Object.entries(statements)) {
      test(`${kind}, with its reason: ${statement}`, async () => {
        const found = await both().compare(statement, false);
        assert.equal(found.kind, kind, found.detail);
        assert.match(found.detail, reason);
      });
    }
  }

  test('texts that PostgreSQL cannot keep in a jsonb are rejected', async () => {
    for (const statement of [
      String.raw`select '{"a":"\u0000"}'::jsonb a`,
      String.raw`select '"\ud800"'::jsonb a`,
    ]) {
      assert.equal((await both().compare(statement, false)).kind, 'raised', statement);
      await assert.rejects(both().ours(statement), { message: /unsupported Unicode escape sequence/ });
    }
    for (const statement of ["select '1e999999'::jsonb a", "select '[1e-20000]'::jsonb a"]) {
      assert.equal((await both().compare(statement, false)).kind, 'raised', statement);
      await assert.rejects(both().ours(statement), { message: /value overflows numeric format/ });
    }
  });
});

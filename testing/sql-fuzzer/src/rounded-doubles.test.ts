import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withRoundedDoubles } from './rounded-doubles.ts';

test('nested and filtered aggregate calls are rounded together with their filters', () => {
  const rounded = [
    ['select max(t1.id) from t1', 'select max(t1.id) from t1'],
    ['select cbrt(t1.x), 1', 'select round((cbrt(t1.x))::numeric, 6)::double precision, 1'],
    [
      `select cos(var_pop(x) filter (where y = ')')) as c`,
      `select round((cos(round((var_pop(x) filter (where y = ')'))::numeric, 6)::double precision))::numeric, 6)::double precision as c`,
    ],
    [
      'select corr(x, y) over (partition by (z)), stddev(x) over w from t1',
      'select round((corr(x, y) over (partition by (z)))::numeric, 6)::double precision, round((stddev(x) over w)::numeric, 6)::double precision from t1',
    ],
    [
      'select variance(x) filter (where a) over (order by ")") from t1',
      'select round((variance(x) filter (where a) over (order by ")"))::numeric, 6)::double precision from t1',
    ],
  ] as const;
  for (const [statement, expected] of rounded) assert.equal(withRoundedDoubles(statement), expected);
});

/* Statements with numerics whose scale PostgreSQL chooses by their values, to compare with PostgreSQL. */

export const quotientStatements: readonly string[] = [
  // From subqueries.
  'select team, a / 3 as b, a::text as c, a * 2 as d, (a / 7)::text as e from (select team, avg(age) as a, count(*) as n from people group by team) t',
  'with m as (select team, avg(age) as a from people group by team), w as (select avg(age) as a from people) select m.team, m.a / w.a as r, (m.a / w.a)::text as s from m, w',
  'select b / 3 as c from (select a / 2 as b from (select avg(age) as a from people) t) u',
  'select r / 3 as a, r::text as b from (select age / 7.0 as r from people) t',
  'select a / 2 as b, n from (select avg(age) as a, team as n from people group by team order by a desc nulls last, team limit 3) t',
  'select a / 2 as b, n from (select distinct on (active) active, avg(age) as a, team as n from people group by team, active order by active, a, team) t',
  'select a / 2 as b from (select avg(age) over (partition by team) as a from people) t',
  'select team, a / 2 as r from (select team, avg(age) as a from people group by grouping sets ((team), ())) x',
  'select x.a / 2 as r from (select team, avg(age) as a from people group by team having avg(age) > 3) x where x.a / 2 > 1 order by x.a / 2',
  'select p.id, p.id / t.a as r from people p left join (select team, avg(age) as a from people group by team) t on t.team = p.team',
  'select x.a / y.a as r from (select avg(age) as a from people) x full join (select avg(id) as a from people) y on true',
  'select p.id, t.a / 2 as b from people p, lateral (select avg(age) as a from people q where q.team = p.team) t',
  'select p.id, t.a::text as b from people p left join lateral (select avg(age) as a from people q where q.team = p.team) t on true',
  'select p.id, (select a / 2 from (select avg(age) as a from people q where q.team = p.team) t) as b from people p',
  'select exists (select 1 from (select avg(age) as a from people) z where z.a / 2 > 1) as r, array(select a / 2 from (select team, avg(age) as a from people group by team) z order by team) as s',
  // Of a single row.
  'select id, id / (select avg(age) from people) as r, (id / (select avg(age) from people))::text as s from people',
  'select id, id / (select avg(age) from people where false) as r from people',
  // One of several values.
  'select id, id / nullif((select avg(age) from people), 0) as r from people',
  'select team, sum(age) / nullif(avg(age), 0) as r from people group by team',
  'select team, coalesce(a, 0) / 2 as r, coalesce(a, 0)::text as s from (select team, avg(age) as a from people group by team) t',
  'select coalesce(avg(age), 0)::text as s, coalesce(avg(age), 0) / 3 as d, coalesce(null, 1.5, 2.25)::text as e from people where false',
  'select team, coalesce(avg(age), avg(id), 1.25) / 2 as r from people group by team having coalesce(avg(age), 0) / 2 > 1',
  'select (case when a > 1 then a else 0 end) / 2 as r, (case when a > 1 then a else 0 end)::text as s from (select avg(age) as a from people) t',
  'select team, case when count(*) > 2 then sum(age) / avg(id) end / 3 as d from people group by team',
  'select (case when id = 1 then 1.5 when id = 2 then 2 when id = 3 then null else 2.250 end)::text as s, (case when id = 1 then 1.5 when id = 2 then 2 else 2.250 end) / 3 as d from people',
  'select coalesce(x, 1.555)::text as a from (values (1.0), (null)) v(x)',
  'select id, sum(coalesce(a, 0) / 2) over (order by id) as r from people left join (select team, avg(age) as a from people group by team) t using (team)',
  // The scale of the chosen value, although another value has a larger one.
  'select coalesce(score::numeric(10,2), 0)::text as a, coalesce(round(score::numeric, 2), 1.5)::text as b, coalesce(extract(second from joined), 0)::text as c from people',
  'select coalesce(round(avg(age), 2), 0)::text as a, coalesce(sum(score::numeric(10,2)), 0)::text as b from people where false',
  "select count(*) as a from people where coalesce(round(score::numeric, 2), 0)::text = '0.00'",
  'select (coalesce(round(score::numeric, 2), age) * 1.5)::text as a from people',
  // Literals in quotes among numerics.
  "select case when id = 1 then 1.5 else '125e-3' end as a, greatest(0.0, '1e-3') as b, least(1.5, '1e-3') as c, nullif(0.1, '125e-3') as d, 0.1 in (0.2, '125e-3') as e, 0.1 is distinct from '125e-3' as f, array[1.5, '125e-3'] as g from people",
  "select x as a from (values (1.5), ('125e-3')) v(x)",
  "select case when id = 1 then 1.5 else '2.125' end as a, coalesce(null, 1.5, '2.25') as b, coalesce(null::numeric(4, 1), '1.25e-1') as c, greatest(1.5, '2.125') as d from people",
];

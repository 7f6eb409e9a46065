import type { Random } from '@redoubt/testkit';
import { testTables, type TestColumn, type TestTable } from '@redoubt/sql-fuzzer';
import { hiddenColumns, hostileNumbers, hostileTexts } from './hostile-records.ts';

/**
 * Templates of statements whose results hidden records would change. {t} and {u} stand for tables, {n} and {s} for
 * fields with numbers and with texts, {c} and {d} for any fields, {h} for a field that only hidden records have, {v}
 * and {x} for a number and a text that hidden records may have, and {id} for the id of a hidden, visible or absent
 * record.
 */
const templates = [
  'select * from {t}',
  'select * from {t} order by {c}',
  'select * from {t} order by {c} desc limit 5 offset 3',
  'select * from {t} where {n} > {v}',
  'select * from {t} where {s} = {x} or {n} = {v}',
  'select {h} from {t}',
  'select * from {t} where {h} is not null',
  'select count({h}) from {t}',
  'select Name, AGE, Id, ID from people',
  'select "Name", "AGE" from people',
  'select address, address.vault, address.city from people',
  'select address, info, id from people order by id',
  "select address->>'vault', address - 'city', address::text like '%1%' from people",
  'select address, count(*) from people group by address',
  'select info::text, count(*) from people group by 1 order by 2, 1 limit 5',
  "select address ? 'vault', info ? 'hush.deep', jsonb_typeof(address->'vault') from people",
  'select id.sub, id from {t}',
  'select raw, doc, label_id, words from {t}',
  'select _koverse_record_id, _koverse_timestamp, _koverse_dataset_id from {t}',
  'select _koverse_security_label from {t}',
  "select count(*), min({n}) from {t} where _koverse_record_id = '{id}'",
  "select * from {t} where _koverse_record_id >= '{id}' limit 3",
  'select count(*), count({c}), count(distinct {c}) from {t}',
  'select min({c}), max({c}), min({d}), max({d}) from {t}',
  'select sum({n}), avg({n}), stddev({n}), variance({n}), count({n}) from {t}',
  'select {n} / {n}, {n} % 3, 1 / {n}, {n} / 0, {n} * {n} * {n} from {t}',
  'select {n} * 1000000000, {n} + 9223372036854775807, -{n}, abs({n}) from {t}',
  'select ln({n}), sqrt({n}), exp({n}), power({n}, {n}), log({n}) from {t}',
  'select round({n}::numeric, 2), trunc({n}::numeric), {n}::numeric(10, 3) from {t}',
  'select {c}::bigint, {c}::double precision, {c}::numeric from {t}',
  'select {c}::boolean, {c}::text, {c}::jsonb from {t}',
  'select {s}::timestamp, {s}::date, {s}::timestamptz, {s}::interval from {t}',
  'select extract(year from {s}::date) from {t}',
  "select to_date({s}, 'YYYY-MM-DD'), to_timestamp({s}, 'DD.MM.YYYY HH24:MI') from {t}",
  "select {s}::timestamp at time zone 'Europe/Berlin', date_trunc('day', {s}::timestamptz, 'America/New_York') from {t}",
  "select {s} ~ '(a|aa)+b', {s} like {x}, {s} ilike '%ZEBRA%', {s} similar to '(a|b)%' from {t}",
  "select regexp_replace({s}, '[a-z]+', 'x'), substring({s} from 'a+'), split_part({s}, ' ', 2) from {t}",
  "select repeat({s}, 3), lpad({s}, 9, 'é'), left({s}, -2), reverse({s}), initcap({s}) from {t}",
  'select chr(ascii({s})), md5({s}), length({s}), octet_length({s}) from {t}',
  'select count(*) from {t} where 1 / {n} > 0',
  'select count(*) from {t} where 1 / ({n} - {v}) > 0',
  'select count(*) from {t} where {c}::bigint > 2',
  "select count(*) from {t} where {s}::date > date '2020-01-01'",
  'select count(*) from {t} where {s} like {x}',
  'select count(*) from {t} where {n} is null or {c} is null',
  'select count(*) from {t} where {n} = {v}',
  'select count(*) from {t} where {s} in ({x}, {x}, {x})',
  'select count(*) from {t} where {n} not in (select {n} from {t})',
  'select count(*) from {t} where {c} is distinct from {d}',
  'select count(*) from {t} where exists (select 1 from {t} where {s} = {x})',
  'select (select max({n}) from {t}), (select {n} from {t}), (select count(*) from {u})',
  'select (select {n} from {t} where {n} = {v})',
  'select {c}, count(*) from {t} group by {c}',
  'select {c}, count(*) from {t} group by 1 order by 2 desc, 1 limit 4',
  'select {c}, {d}, sum({n}) from {t} group by {c}, {d} having count(*) > 1',
  'select {c}, max({n}) filter (where {s} = {x}) from {t} group by {c}',
  'select distinct {c} from {t}',
  'select distinct on ({c}) {c}, {d} from {t}',
  "select string_agg({s}, ','), array_agg({n}), array_agg({c}) from {t}",
  "select string_agg({s}, ',' order by {n} desc) from {t}",
  'select percentile_cont(0.5) within group (order by {n}), mode() within group (order by {c}) from {t}',
  'select percentile_disc(0.9) within group (order by {c}) from {t}',
  'select corr({n}, {n}), regr_slope({n}, {n}), covar_pop({n}, {n}) from {t}',
  'select bool_and({n} > {v}), bool_or({c} is null), bit_or({n}::bigint) from {t}',
  'select {c}, row_number() over (order by {d}), rank() over (order by {d}) from {t}',
  'select {c}, lag({c}) over (order by {d}), sum({n}) over (partition by {c} order by {d}) from {t}',
  'select ntile(4) over (order by {c}), first_value({d}) over (partition by {c} order by {d}) from {t}',
  'select sum({n}) over (order by {c} rows between 2 preceding and 1 following) from {t}',
  'select count(*) from {t} a, {u} b',
  'select count(*) from {t} a join {u} b on a.id = b.id',
  'select a.id, b.id from {t} a left join {u} b on a.id = b.id',
  'select a.id, b.id from {t} a full join {u} b on a.id = b.id + 3',
  'select a.id, b.id from {t} a right join {u} b on a.id = b.id order by 2, 1 limit 6',
  'select a.id from {t} a join {t} b using (id) limit 5',
  'select * from (select id from {t}) a natural full join {u} b',
  'select a.id from {t} a left join {u} b on a.id = b.id and 1 = any(array[2]) where b.id > 0',
  'select a.id from {t} a full join {u} b on a.id = b.id and 1 = any(array[1]) where b.id > 0',
  'select id from {t} where id in (select id from {u}) limit 5 offset 2',
  'select id from {t} a where not exists (select 1 from {u} b where b.id = a.id)',
  'select id, (select count(*) from {u} b where b.id = a.id) from {t} a',
  'select id from {t} union select id from {u}',
  'select id from {t} intersect select id from {u}',
  'select id from {t} except all select id from {u} order by 1 limit 3',
  'select {c} from {t} union all select {c} from {t} limit 7',
  'with a as (select * from {t} where {n} > {v}) select count(*) from a',
  'select * from (select {c} x, {d} y from {t} order by {c} limit 3) q',
  'select {c} from {t} order by {d} limit 7',
  'select {c} from {t} order by {d} nulls first limit 7 offset 5',
  'select id from {t} limit 4',
  'select id from {t} offset 5',
  "select {s} || {s}, concat({c}, {d}), {c} || 'x' from {t}",
  "select info->'k', info->>'n', info->'o'->>'x', info->'l'->0 from people",
  "select jsonb_typeof(info), jsonb_typeof(tags), tags->0, info ? 'k' from people",
  'select jsonb_array_length(tags), jsonb_array_length(info) from people',
  'select u from people, unnest(array[age, id]) u',
  'select count(*), max(g) from {t}, generate_series(1, id) g',
  "select id, g from {t}, generate_series({s}::timestamp, {s}::timestamp + interval '2 months', '1 month') g",
  'select id, t from people, jsonb_array_elements(tags) t',
  'select id, jsonb_array_elements_text(tags), unnest(array[id, age]) from people order by id limit 4 offset 2',
  'select k, count(*) from people, jsonb_object_keys(info) k group by k',
  'select jsonb_object_keys(address), jsonb_array_elements(address) from people',
  'select p.id, e.* from people p left join jsonb_each_text(p.address) with ordinality e on true',
  'select e.value::text, count(*) from people p join jsonb_each(p.info) e on e.key > {x} group by e.value::text',
  "select id from people where 'red' in (select jsonb_array_elements_text(tags))",
  "select address @> '{\"vault\":1}', info @> '{\"o\":{\"x\":\"y\"}}', tags @> '[1]', address ?| array['vault', 'city'] from people",
  'select greatest({n}, {n}), least({n}, {v}), coalesce({c}, {d}), nullif({c}, {d}) from {t}',
  'select case when {n} > {v} then 1 / {n} else {n} end from {t}',
  'select {c} + 1 from {t}',
  'select sum({c}) from {t}',
  'select {c} from {t} where {c} > {d}',
  'select nonsense({c}) from {t}',
  'select {c} from nowhere',
  'select zebra from {t} group by {c}',
];

const pathOf = ({ name }: TestColumn): string => name.replaceAll(/[«»]/g, '');

const isNumber = ({ type }: TestColumn): boolean =>
  type === 'bigint' || type === 'double' || type === 'numeric';

/** A statement from one of the templates. */
export const targetedStatement = (random: Random): string => {
  const table: TestTable = random.pick(testTables);
  const name = (columns: readonly TestColumn[]): string => pathOf(random.pick(columns));
  const texts = table.columns.filter(({ type }) => type === 'text');
  const fill: Record<string, () => string> = {
    u: () => random.pick(testTables).name,
    n: () => name(table.columns.filter(isNumber)),
    s: () => (texts.length === 0 ? 'name' : name(texts)),
    c: () => name(table.columns),
    d: () => name(table.columns),
    h: () => name(hiddenColumns),
    v: () => random.pick(hostileNumbers),
    x: () => `'${random.pick(hostileTexts).replaceAll("'", "''")}'`,
    id: () => `‹${random.pick(['hidden', 'hidden', 'visible', 'absent'])}:${String(random.int(60))}›`,
  };
  return random
    .pick(templates.filter((text) => !text.includes(' from people') || table.name === 'people'))
    .replaceAll('{t}', table.name)
    .replaceAll(/\{(\w+)\}/g, (_, slot: string) => fill[slot]?.() ?? slot);
};

const plainText = (text: string): string => `"${text.replaceAll(/["\\]/g, '')}"`;

/** A search for values of visible and hidden records, and for fields that only hidden records have. */
export const targetedSearch = (random: Random, table: TestTable, depth = 2): string => {
  if (depth > 0 && random.chance(0.5)) {
    const [left, right] = [
      targetedSearch(random, table, depth - 1),
      targetedSearch(random, table, depth - 1),
    ];
    return random.pick([
      `(${left} AND ${right})`,
      `(${left} OR ${right})`,
      `NOT (${left})`,
      `${left} -${right}`,
    ]);
  }
  const columns = random.chance(0.2) ? hiddenColumns : table.columns;
  const path = pathOf(random.pick(columns)).replaceAll('"', '').replaceAll(' ', '\\ ');
  const value = random.chance(0.4)
    ? random.pick(hostileNumbers)
    : random.chance(0.5)
      ? plainText(random.pick(hostileTexts))
      : random.pick([
          'abc',
          'open',
          'z*',
          '*o*',
          'foo',
          '3',
          'true',
          '/[a-c]+.*/',
          'wide7',
          '?',
          'long',
          'oslo',
        ]);
  const bound = (): string => random.pick(['*', '0', '3', '-1', '1e300', '2024-01-01', 'a', 'm', '1e400']);
  return random.pick([
    value,
    `${path}:${value}`,
    `${path}:${value}`,
    `_exists_:${path}`,
    `${path}:[${bound()} TO ${bound()}]`,
    `${path}:{${bound()} TO ${bound()}]`,
    `${path}:>=${bound().replace('*', '1')}`,
    '*:*',
  ]);
};

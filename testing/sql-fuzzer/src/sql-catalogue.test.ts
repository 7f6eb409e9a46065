import { RedoubtError } from '@redoubt/errors';
import { compileSql, parseSql, UnsupportedSqlError } from '@redoubt/query';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { typeNames } from './comparison.ts';
import { referenceOfSuite, skip } from './suite.ts';

/** A value of each type of the dialect, and of PostgreSQL's pseudotypes for several types. */
const types = `(values ('boolean', 'boolean'), ('smallint', 'smallint'), ('integer', 'integer'), ('bigint', 'bigint'),
  ('numeric', 'numeric'), ('double precision', 'double precision'), ('text', 'text'), ('date', 'date'),
  ('timestamp without time zone', 'timestamp'), ('timestamp with time zone', 'timestamptz'), ('interval', 'interval'),
  ('jsonb', 'jsonb'), ('integer[]', 'integer[]'), ('bigint[]', 'bigint[]'), ('text[]', 'text[]'),
  ('double precision[]', 'double precision[]'), ('anyarray', 'bigint[]'), ('anyelement', 'bigint'),
  ('anycompatiblearray', 'bigint[]'), ('anycompatible', 'bigint'), ('"any"', 'text'))`;

const samples = `select distinct 'null::' || sample from ${types} as t(name, sample) union all select 'null'`;

/** Every operator with values of any two types and with untyped literals. PostgreSQL resolves the overloads. */
const operators = `
  select distinct format('select (%s) %s (%s) as x', l.value, o.oprname, r.value)
  from pg_operator o join ${types} as t(name, sample) on t.name = o.oprright::regtype::text,
    (${samples}) l(value), (${samples}) r(value)
  where o.oprleft <> 0
  union all
  select format('select %s (null::%s) as x', o.oprname, t.sample)
  from pg_operator o join ${types} as t(name, sample) on t.name = o.oprright::regtype::text
  where o.oprleft = 0`;

/**
 * The functions that people call, without those that implement operators, casts, types, aggregates and indexes or
 * administer the server.
 */
const functions = `
  with behind as (
    select oprcode as id from pg_operator union select oprrest from pg_operator union select oprjoin from pg_operator
    union select castfunc from pg_cast union select amproc from pg_amproc
    union select unnest(array[typinput, typoutput, typreceive, typsend, typmodin, typmodout, typanalyze]) from pg_type
    union select unnest(array[aggtransfn, aggfinalfn, aggcombinefn, aggserialfn, aggdeserialfn, aggmtransfn, aggminvtransfn, aggmfinalfn]) from pg_aggregate
  )
  select format('select %I(%s) as x', p.proname, string_agg('null::' || t.sample, ', ' order by a.place))
  from pg_proc p
  cross join lateral unnest(p.proargtypes::oid[]) with ordinality a(type, place)
  left join ${types} as t(name, sample) on t.name = a.type::regtype::text
  where p.pronamespace = 'pg_catalog'::regnamespace and p.prokind in ('f', 'a') and p.oid not in (select id from behind where id is not null)
    and p.proname !~ '^(pg_|lo_|txid_|has_|binary_upgrade_|set_config|setval|hash)'
  group by p.oid, p.proname having bool_and(t.name is not null)`;

/** The same call with an untyped NULL instead of some of its arguments. */
function withoutTypes(call: string): string[] {
  const [, name = '', list = ''] = /^select (\w+)\((.*)\) as x$/.exec(call) ?? [];
  const args = list.split(', ');
  if (name === '' || args.length > mostUntyped) return [];
  return Array.from(
    { length: 2 ** args.length - 1 },
    (_, mask) =>
      `select ${name}(${args.map((arg, i) => ((mask + 1) & (1 << i) ? 'null' : arg)).join(', ')}) as x`,
  );
}
const mostUntyped = 4;

/** Ambiguous in PostgreSQL, which has this operator also for lines and boxes. Redoubt does not have these types. */
const unclear: ReadonlySet<string> = new Set(['select (null) ?| (null) as x']);

const casts = `select distinct format('select (null::%s)::%s as x', f.sample, t.sample) from ${types} as f(name, sample), ${types} as t(name, sample)`;

const unsupported = 'is not supported';
const refused = 'is wrong';

/** The type of the column that a statement returns, or its error. */
async function typeOrRefusal(statement: string): Promise<string | undefined> {
  const catalog = { find: () => undefined };
  try {
    const parsed = await parseSql(statement);
    const compiled = compileSql({ parsed, catalog, now: new Date(), limit: 1, offset: 0, columns: 'plain' });
    return compiled.schema?.['x']?.type;
  } catch (error) {
    if (error instanceof UnsupportedSqlError) return unsupported;
    if (error instanceof RedoubtError) return refused;
    throw error;
  }
}

describe('operators, functions and casts of PostgreSQL', { skip }, () => {
  const reference = referenceOfSuite();

  test("for every type, each function has PostgreSQL's result type or is rejected by name", async (context) => {
    const counts = { succeeded: 0, refused: 0 };
    const different: string[] = [];
    const statements: string[] = [];
    for (const list of [operators, functions, casts]) {
      const found = await reference().query(list);
      assert.ok('rows' in found, JSON.stringify(found));
      statements.push(...found.rows.flatMap(([statement]) => statement ?? []));
    }
    statements.push(...new Set(statements.flatMap(withoutTypes)));
    for (const statement of statements) {
      const expected = await reference().query(statement);
      const found = await typeOrRefusal(statement);
      if ('refused' in expected) {
        // Errors at run time are NULL in Redoubt.
        if (!expected.code.startsWith('42')) continue;
        if (found !== unsupported && found !== refused && !unclear.has(statement))
          different.push(`${statement}: ${String(found)}, not refused: ${expected.refused}`);
        continue;
      }
      const type = typeNames[expected.columns[0]?.type ?? 0];
      counts[found === unsupported ? 'refused' : 'succeeded'] += 1;
      if (found !== unsupported && found !== type)
        different.push(`${statement}: ${String(found)}, not ${String(type)}`);
    }
    context.diagnostic(JSON.stringify(counts));
    assert.deepEqual(different, [], different.join('\n'));
    assert.ok(counts.succeeded > 1000, `only ${String(counts.succeeded)} are answered`);
  });

  test('functions of jsonb are not mistaken for functions of text, nor rows for columns', async () => {
    for (const expression of [
      `'{}'::jsonb || '{"a":1}'`,
      `'{"a":1}' || '{}'::jsonb`,
      `'{}'::jsonb - 'a'`,
      'to_jsonb(v)',
      'to_char(5, $$99$$)',
      "'{1,2}'::text::int[]",
      "coalesce('{a}', i::text)::text[]",
    ]) {
      const statement = `select ${expression} from (values (1)) v(i)`;
      assert.ok('rows' in (await reference().query(statement)), statement);
      assert.equal(await typeOrRefusal(statement), unsupported, statement);
    }
  });

  test('LIKE is rejected for values that are not text', async () => {
    for (const statement of [
      "select i like '5' from (values (1)) v(i)",
      'select null::jsonb like null',
      "select 'a' ilike i from (values (1)) v(i)",
      "select d not like '2%' from (values (date '2020-01-01')) v(d)",
      "select 5 similar to '5'",
      "select 'a' similar to i from (values (1)) v(i)",
    ]) {
      assert.ok('refused' in (await reference().query(statement)), statement);
      assert.equal(await typeOrRefusal(statement), refused, statement);
    }
  });
});

import { RedoubtError } from '@redoubt/errors';
import { compileSql, parseSql } from '@redoubt/query';
import { createReferenceDatabase, type ReferenceDatabase } from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { skip } from './testing/sql/suite.ts';

/** A value of each type that statements have, and of what PostgreSQL writes for several of them. */
const types = `(values ('boolean', 'boolean'), ('smallint', 'smallint'), ('integer', 'integer'), ('bigint', 'bigint'),
  ('numeric', 'numeric'), ('double precision', 'double precision'), ('text', 'text'), ('date', 'date'),
  ('timestamp without time zone', 'timestamp'), ('timestamp with time zone', 'timestamptz'), ('interval', 'interval'),
  ('jsonb', 'jsonb'), ('integer[]', 'integer[]'), ('bigint[]', 'bigint[]'), ('text[]', 'text[]'),
  ('double precision[]', 'double precision[]'), ('anyarray', 'bigint[]'), ('anyelement', 'bigint'),
  ('anycompatiblearray', 'bigint[]'), ('anycompatible', 'bigint'), ('"any"', 'text'))`;

const operators = `
  select format('select %s %s (null::%s) as x', '(null::' || nullif(l.sample, '') || ')', o.oprname, r.sample)
  from pg_operator o
  join ${types} as r(name, sample) on r.name = o.oprright::regtype::text
  left join ${types} as l(name, sample) on l.name = o.oprleft::regtype::text
  where l.name is not null or o.oprleft = 0`;

/** Those that people call: not what stands behind operators, casts, types, aggregates and indexes, nor what is the server's. */
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

const casts = `select distinct format('select (null::%s)::%s as x', f.sample, t.sample) from ${types} as f(name, sample), ${types} as t(name, sample)`;

/** The status with which a statement is refused, if it is. */
async function refusalOf(statement: string): Promise<number | undefined> {
  const catalog = { find: () => undefined };
  try {
    const parsed = await parseSql(statement);
    compileSql({ parsed, catalog, now: new Date(), limit: 1, offset: 0, columns: 'plain' });
    return undefined;
  } catch (error) {
    if (error instanceof RedoubtError) return error.code;
    throw error;
  }
}

describe('operators, functions and casts of PostgreSQL', { skip }, () => {
  let reference: ReferenceDatabase;
  before(async () => {
    const opened = await createReferenceDatabase();
    assert.ok(opened !== undefined);
    reference = opened;
  });
  after(() => reference.remove());

  test('each of them over the types that statements have is answered, or refused by its name', async (context) => {
    const counts = { answered: 0, refused: 0 };
    const denied: string[] = [];
    const statements: string[] = [];
    for (const list of [operators, functions, casts]) {
      const found = await reference.ask(list);
      assert.ok('rows' in found, JSON.stringify(found));
      statements.push(...found.rows.flatMap(([statement]) => statement ?? []));
    }
    for (const statement of statements) {
      if ('refused' in (await reference.ask(statement))) continue;
      const refusal = await refusalOf(statement);
      if (refusal === undefined) counts.answered += 1;
      else if (refusal === 501) counts.refused += 1;
      else denied.push(statement);
    }
    context.diagnostic(JSON.stringify(counts));
    assert.deepEqual(denied, [], denied.join('\n'));
    assert.ok(counts.answered > 450, `only ${String(counts.answered)} are answered`);
  });

  test('what PostgreSQL has for jsonb is not taken for what it has for texts, and rows are no columns', async () => {
    for (const expression of [
      `'{}'::jsonb || '{"a":1}'`,
      `'{"a":1}' || '{}'::jsonb`,
      `'{}'::jsonb - 'a'`,
      `'{}'::jsonb @> '{}'`,
      'to_jsonb(v)',
      'to_char(5, $$99$$)',
    ]) {
      const statement = `select ${expression} from (values (1)) v(i)`;
      assert.ok('rows' in (await reference.ask(statement)), statement);
      assert.equal(await refusalOf(statement), 501, statement);
    }
  });
});

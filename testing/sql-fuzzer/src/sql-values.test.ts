import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { comparisonOfSuite, expectNulls, expectSame, skip } from './suite.ts';
import { patternStatements, raisingPatterns, unsupportedPatterns } from './pattern-statements.ts';
import {
  aggregatesStatements,
  arraysStatements,
  datesStatements,
  intervalsStatements,
  jsonStatements,
  windowsStatements,
} from './value-statements.ts';
import { unsupportedZones, wrongZones, zonesStatements } from './zone-statements.ts';

/** Statements for which PostgreSQL fails. Here the value is NULL. */
const raising: readonly string[] = [
  "select x::date a from (values ('2020-02-30'), ('foo'), ('2019-02-29')) v(x)",
  "select x::timestamp a from (values ('2020-01-01 25:00'), ('2020-01-01 10:61'), ('')) v(x)",
  'select make_date(x, 2, 29) a from (values (2019), (2021)) v(x)',
  "select interval '1 day' / x a from (values (0)) v(x)",
  "select i * 1e12 a from (values (interval '1 mon'), (interval '1 hour')) v(i)",
  "select i + i a from (values (interval '178000000 years'), (interval '2147483647 days')) v(i)",
  "select date_bin(i, timestamp '2020-01-01', timestamp '2000-01-01') a from (values (interval '1 mon')) v(i)",
  "select -i a from (values (interval '-2147483648 days')) v(i)",
  'select to_timestamp(x) a from (values (1e15)) v(x)',
  "select date '2020-01-01' + x a from (values (2147483647)) v(x)",
  'select (x -> \'a\')::int a from (values (\'{"a":"b"}\'::jsonb), (\'{"a":[]}\')) v(x)',
  "select jsonb_array_length(x) a from (values ('{}'::jsonb), ('1')) v(x)",
];

describe('SQL values equal those of PostgreSQL', { skip }, () => {
  const both = comparisonOfSuite(1);

  const groups = {
    'dates, timestamps and intervals': datesStatements,
    'intervals of months, days and microseconds': intervalsStatements,
    'time zones': zonesStatements,
    'dates and moments by a pattern': patternStatements,
    'JSON values': jsonStatements,
    arrays: arraysStatements,
    aggregates: aggregatesStatements,
    'window functions': windowsStatements,
  };
  for (const [name, statements] of Object.entries(groups)) {
    test(`${name} give the rows that PostgreSQL gives`, async () =>
      expectSame(both(), statements, (statement) => / order by [a-z0-9 ,]+$/.test(statement)));
  }

  test('unsupported time zones and patterns are rejected by name', async () => {
    for (const [statement, message] of Object.entries({ ...unsupportedZones, ...unsupportedPatterns })) {
      assert.equal((await both().compare(statement, false)).kind, 'unsupported', statement);
      await assert.rejects(both().ours(statement), { name: 'SqlParseError', message });
    }
  });

  test('unknown time zones are rejected, as in PostgreSQL', async () => {
    for (const [statement, message] of Object.entries(wrongZones)) {
      assert.match((await both().compare(statement, false)).kind, /^(?:raised|refused)$/, statement);
      await assert.rejects(both().ours(statement), { code: 400, message });
    }
  });

  test('where PostgreSQL raises an error for a value, the value is NULL', async () =>
    expectNulls(both(), [...raising, ...raisingPatterns]));
});

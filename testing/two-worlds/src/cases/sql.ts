import type { Person } from '@redoubt/testkit/requests';
import { as, type Request } from '@redoubt/testkit/requests';
import { requests, type Case } from '../case.ts';
import { otherFormats } from './bulk-reads.ts';
import { sqlStatements } from './sql-statements.ts';

type Options = Readonly<Record<string, unknown>>;

const sql = (person: Person, expression: string, options: Options = {}): Request =>
  as(person).post('/query', { expression, ...options });

const quoted = (id: string): string => `"${id}"`;

export const query: Case = requests(({ people, datasets, hidden }) => {
  const { reader, admin } = people;
  const shared = quoted(datasets.shared);
  const statements = sqlStatements(shared, quoted(datasets.many), quoted(datasets.empty), hidden.dataset);
  const all = { limit: -1, includeInternalFields: true };
  return [
    ...statements.map((statement) => sql(reader, statement, all)),
    ...statements.filter((_, index) => index % 6 === 0).map((statement) => sql(admin, statement, all)),
    ...['Shared', 'shared', '"shared"', 'Hidden', 'Many'].map((name) =>
      sql(reader, `SELECT count(*) FROM ${name}`),
    ),
    ...[[], ['ALPHA'], ['beta'], ['ALPHA', 'SECRET'], ['UNHEARD-OF'], null].map((credentialsSubset) =>
      sql(reader, `SELECT count(*), max(n), min(name) FROM ${shared}`, { credentialsSubset }),
    ),
    ...[1, 49, 50, 51, 0].map((limit) => sql(reader, `SELECT * FROM ${shared}`, { limit })),
    ...[7, 49, 50, 5000].map((offset) => sql(reader, `SELECT id FROM ${shared}`, { offset, limit: 7 })),
    ...[people.writer, people.outsider, people.loner].map((person) => sql(person, `SELECT * FROM ${shared}`)),
    sql(reader, `SELECT * FROM ${quoted(datasets.dropBox)}`),
    sql(reader, `SELECT * FROM ${quoted(hidden.foreignDataset)}`),
    sql(reader, `SELECT count(*) FROM ${shared} a JOIN ${quoted(hidden.dataset)} b ON true`),
    sql(reader, 'SELECT 1', { datasetId: hidden.dataset }),
    ...[
      `SELECT * FROM ${shared}`,
      `SELECT n, name, tags, mixed, big, secret FROM ${shared} ORDER BY n DESC`,
      `SELECT n, name, tags, mixed, big, f, at FROM ${shared} ORDER BY n DESC`,
      `SELECT flag, count(*), sum(f), string_agg(name, ',') FROM ${shared} GROUP BY flag`,
      `SELECT * FROM ${quoted(datasets.many)}`,
      `SELECT a.id, b.k FROM ${shared} a FULL JOIN ${quoted(datasets.many)} b ON a.n = b.k`,
      `SELECT * FROM ${quoted(datasets.empty)}`,
    ].flatMap((statement) => otherFormats(sql(reader, statement, all))),
    sql(reader, 'SELECT 1', { datasetId: datasets.shared, searchId: 'mine' }),
  ];
});

/** Cancels with the ids of queries that never existed or have ended. */
export const cancelQuery: Case = requests(({ people, datasets, hidden }) => [
  sql(people.admin, 'SELECT 1', { searchId: 'ended' }),
  sql(people.reader, `SELECT count(*) FROM ${quoted(datasets.shared)}`, { searchId: 'ended' }),
  ...['ended', 'unknown', hidden.record, hidden.dataset, datasets.shared].flatMap((searchId) =>
    [people.reader, people.loner].map((person) => as(person).remove(`/query/${searchId}`)),
  ),
]);

import type { summaryRoutes } from '@redoubt/contract';
import { requests, type Case } from '../case.ts';
import type { Person } from '@redoubt/testkit/requests';
import type { Scenario } from '../scenario.ts';
import { as, type Request } from '@redoubt/testkit/requests';

/** Lists of datasets to summarise. A hidden dataset must give the same result as an absent one. */
const choices = ({ datasets, hidden }: Scenario): readonly (readonly string[] | undefined)[] => [
  undefined,
  [],
  [datasets.shared, datasets.many, datasets.empty],
  [datasets.shared, hidden.dataset],
  [hidden.foreignDataset],
  [datasets.dropBox],
  ['nowhere-at-all'],
];

const of = (scenario: Scenario, path: string, expressions: readonly string[]): Request[] => {
  const { people, datasets } = scenario;
  const request = (person: Person, expression: string, rest: object = {}) =>
    as(person).post(path, { expression, ...rest });
  const [first = ''] = expressions;
  return [
    ...expressions.flatMap((expression) => [
      request(people.reader, expression, { limit: 100 }),
      request(people.reader, expression, { limit: 3, credentialsSubset: ['ALPHA', 'SECRET', 'H5'] }),
      request(people.admin, expression, { datasetIds: [datasets.shared, datasets.many] }),
    ]),
    ...choices(scenario).flatMap((datasetIds) =>
      [people.reader, people.writer, people.outsider].map((person) => request(person, first, { datasetIds })),
    ),
    request(people.loner, first),
    request(people.reader, first, { datasetIds: [datasets.notes], searchId: 'mine' }),
  ];
};

const searches = [
  '*:*',
  'secret',
  'secret:*',
  'NOT secret:*',
  'name:* AND n:[3 TO *]',
  'p17:1 OR hidden',
  'n:(',
];

export const summaryCases: Record<keyof typeof summaryRoutes, Case> = {
  summarizeLucene: requests((scenario) => [
    ...of(scenario, '/query/lucene/datasets/summary', searches),
    ...searches.map((expression) =>
      as(scenario.people.reader).post('/query/lucene/datasets/summary', {
        expression,
        limit: 100,
        highlight: true,
        includeInternalRecordId: true,
      }),
    ),
  ]),
  summarizeSql: requests((scenario) =>
    of(scenario, '/query/datasets/summary', [
      'SELECT * FROM dataset',
      'SELECT count(*) AS many, min(_koverse_record_id) AS first FROM dataset',
      'SELECT secret FROM dataset',
      'SELECT n, count(*) FROM dataset GROUP BY n ORDER BY 2 DESC, 1',
      "SELECT * FROM dataset WHERE name = 'secret' OR n > 3",
      `SELECT * FROM dataset, "${scenario.hidden.dataset}"`,
      'SELECT p17 / 0 FROM dataset',
    ]),
  ),
};

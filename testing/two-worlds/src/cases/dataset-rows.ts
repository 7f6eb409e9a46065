import type { datasetRowRoutes } from '@redoubt/contract';
import { sampleOf } from '@redoubt/testkit';
import { as, type Person, type Request } from '@redoubt/testkit/requests';
import { requests, sampleShare, type Case } from '../case.ts';
import type { Scenario } from '../scenario.ts';
import { readersOf, refused } from './reading.ts';

const of =
  (call: 'profiles' | 'rows' | 'values') =>
  (person: Person, datasetId: string, body: object): Request =>
    as(person).post(`/datasets/${datasetId}/${call}`, body);
const rows = of('rows');
const profiles = of('profiles');
const values = of('values');

/** Fields of both worlds, fields that only hidden records and columns have, and an absent field. */
const fields = [
  'name',
  'n',
  'f',
  'flag',
  'at',
  'mixed',
  'nested',
  'nested.a',
  'big',
  'secret',
  'hush',
  'nested.hush',
  'p17',
  'no such field',
];
/** The fields with hidden values. */
const hidingFields = new Set(['mixed', 'secret', 'hush', 'nested.hush', 'p17']);

const selections = [
  {},
  { lucene: 'NOT zebra' },
  { lucene: 'hush:* OR secret:* OR lodge' },
  { filters: [{ field: 'hush', operator: 'is', values: ['zebra', null] }] },
  { filters: [{ field: 'hush', operator: 'is-not', values: ['zebra'] }] },
  { filters: [{ field: 'n', operator: 'at-least', values: ['5'] }] },
  { filters: [{ field: 'name', operator: 'contains', values: ['LODGE', 'zebra'] }] },
  { filters: [{ field: 'secret', operator: 'less-than', values: ['7'] }] },
];

/** Each field with two of the options, and fields with hidden values with all. Each option is with several fields. */
const pairs = <Option>(options: readonly Option[]): [field: string, option: Option][] =>
  fields.flatMap((field, at) =>
    options
      .filter((_, index) => hidingFields.has(field) || (index + 2 * at) % options.length < 2)
      .map((option): [string, Option] => [field, option]),
  );

const sorts = fields.flatMap((field) =>
  (['ascending', 'descending'] as const).map((direction) => [{ field, direction }]),
);

const otherDatasets = (
  scenario: Scenario,
  request: (person: Person, datasetId: string) => Request,
): Request[] => [
  ...Object.values(scenario.datasets).flatMap((id) =>
    readersOf(scenario).map((person) => request(person, id)),
  ),
  ...refused(scenario).map(([person, id]) => request(person, id)),
];

const readRows: Case = async (send, scenario) => {
  const { people, datasets } = scenario;
  for (const selection of selections) {
    for (const person of readersOf(scenario)) {
      await send(rows(person, datasets.shared, { ...selection, limit: 500 }));
    }
    await send(rows(people.reader, datasets.shared, { ...selection, limit: 100, highlight: true }));
  }
  for (const sort of sorts) {
    const query = { sort, fields: ['id', 'hush', 'secret', 'nested'], limit: 7 };
    const first = await send(rows(people.reader, datasets.shared, query));
    const { view } = JSON.parse(first.body) as { view: string };
    for (const offset of [7, 33, 5000])
      await send(rows(people.reader, datasets.shared, { ...query, view, offset }));
    // A view of another person gives the same error as an absent view.
    await send(rows(people.admin, datasets.shared, { ...query, view }));
    await send(rows(people.reader, datasets.shared, { ...query, view: 'unknown' }));
  }
  for (const request of otherDatasets(scenario, (person, id) => rows(person, id, { limit: 3 })))
    await send(request);
};

export const datasetRowCases: Record<keyof typeof datasetRowRoutes, Case> = {
  readRows,
  profileFields: requests((scenario) => [
    ...sampleOf(selections, sampleShare, (selection) => JSON.stringify(selection)).flatMap((selection) =>
      readersOf(scenario).map((person) =>
        profiles(person, scenario.datasets.shared, { ...selection, fields }),
      ),
    ),
    // The same request again, because its response may come from a cache.
    profiles(scenario.people.reader, scenario.datasets.shared, { fields }),
    ...otherDatasets(scenario, (person, id) =>
      profiles(person, id, { fields: ['secret', 'name', 'k', 'hush'] }),
    ),
  ]),
  listValues: requests((scenario) => [
    ...sampleOf(pairs(selections), sampleShare, (pair) => JSON.stringify(pair)).map(([field, selection]) =>
      values(scenario.people.reader, scenario.datasets.shared, { ...selection, field, limit: 20 }),
    ),
    ...pairs(['z', 'A', 'secret', '1', '{']).map(([field, prefix]) =>
      values(scenario.people.reader, scenario.datasets.shared, { field, prefix }),
    ),
    ...otherDatasets(scenario, (person, id) => values(person, id, { field: 'k' })),
  ]),
};

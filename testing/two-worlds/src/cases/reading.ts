import { sampleOf } from '@redoubt/testkit';
import type { Person } from '@redoubt/testkit/requests';
import { pagesOf, type RecordBatch } from '../records.ts';
import type { Scenario } from '../scenario.ts';
import { as, query, type SendToBoth, type Request } from '@redoubt/testkit/requests';
import { requests, sampleShare, type Case } from '../case.ts';
import { expressions } from './expressions.ts';

type Options = Readonly<Record<string, unknown>>;

export const search = (
  person: Person,
  datasetId: string,
  expression: string,
  options: Options = {},
): Request => as(person).post('/query/lucene', { datasetId, expression, ...options });

export const sequence = (person: Person, datasetId: string, options: Options = {}): Request =>
  as(person).post('/readInSequence', { datasetId, ...options });

export const schema = (person: Person, datasetId: string, flags: Options = {}): Request =>
  as(person).get(`/query/schema${query({ datasetId, ...(flags as Record<string, boolean>) })}`);

/** Reads all pages and returns them. */
export const readPages = (
  send: SendToBoth,
  person: Person,
  datasetId: string,
  options: Options,
): Promise<RecordBatch[]> => Array.fromAsync(pagesOf(send, person, datasetId, options));

const all = { limit: -1, includeInternalFields: true };
/** Subsets of attributes for `credentialsSubset`, which limits what the reader sees. */
export const subsets = [[], ['ALPHA'], ['beta'], ['ALPHA', 'SECRET'], ['H1', 'H2'], ['UNHEARD-OF'], null];

/** Readers of Shared: one with two attributes, and the admin without attributes. */
export const readersOf = ({ people }: Scenario) => [people.reader, people.admin];
export const refused = ({ people, datasets, hidden }: Scenario): [Person, string][] => [
  [people.reader, hidden.dataset],
  [people.reader, hidden.foreignDataset],
  [people.reader, datasets.dropBox],
  [people.writer, datasets.shared],
  [people.outsider, datasets.shared],
  [people.loner, datasets.shared],
];

export const queryLucene: Case = requests((scenario) => {
  const { people, datasets, hidden, records } = scenario;
  const { reader } = people;
  const paged = ['*:*', 'lodge', 'NOT zebra'];
  return [
    ...expressions.map((expression) => search(reader, datasets.shared, expression, all)),
    ...expressions
      .filter((_, index) => index % 5 === 0)
      .map((expression) => search(people.admin, datasets.shared, expression, all)),
    ...['*:*', 'zebra', 'k:[0 TO 9]', 'NOT k:5', 'OWN', 'H7'].map((expression) =>
      search(reader, datasets.many, expression, all),
    ),
    ...['*:*', 'zebra', 'NOT zebra', 'name:*', '_exists_:secret'].map((expression) =>
      search(reader, datasets.empty, expression, all),
    ),
    // A search without a field is rejected in Notes, whatever records it has.
    ...['zebra', 'note:rewritten', 'priority:>3', 'name:zebra'].map((expression) =>
      search(reader, datasets.notes, expression, all),
    ),
    ...sampleOf(expressions, sampleShare, String).map((expression) =>
      search(reader, datasets.shared, expression, { limit: 100, highlight: true }),
    ),
    search(reader, datasets.many, 'k:[0 TO 9]', { limit: 7, offset: 3, highlight: true }),
    ...paged.flatMap((expression) =>
      [0, 7, 49, 50, 5000].map((offset) => search(reader, datasets.shared, expression, { offset, limit: 7 })),
    ),
    ...[1, 49, 50, 51, 0].map((limit) => search(reader, datasets.shared, '*:*', { limit })),
    ...subsets.flatMap((credentialsSubset) =>
      ['*:*', 'zebra OR lodge'].map((expression) =>
        search(reader, datasets.shared, expression, { credentialsSubset, ...all }),
      ),
    ),
    ...[hidden.record, records.shared[0] ?? ''].flatMap((id) => [
      search(reader, datasets.shared, `_koverse_record_id:"${id}"`, all),
      search(reader, datasets.shared, `"${id}"`, all),
    ]),
    ...refused(scenario).map(([person, datasetId]) => search(person, datasetId, 'zebra')),
  ];
});

export const readInSequence: Case = async (send, scenario) => {
  const { people, datasets, hidden, records } = scenario;
  const { reader } = people;
  await readPages(send, reader, datasets.shared, { batchSize: 7, includeInternalFields: true });
  await readPages(send, reader, datasets.many, { batchSize: 64, includeInternalRecordId: true });
  await readPages(send, people.admin, datasets.shared, { batchSize: 3 });
  for (const datasetId of Object.values(datasets)) {
    for (const person of readersOf(scenario)) await send(sequence(person, datasetId));
  }
  const places = [
    hidden.record,
    records.shared[0],
    records.shared.at(-1),
    records.shared[20],
    'zzz',
    '0',
    '"',
  ];
  for (const startingRecordId of places) {
    await send(
      sequence(reader, datasets.shared, { startingRecordId, batchSize: 4, includeInternalFields: true }),
    );
    await send(sequence(reader, datasets.shared, { endingRecordId: startingRecordId, batchSize: -1 }));
  }
  await send(
    sequence(reader, datasets.shared, {
      startingRecordId: records.shared[19],
      endingRecordId: hidden.record,
      includeInternalRecordId: true,
    }),
  );
  for (const batchSize of [1, 49, 50, 51, 0]) await send(sequence(reader, datasets.shared, { batchSize }));
  for (const credentialsSubset of subsets) {
    await send(sequence(reader, datasets.shared, { credentialsSubset, includeInternalFields: true }));
  }
  for (const [person, datasetId] of refused(scenario)) await send(sequence(person, datasetId));
};

const flags = ['includeSecurityField', 'includeNestedFields', 'includeInternalFields'];

export const getDatasetSchema: Case = requests((scenario) => [
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((bits) =>
    schema(
      scenario.people.reader,
      scenario.datasets.shared,
      Object.fromEntries(flags.map((flag, index) => [flag, (bits & (1 << index)) !== 0])),
    ),
  ),
  ...Object.values(scenario.datasets).flatMap((datasetId) =>
    readersOf(scenario).map((person) => schema(person, datasetId, { includeNestedFields: true })),
  ),
  ...refused(scenario).map(([person, datasetId]) => schema(person, datasetId)),
]);

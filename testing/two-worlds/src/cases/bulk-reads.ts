import type { bulkReadRoutes } from '@redoubt/contract';
import { deepEqual } from 'node:assert/strict';
import type { Case } from '../case.ts';
import type { Person } from '@redoubt/testkit/requests';
import { batchOf } from '../records.ts';
import { as, bodyOf, type Request } from '@redoubt/testkit/requests';
import { refused, readersOf, search, sequence, subsets } from './reading.ts';

interface Split {
  startRecordId: string;
  endRecordId: string;
}

const splits = (person: Person, datasetId: string): Request => as(person).get(`/splits/${datasetId}`);

const range = (person: Person, datasetId: string, options: Readonly<Record<string, unknown>> = {}): Request =>
  as(person).post('/read', { datasetId, ...options });

const accepts = [
  'application/x-ndjson',
  'text/csv',
  'application/vnd.apache.arrow.stream',
  'application/vnd.apache.parquet',
];

/**
 * The same request in each format. Batches, dictionaries and statistics of a file could disclose data like its rows.
 */
export const otherFormats = (request: Request): Request[] =>
  accepts.map((accept) => ({ ...request, headers: { accept } }));

const getSplits: Case = async (send, scenario) => {
  for (const datasetId of Object.values(scenario.datasets)) {
    for (const person of readersOf(scenario)) {
      const response = await send(splits(person, datasetId));
      if (response.status !== 200) continue;
      const internal = { includeInternalRecordId: true, batchSize: -1 };
      const pieces: unknown[] = [];
      for (const { startRecordId, endRecordId } of bodyOf(response) as Split[]) {
        const between = { startingRecordId: startRecordId, endingRecordId: endRecordId };
        const piece = batchOf(await send(range(person, datasetId, { ...internal, ...between })));
        pieces.push(...piece.records);
      }
      deepEqual(pieces, batchOf(await send(sequence(person, datasetId, internal))).records);
    }
  }
  for (const [person, datasetId] of refused(scenario)) await send(splits(person, datasetId));
};

const readRange: Case = async (send, scenario) => {
  const { people, datasets, hidden, records } = scenario;
  const { reader } = people;
  const places = [
    '',
    hidden.record,
    records.shared[0],
    records.shared.at(-1),
    records.shared[20],
    'zzz',
    '"',
  ];
  for (const startingRecordId of places) {
    for (const endingRecordId of places) {
      for (const excludeStartingRecordId of [false, true]) {
        const bounds = { startingRecordId, endingRecordId, excludeStartingRecordId };
        await send(
          range(reader, datasets.shared, { ...bounds, batchSize: 5, includeInternalRecordId: true }),
        );
      }
    }
    await send(range(people.admin, datasets.shared, { startingRecordId, limit: -1 }));
  }
  for (const batchSize of [1, 49, 50, 51, 0])
    await send(range(reader, datasets.shared, { batchSize, limit: 60 }));
  for (const credentialsSubset of subsets) {
    await send(range(reader, datasets.shared, { credentialsSubset, includeInternalFields: true }));
  }
  const internal = { includeInternalFields: true };
  for (const request of [
    range(reader, datasets.shared, { batchSize: -1 }),
    range(reader, datasets.shared, { startingRecordId: records.shared[3], limit: 20, ...internal }),
    range(reader, datasets.empty, {}),
    range(reader, datasets.many, internal),
    range(people.admin, datasets.shared, { credentialsSubset: [] }),
    sequence(reader, datasets.shared, { startingRecordId: records.shared[3], batchSize: 7 }),
    search(reader, datasets.shared, 'NOT zebra', { limit: 9, offset: 4 }),
    search(reader, datasets.many, '*:*', { limit: -1, ...internal }),
    search(reader, datasets.shared, 'secret:*', { limit: -1 }),
  ]) {
    for (const inFormat of otherFormats(request)) await send(inFormat);
  }
  for (const [person, datasetId] of refused(scenario)) {
    await send(range(person, datasetId, { startingRecordId: hidden.record, endingRecordId: hidden.record }));
  }
};

export const bulkReadCases: Record<keyof typeof bulkReadRoutes, Case> = { readRange, getSplits };

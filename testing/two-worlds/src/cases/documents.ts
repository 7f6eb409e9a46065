import type { documentQueryRoutes } from '@redoubt/contract';
import type { Case } from '../case.ts';
import { writeRequest } from '../records.ts';
import type { Scenario } from '../scenario.ts';
import { as, type SendToBoth } from '@redoubt/testkit/requests';

/** Writes pages of documents. The reader sees some of them. */
const write = async (send: SendToBoth, { people, datasets }: Scenario): Promise<void> => {
  const pages = ['ALPHA', 'SECRET', 'BETA', 'H5'].flatMap((label, n) =>
    [1, 2].map((page) =>
      JSON.stringify({ document_id: `doc ${n % 2}`, page, text: `page ${n} of it`, label }),
    ),
  );
  await send(writeRequest(people.writer, datasets.shared, pages));
};

const queryDocuments: Case = async (send, scenario) => {
  const { people, datasets, hidden, records } = scenario;
  await write(send, scenario);
  for (const person of [people.reader, people.admin, people.outsider, people.loner]) {
    // The admin manages the hidden dataset, if there is one.
    const known = [datasets.shared, datasets.many];
    for (const from of person === people.admin ? known : [...known, hidden.dataset]) {
      for (const rest of ['', ' WHERE page = 1', ' WHERE secret = 1', ' ORDER BY page DESC']) {
        const expression = `SELECT * FROM "${from}"${rest}`;
        await send(
          as(person).post('/query/document', { expression, limit: -1, includeInternalFields: true }),
        );
      }
    }
  }
  const body = { datasetId: datasets.shared, limit: -1 };
  const named = [hidden.record, records.shared[0], hidden.note, 'nowhere'];
  await send(as(people.reader).post('/query/document', { ...body, recordIds: named }));
  for (const expression of ['SELECT count(*) FROM shared', `SELECT text FROM "${datasets.shared}"`])
    await send(as(people.reader).post('/query/document', { expression }));
};

const queryDocumentsLucene: Case = async (send, scenario) => {
  const { people, datasets, hidden, records } = scenario;
  await write(send, scenario);
  const path = '/query/document/lucene';
  for (const expression of ['*:*', 'page', 'document_id:1', 'NOT secret:*', 'text:(']) {
    for (const datasetId of [
      datasets.shared,
      datasets.notes,
      datasets.many,
      hidden.dataset,
      datasets.dropBox,
    ]) {
      for (const person of [people.reader, people.writer]) {
        await send(as(person).post(path, { datasetId, expression, includeInternalRecordId: true }));
      }
    }
  }
  for (const recordIds of [
    [hidden.record],
    [records.shared[0]],
    [hidden.record, records.shared[1], ''],
    [],
  ]) {
    await send(as(people.reader).post(path, { datasetId: datasets.shared, expression: '(', recordIds }));
  }
};

export const documentQueryCases: Record<keyof typeof documentQueryRoutes, Case> = {
  queryDocuments,
  queryDocumentsLucene,
};

import type { recordRoutes } from '@redoubt/contract';
import type { Case } from '../case.ts';
import type { Person } from '@redoubt/testkit/requests';
import { byField, writeRequest } from '../records.ts';
import { pathLimit, type Scenario } from '../scenario.ts';
import { as, type SendToBoth } from '@redoubt/testkit/requests';
import { foreignLabels, withoutNewAttributes } from './foreign-tokens.ts';
import { getDatasetSchema, queryLucene, readInSequence, schema, search, sequence } from './reading.ts';

const update = (id: string | undefined, fields: Readonly<Record<string, unknown>> = { note: 'replaced' }) =>
  JSON.stringify({ ...fields, _koverse_record_id: id });

/** Reads a dataset after a write, as the writer and as others. */
const look = async (send: SendToBoth, { people, datasets }: Scenario): Promise<void> => {
  await send(sequence(people.reader, datasets.notes, { includeInternalFields: true }));
  await send(search(people.reader, datasets.notes, 'note:replaced OR note:fresh', { limit: -1 }));
  await send(schema(people.reader, datasets.notes, { includeNestedFields: true }));
  await send(as(people.reader).get('/datasets?$sort[recordCount]=1&$limit=-1'));
};

/** A record with `count` paths that no visible record has. */
const wide = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`q${index}`, index])));

const writeRecords: Case = async (send, scenario) => {
  const { people, datasets, hidden, records } = scenario;
  const plain = (person: Person, datasetId: string, body: unknown, search = '') =>
    send(as(person).post(`/write/${datasetId}${search}`, body));
  for (const search of ['', '?isAsync=true', '?isAsync=FALSE']) {
    await plain(people.reader, datasets.notes, [{ note: `fresh ${search}` }], search);
  }
  await plain(people.writer, datasets.shared, [{ secret: 'fresh', n: 'fresh', p17: 1 }]);
  for (const datasetId of [hidden.dataset, hidden.foreignDataset, datasets.shared, 'nowhere-at-all']) {
    await plain(people.reader, datasetId, [{ note: 'in vain' }]);
  }
  for (const id of [hidden.note, hidden.record, records.shared[0], records.notes[0]]) {
    await plain(people.reader, datasets.notes, [{ note: 'replaced', _koverse_record_id: id }]);
    await plain(people.writer, datasets.notes, [{ note: 'replaced', _koverse_record_id: id }]);
  }
  await look(send, scenario);
};

const writeRecordsV2: Case = async (send, scenario) => {
  const { people, datasets, hidden, records } = scenario;
  const { reader } = people;
  const absent = '01890000-0000-7000-8000-000000000000';
  const notes = (batch: readonly string[], info?: unknown) =>
    send(writeRequest(reader, datasets.notes, batch, info));
  // A hidden id gives the same error as an absent one, alone and in a batch, with and without a label.
  for (const id of [hidden.note, hidden.record, absent, records.notes[1]]) {
    await notes([update(id)], null);
    await notes([update(id, { note: 'replaced', label: 'ALPHA' })]);
    await notes([update(id, { note: 'replaced', label: 'SECRET' })]);
    await notes(['{"note":"not to be stored"}', update(records.notes[0]), update(id)], null);
    await notes([update(id), update(id)], null);
  }
  // Labels that the writer does not satisfy: those of hidden records, and new ones in one world or in both.
  for (const label of [
    'SECRET',
    'H5',
    'H7|H8',
    'A-HIDDEN-0',
    'REFUSED-1',
    'NEVER-HEARD',
    'ALPHA&H5',
    'ALPHA|H9',
  ]) {
    await notes([JSON.stringify({ note: `fresh ${label}`, label })]);
  }
  for (const label of ['A&B|C', 'SECRET&', '"', 7])
    await notes([JSON.stringify({ note: 'at fault', label })]);
  // If writes create no attributes, the error must not disclose whether an attribute exists that the writer does not
  // hold.
  await withoutNewAttributes(send, scenario, async () => {
    for (const label of foreignLabels) {
      await notes([JSON.stringify({ note: `foreign ${label}`, label })]);
      const replaced = { labelHandlingPolicy: 'replace', replacementString: label };
      await notes(['{"note":"replaced","label":7}'], { ...byField, ...replaced });
    }
  });
  // The limit on paths counts only paths visible to the writer.
  await notes([wide(pathLimit + 1)]);
  await notes([wide(pathLimit - 40)]);
  await notes([wide(pathLimit - 20)]);
  await notes(['{"note":"fresh","secret":{"deep":"fresh"},"n":"fresh"}']);
  await send(writeRequest(people.writer, datasets.shared, ['{"n":"fresh","label":"H5"}', '{"n":[1]}']));
  await send(
    writeRequest(people.writer, datasets.shared, [update(hidden.record), update(records.shared[0])]),
  );
  for (const datasetId of [hidden.dataset, hidden.foreignDataset, datasets.shared]) {
    await send(writeRequest(reader, datasetId, ['{"note":"in vain"}']));
  }
  await look(send, scenario);
  await send(sequence(reader, datasets.shared, { includeInternalFields: true }));
};

/** Labels columns. In the second world, some of them already have a label that no requester satisfies. */
const patchColumnSecurity: Case = async (send, scenario) => {
  const { people, datasets, hidden } = scenario;
  const { reader, admin } = people;
  const label = (person: Person, datasetId: string, labels: unknown) =>
    send(as(person).patch(`/write/schema/${datasetId}`, labels));
  for (const labels of [
    {},
    { hush: { securityLabel: '' } },
    { hush: { label: 'ALPHA' }, 'nested.hush': { securityLabel: 'BETA&ALPHA' } },
    { 'hush.a': { securityLabel: null }, 'Hush.x': { securityLabel: 'ALPHA|H5' } },
    { pages: { securityLabel: 'ALPHA' } },
    { hush: { securityLabel: 'SECRET&' } },
    { hush: 'SECRET' },
  ]) {
    await label(reader, datasets.mine, labels);
    await label(admin, datasets.notes, labels);
    for (const datasetId of [datasets.shared, datasets.dropBox, hidden.dataset, hidden.foreignDataset]) {
      await label(reader, datasetId, labels);
    }
    await send(sequence(reader, datasets.mine, { includeInternalFields: true }));
    await send(search(reader, datasets.mine, 'zebra OR hush:* OR pages:2', { limit: -1 }));
  }
  await withoutNewAttributes(send, scenario, async () => {
    for (const securityLabel of foreignLabels) {
      await label(reader, datasets.mine, { fresh: { securityLabel } });
      const columnSecurityLabelInfo = { fresher: { securityLabel } };
      const body = { records: [{ title: 'foreign' }], columnSecurityLabelInfo };
      await send(as(reader).post(`/v2/write/${datasets.mine}`, body));
    }
  });
  const columns = { hush: { securityLabel: 'ALPHA' }, title: { securityLabel: 'BETA' } };
  const body = { records: [{ title: 'fresh' }], columnSecurityLabelInfo: columns };
  await send(as(reader).post(`/v2/write/${datasets.mine}`, body));
  await send(as(reader).post(`/v2/write/${datasets.notes}`, body));
  await send(schema(reader, datasets.mine, { includeNestedFields: true }));
  await look(send, scenario);
};

/**
 * Lists the labels of columns. In the second world, some columns also have a label that the requester does not satisfy.
 */
const listColumnLabels: Case = async (ask, scenario) => {
  const { people, datasets, hidden } = scenario;
  const labels = { hush: { securityLabel: 'ALPHA' }, title: { securityLabel: 'ALPHA' } };
  await ask(as(people.reader).patch(`/write/schema/${datasets.mine}`, labels));
  const list = (person: Person, id: string) => ask(as(person).get(`/datasets/${id}/column-labels`));
  for (const id of Object.values(datasets)) {
    await list(people.reader, id);
    await list(people.admin, id);
  }
  await list(people.reader, hidden.dataset);
  await list(people.reader, hidden.foreignDataset);
};

export const recordCases: Record<keyof typeof recordRoutes, Case> = {
  writeRecords,
  writeRecordsV2,
  patchColumnSecurity,
  listColumnLabels,
  queryLucene,
  readInSequence,
  getDatasetSchema,
};

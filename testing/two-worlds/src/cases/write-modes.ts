import {
  uploadRequest,
  as,
  bodyOf,
  type SendToBoth,
  type Person,
  type Worlds,
} from '@redoubt/testkit/requests';
import { deepEqual, equal } from 'node:assert/strict';
import { write } from '../records.ts';
import type { Scenario } from '../scenario.ts';
import { foreignLabels } from './foreign-tokens.ts';
import { schema, search, sequence } from './reading.ts';

/** Records hidden from the reader, with the same keys as rows of the file and as visible records. */
const hiddenRecords = [
  '{"id":1,"name":"zebra","label":"SECRET"}',
  '{"id":2,"name":"zebra","label":"SECRET"}',
  '{"id":2,"name":"zebra","label":"GAMMA&SECRET"}',
  '{"id":"2","name":"one","label":"ALPHA&SECRET"}',
  '{"id":5,"name":"five","label":"H5"}',
  '{"id":{"a":1},"name":["x"],"label":"SECRET"}',
  '{"id":99999999999999999999999999,"name":"\\ud800","label":"SECRET"}',
  '{"id":7,"name":"zebra","hush":7,"label":"SECRET"}',
];
const visibleRecords = [
  '{"id":1,"name":"one","label":""}',
  '{"id":2,"name":"two","label":"ALPHA"}',
  '{"id":3,"name":"three","label":"BETA"}',
];

/**
 * Rows that everybody, the reader or only others may see, with keys that occur twice. One row has an invalid label, and
 * one has no key.
 */
const file =
  'id,name,label\n2,second,ALPHA\n4,four,\n5,five,SECRET\n5,up again,H5\n4,fourth,\n,none,\n6,six,A&\n1,first,BETA\n7,seven,\n';

/**
 * Replaces and upserts records by files of the reader, and compares what several people see afterwards. In the second
 * world, hidden records have the same keys.
 */
export const compareWriteModes = async (
  sendToBoth: SendToBoth,
  hide: Worlds['hidden'],
  { people, groups, hidden }: Scenario,
): Promise<void> => {
  const { reader, admin, writer, outsider } = people;
  const make = async (path: string, body: object): Promise<string> => {
    const response = await sendToBoth(as(admin).post(path, body));
    equal(response.status, 201, response.body);
    return (bodyOf(response) as { id: string }).id;
  };
  const workspaceId = people.workspace.id;
  const datasetId = await make('/datasets', { name: 'Write modes', workspaceId });
  for (const groupId of [groups.readers, groups.writers])
    for (const action of ['read', 'write'])
      await make('/dataset-permissions', { action, datasetId, groupId });

  const hideRecords = async (step: string): Promise<void> => {
    await hide(`write modes ${step}`, (send) => write(send, people.insider, datasetId, hiddenRecords));
  };
  const look = async (person: Person): Promise<unknown> => {
    await sendToBoth(search(person, datasetId, 'id:2 OR zebra', { limit: -1, includeInternalFields: true }));
    await sendToBoth(schema(person, datasetId, { includeNestedFields: true }));
    return bodyOf(await sendToBoth(sequence(person, datasetId, { includeInternalFields: true })));
  };
  const upload = async (parts: Record<string, unknown>, content = file): Promise<void> => {
    const response = await sendToBoth(
      uploadRequest(
        reader,
        datasetId,
        { 'a.csv': content, 'b.csv': 'id,name,label\n8,eight,\n' },
        null,
        parts,
      ),
    );
    equal(response.status, 201, response.body);
    const { jobId } = bodyOf(response) as { jobId: string };
    for (const person of [reader, writer, admin, outsider]) {
      for (const path of [
        `/jobs/${jobId}`,
        `/jobs/${jobId}/receipt`,
        `/rejected-rows?datasetId=${datasetId}`,
      ])
        await sendToBoth(as(person).get(path));
    }
    await look(reader);
    await look(admin);
  };
  const labelled = { accessControlLabel: labelColumn };

  for (const record of visibleRecords) await sendToBoth(writeOne(admin, datasetId, record));
  await hideRecords('before');
  await upload({ writeMode: 'upsert', keyColumns: ['id'], ...labelled });
  await upload({ writeMode: 'upsert', keyColumns: ['name', 'id'] });
  await upload({ writeMode: 'upsert', keyColumns: ['hush'] }, 'hush,name\n7,x\n7,y\n');
  await hideRecords('between');
  await upload({ writeMode: 'replace', ...labelled });
  await upload({ writeMode: 'replace' }, 'id,name\n');
  await upload({ writeMode: 'replace', fileOptions: { columns: [{ name: 'id', type: 'boolean' }] } });
  await upload({ writeMode: 'append', fileOptions: { header: false, delimiter: ';' } });
  for (const label of foreignLabels.slice(0, 2)) {
    const all = { parserClassName: 'apply-label-to-all-records-parser', label };
    await upload({
      writeMode: 'upsert',
      keyColumns: ['id'],
      accessControlLabel: { securityLabeled: true, securityLabelInfo: all },
    });
  }
  for (const id of [hidden.dataset, hidden.foreignDataset, 'nowhere']) {
    for (const writeMode of ['replace', 'upsert']) {
      const parts = { writeMode, ...(writeMode === 'upsert' ? { keyColumns: ['id'] } : {}) };
      equal((await sendToBoth(uploadRequest(reader, id, { 'a.csv': file }, null, parts))).status, 404);
    }
  }
  const left = (await hide('write modes left', async (send) =>
    send(sequence(people.insider, datasetId, {})),
  )) as { body: string };
  deepEqual(left.body.includes('zebra'), true);
};

const labelColumn = {
  securityLabeled: true,
  securityLabelInfo: { fields: ['label'], parserClassName: 'identity-parser', labelHandlingPolicy: 'ignore' },
};

const writeOne = (writer: Person, datasetId: string, record: string) =>
  as(writer).post(
    `/v2/write/${datasetId}`,
    Buffer.from(
      `{"records":[${record}],"securityLabelInfo":${JSON.stringify(labelColumn.securityLabelInfo)}}`,
    ),
  );

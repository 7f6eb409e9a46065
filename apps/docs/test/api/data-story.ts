import type { TestServer } from '@redoubt/server/testing';
import type { Access } from './access-story.ts';
import type { CallDesk } from './call-desk.ts';
import { cancelQuery } from './cancel-story.ts';
import type { Team } from './people-story.ts';
import { tellOfUploads } from './upload-story.ts';

const id = (value: string) => ({ params: { id: value } });

/** Calls on existing records. */
export interface Data {
  beacons: string;
  reports: string;
}

const beacon = (name: string, type: string, frequency: number, country: string, region: string) => ({
  name,
  type,
  frequency_khz: frequency,
  iso_country: country,
  access: `REGION:${region}`,
});
const beacons = [
  beacon('Charlottetown', 'NDB', 346, 'CA', 'NA'),
  beacon('Cork', 'VOR-DME', 114600, 'IE', 'EU'),
  beacon('Nice', 'NDB', 398, 'FR', 'EU'),
  beacon('Zadar', 'VOR-DME', 108600, 'HR', 'EU'),
];
const labels = {
  fields: ['access'],
  parserClassName: 'identity-parser',
  labelHandlingPolicy: 'ignore',
};

const page = (number: number, text: string) => ({
  document_id: 'notam-2026-001',
  file_name: 'notam.pdf',
  page: number,
  text,
  documentConversionType: 'NONE',
  access: 'REGION:EU',
});

const makeDatasets = async (
  desk: CallDesk,
  { ada, workspaceId }: Team,
  { readers }: Access,
): Promise<Data> => {
  const by = { by: { token: ada.token } };
  const { id: found } = await desk.success('createDataset', {
    ...by,
    body: { name: 'Beacons', workspaceId, description: 'Radio beacons', searchAnyField: true },
  });
  await desk.error('createDataset', { ...by, body: { name: '', workspaceId } });
  const { id: reports } = await desk.call('createDataset', { ...by, body: { name: 'Reports', workspaceId } });
  await desk.success('patchDataset', {
    ...by,
    ...id(found),
    body: { description: 'Radio beacons for pilots' },
  });
  const grant = { action: 'read', datasetId: found, groupId: readers };
  const { id: given } = await desk.success('createDatasetPermission', { ...by, body: grant });
  for (const [action, datasetId] of [
    ['write', found],
    ['read', reports],
    ['write', reports],
  ] as const) {
    await desk.call('createDatasetPermission', { ...by, body: { action, datasetId, groupId: readers } });
  }
  await desk.success('listDatasetPermissions', { ...by, query: { datasetId: found } });
  await desk.success('getDatasetPermission', { ...by, ...id(given) });
  await desk.success('patchDatasetPermission', { ...by, ...id(given), body: { action: 'read' } });
  return { beacons: found, reports };
};

/** Writes records, and reads them as a person who only has the attribute of Europe. */
const writeAndRead = async (
  desk: CallDesk,
  { ben }: Team,
  { beacons: datasetId, reports }: Data,
): Promise<void> => {
  const by = { by: { token: ben.token } };
  const params = { datasetId };
  await desk.success('writeRecordsV2', {
    ...by,
    params,
    query: { isAsync: 'false' },
    body: { records: beacons, securityLabelInfo: labels },
  });
  await desk.error('writeRecordsV2', {
    ...by,
    params,
    body: { records: [{ name: 'Split', access: 'REGION:EU&' }], securityLabelInfo: labels },
  });
  await desk.success('writeRecords', {
    ...by,
    params,
    query: { isAsync: 'false' },
    body: [{ name: 'Gibraltar', type: 'NDB', frequency_khz: 405 }],
  });
  await desk.call('writeRecordsV2', {
    ...by,
    params: { datasetId: reports },
    query: { isAsync: 'false' },
    body: {
      records: [page(1, 'Runway 07 closed'), page(2, 'Beacon of Cork unserviceable')],
      securityLabelInfo: labels,
    },
  });
  await desk.success('query', {
    ...by,
    body: {
      expression: 'SELECT name, frequency_khz FROM "Beacons" WHERE type = \'NDB\' ORDER BY name',
      limit: 10,
    },
  });
  await desk.error('query', { ...by, body: { expression: 'SELEC name FROM "Beacons"' } });
  await desk.success('queryLucene', {
    ...by,
    body: { datasetId, expression: 'type:NDB AND frequency_khz:[300 TO 400]', highlight: true, limit: 10 },
  });
  await desk.error('queryLucene', { ...by, body: { datasetId, expression: 'type:[NDB' } });
  await desk.success('getDatasetSchema', { ...by, query: { datasetId } });
  await desk.success('readInSequence', {
    ...by,
    body: { datasetId, batchSize: 2, includeInternalRecordId: true },
  });
  await desk.success('readRange', { ...by, body: { datasetId, limit: 2 } });
  await desk.success('getSplits', { ...by, params });
  const table = { ...by, params: { id: datasetId } };
  await desk.success('readRows', {
    ...table,
    body: { sort: [{ field: 'name', direction: 'ascending' }], fields: ['name'], limit: 2 },
  });
  await desk.success('profileFields', { ...table, body: { fields: ['name'] } });
  await desk.success('listValues', { ...table, body: { field: 'name', limit: 2 } });
  await desk.success('getDraftKey', by);
  const { id: saved } = await desk.success('createSavedQuery', {
    ...by,
    body: { name: 'Beacons by type', text: 'SELECT type, count(*) FROM "Beacons" GROUP BY type' },
  });
  await desk.success('listSavedQueries', by);
  await desk.success('getSavedQuery', { ...by, ...id(saved) });
  await desk.success('patchSavedQuery', {
    ...by,
    ...id(saved),
    body: { version: 1, name: 'Beacons of each type' },
  });
  await desk.success('deleteSavedQuery', { ...by, ...id(saved) });
  await desk.success('listQueryHistory', by);
  await desk.success('deleteQueryHistory', by);
  const { path } = await desk.success<{ path: string }>('createExport', {
    ...by,
    body: {
      operation: 'query',
      body: { expression: 'SELECT name FROM "Beacons"', limit: -1 },
      format: 'csv',
    },
  });
  await desk.success('downloadExport', { ...by, params: { token: path.slice('/exports/'.length) } });
  await desk.success('summarizeSql', { ...by, body: { expression: 'SELECT * FROM dataset', limit: 2 } });
  await desk.success('summarizeLucene', { ...by, body: { expression: 'Cork', limit: 2 } });
  await desk.success('queryDocuments', { ...by, body: { expression: 'SELECT * FROM "Reports"', limit: 2 } });
  await desk.success('queryDocumentsLucene', {
    ...by,
    body: { datasetId: reports, expression: 'text:runway' },
  });
};

/** Calls for column labels, indexes and parsers. */
const shape = async (desk: CallDesk, { ada }: Team, { beacons: datasetId }: Data): Promise<void> => {
  const by = { by: { token: ada.token } };
  await desk.success('patchColumnSecurity', {
    ...by,
    params: { datasetId },
    body: { iso_country: { securityLabel: 'REGION:EU' } },
  });
  await desk.success('listColumnLabels', { ...by, params: { id: datasetId } });
  const { id: index } = await desk.success('createIndex', {
    ...by,
    body: { datasetId, fields: ['frequency_khz'] },
  });
  await desk.success('listIndexes', { ...by, query: { datasetId } });
  await desk.success('getIndex', { ...by, ...id(index) });
  await desk.success('patchIndex', { ...by, ...id(index), body: { fields: ['type'] } });
  await desk.success('manageIndexes', {
    ...by,
    body: { action: 'modifyIndexes', datasetId, create: [['name']], autoCreateIndexes: true },
  });
  await desk.success('deleteIndex', { ...by, ...id(index) });
  await desk.success('listLabelParsers', by);
  await desk.success('getLabelVisibility', { ...by, body: { labels: ['', 'REGION:EU'] } });
  await desk.success('getLabelParser', { ...by, ...id('identity-parser') });
};

/** Changes and deletes records with jobs. */
const changeRecords = async (
  desk: CallDesk,
  server: TestServer,
  { ben }: Team,
  { beacons: datasetId, reports }: Data,
): Promise<void> => {
  const by = { by: { token: ben.token } };
  const params = { datasetId };
  const { records } = await desk.call<{ records: { _koverse_record_id: string }[] }>('readInSequence', {
    ...by,
    body: { datasetId, includeInternalRecordId: true },
  });
  const recordId = records[0]?.['_koverse_record_id'] ?? '';
  await desk.success('deleteRecords', { ...by, params, body: { recordIds: [recordId] } });
  await desk.success('deleteRecordsByQuery', { ...by, params, body: { query: 'name:Zadar' } });
  await desk.success('deleteDocumentsByQuery', {
    ...by,
    params: { datasetId: reports },
    body: { query: 'text:closed' },
  });
  const { id: job } = await desk.success('createJob', {
    ...by,
    body: { type: 'delete-record', datasetId, config: { query: 'name:Split' } },
  });
  await desk.success('listJobs', { ...by, query: { datasetId, $limit: '2', '$sort[createdAt]': '-1' } });
  await desk.success('getJob', { ...by, ...id(job) });
  const { data } = await desk.success<{ data: { id: string }[] }>('listSegments', {
    ...by,
    query: { datasetId, jobId: job },
  });
  await desk.success('getSegment', { ...by, ...id(data[0]?.id ?? '') });
  const letGo = server.holdChanges();
  const waiting = await desk.call('deleteRecordsByQuery', {
    ...by,
    params,
    body: { query: 'name:Cork' },
    leavesJobs: true,
  });
  await desk.success('patchJob', {
    ...by,
    ...id(waiting.id),
    body: { status: 'canceled' },
    leavesJobs: true,
  });
  letGo();
  await server.jobsSettled();
};

/** Transfers, empties and deletes a dataset. */
const handOver = async (
  desk: CallDesk,
  { ada, ben }: Team,
  { beacons: datasetId, reports }: Data,
): Promise<void> => {
  const by = { by: { token: ada.token } };
  const wanted = { resourceId: reports, resourceType: 'dataset', recipientUserId: ben.id };
  const { id: request } = await desk.success('createTransferResourceRequest', { ...by, body: wanted });
  await desk.success('listTransferResourceRequests', by);
  await desk.success('getTransferResourceRequest', { ...by, ...id(request) });
  await desk.success('patchTransferResourceRequest', {
    by: { token: ben.token },
    ...id(request),
    body: { status: 'accepted' },
  });
  await desk.success('relabelRecords', {
    by: { token: ben.token },
    params: { datasetId: reports },
    body: { label: 'REGION:EU|REGION:NA', query: 'text:*' },
  });
  await desk.success('clearDataset', { ...by, params: { datasetId } });
  const { data } = await desk.call<{ data: { id: string }[] }>('listDatasetPermissions', {
    ...by,
    query: { datasetId },
  });
  await desk.success('deleteDatasetPermission', { ...by, ...id(data[0]?.id ?? '') });
  await desk.success('deleteDataset', { ...by, ...id(datasetId) });
};

/** Datasets, records, indexes and jobs. */
export const tellOfData = async (
  desk: CallDesk,
  server: TestServer,
  team: Team,
  access: Access,
): Promise<void> => {
  const data = await makeDatasets(desk, team, access);
  await writeAndRead(desk, team, data);
  const by = { by: { token: team.ben.token } };
  await desk.success('listDatasets', { ...by, query: { $limit: '10', '$sort[name]': '1' } });
  await desk.success('getDataset', { ...by, ...id(data.beacons) });
  await desk.error('getDataset', { ...by, ...id('0198a5b2-7c1e-4a31-9d20-5e0f6a1b2c3d') });
  await shape(desk, team, data);
  await changeRecords(desk, server, team, data);
  await cancelQuery(desk, server, team, data);
  await tellOfUploads(desk, server, team, data.beacons);
  await handOver(desk, team, data);
};

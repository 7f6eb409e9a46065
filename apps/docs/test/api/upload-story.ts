import type { UploadResult } from '@redoubt/contract';
import type { TestServer } from '@redoubt/server/testing';
import { onePagePdf } from '@redoubt/testkit';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CallDesk } from './call-desk.ts';
import type { Team } from './people-story.ts';

const id = (value: string) => ({ params: { id: value } });

/** Starts the ingest of a file that does not exist, so that its receipt counts no rows. */
const ingest = async (desk: CallDesk, { ada }: Team, datasetId: string): Promise<void> => {
  const by = { by: { token: ada.token } };
  const { id: jobId } = await desk.success('startIngest', {
    ...by,
    query: { isAsync: 'true' },
    body: {
      datasetId,
      securityLabeled: false,
      dataSourceParams: {
        type: 'URL',
        connectionInfo: { urls: [{ url: 'https://files.harbour.example/beacons.csv' }] },
      },
    },
  });
  await desk.success('getJobReceipt', { ...by, ...id(jobId) });
};

/** Creates, changes and runs a schedule, and deletes it again. */
const schedule = async (
  desk: CallDesk,
  server: TestServer,
  { ada }: Team,
  datasetId: string,
): Promise<void> => {
  const by = { by: { token: ada.token } };
  const urls = [{ url: 'https://files.harbour.example/beacons.csv' }];
  const { id: scheduleId } = await desk.success('createSchedule', {
    ...by,
    body: {
      datasetId,
      name: 'Beacons each morning',
      cron: '0 6 * * MON-FRI',
      timeZone: 'Europe/Berlin',
      request: { writeMode: 'replace', dataSourceParams: { type: 'URL', connectionInfo: { urls } } },
    },
  });
  await desk.success('listSchedules', { ...by, query: { datasetId } });
  await desk.success('getSchedule', { ...by, ...id(scheduleId) });
  await desk.success('runSchedule', { ...by, ...id(scheduleId) });
  await server.jobsSettled();
  await desk.success('listScheduleRuns', { ...by, ...id(scheduleId) });
  await desk.success('patchSchedule', { ...by, ...id(scheduleId), body: { isActive: false } });
  await desk.success('deleteSchedule', { ...by, ...id(scheduleId) });
};

/** Previews the ingest of a file from a host that is closed afterwards. */
const previewSource = async (desk: CallDesk, { ada }: Team, datasetId: string): Promise<void> => {
  const host = createServer((_request, response) =>
    response.end('name,range\nEast beacon,14\nWest beacon,9\n'),
  );
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${String((host.address() as AddressInfo).port)}`;
  desk.hide(address, 'https://files.harbour.example');
  await desk.success('getIngestOptions', { by: { token: ada.token } });
  await desk.success('previewIngest', {
    by: { token: ada.token },
    body: {
      datasetId,
      securityLabeled: true,
      securityLabelInfo: { parserClassName: 'apply-label-to-all-records-parser', label: 'REGION:EU' },
      dataSourceParams: { type: 'URL', connectionInfo: { urls: [{ url: `${address}/beacons.csv` }] } },
    },
  });
  host.closeAllConnections();
  await new Promise((resolve) => host.close(resolve));
};

/** Stores a connection to a bucket that does not exist, shares it, tests and deletes it. */
const manageConnection = async (desk: CallDesk, { ada, workspaceId }: Team): Promise<void> => {
  const by = { by: { token: ada.token } };
  const { id: connectionId } = await desk.success<{ id: string }>('createConnection', {
    ...by,
    body: {
      workspaceId,
      name: 'Lights',
      type: 'S3',
      connectionInfo: { endpoint: 'http://storage.invalid:9000', region: 'us-east-1', bucket: 'lights' },
      allowed: { prefixes: ['2026/'] },
      minimumLabel: 'REGION:EU',
    },
  });
  await desk.success('listConnections', by);
  await desk.success('getConnection', { ...by, ...id(connectionId) });
  await desk.success('patchConnection', { ...by, ...id(connectionId), body: { name: 'Lights of 2026' } });
  await desk.success('testConnection', { ...by, ...id(connectionId) });
  const { id: groupId } = await desk.call<{ id: string }>('createGroup', {
    ...by,
    body: { name: 'Loaders', workspaceId },
  });
  const { id: permissionId } = await desk.success<{ id: string }>('createConnectionPermission', {
    ...by,
    body: { action: 'use', connectionId, groupId },
  });
  await desk.success('listConnectionPermissions', by);
  await desk.success('getConnectionPermission', { ...by, ...id(permissionId) });
  await desk.success('deleteConnectionPermission', { ...by, ...id(permissionId) });
  await desk.success('deleteConnection', { ...by, ...id(connectionId) });
  await desk.call('deleteGroup', { ...by, ...id(groupId) });
};

/** Sends an upload of which one row is rejected, replays the mended row, and deletes the upload. */
const manageUpload = async (
  desk: CallDesk,
  server: TestServer,
  { ada }: Team,
  datasetId: string,
): Promise<void> => {
  const by = { by: { token: ada.token } };
  const { uploadId, jobId } = await desk.call<UploadResult>('createUpload', {
    ...by,
    form: [
      { name: 'datasetId', text: datasetId },
      { name: 'files', file: 'lights.csv', content: 'name,height\nNorth light,31\nSouth light\n' },
    ],
  });
  await server.jobsSettled();
  await desk.success('listUploads', { ...by, query: { datasetId } });
  const rejected = await desk.call<{ data: { id: string }[] }>('listRejectedRows', {
    ...by,
    query: { datasetId, jobId },
  });
  await desk.success('listRejectedRows', { ...by, query: { datasetId, jobId } });
  const found = await desk.call<{ records: { _koverse_record_id: string }[] }>('queryLucene', {
    ...by,
    body: { datasetId, expression: 'name:north', includeInternalFields: true },
  });
  const recordId = found.records[0]?.['_koverse_record_id'] ?? '';
  await desk.success('getRecordSource', { ...by, params: { datasetId, recordId } });
  await desk.success('replayRejectedRows', {
    ...by,
    ...id(jobId),
    body: { rows: [{ id: rejected.data[0]?.id ?? '', text: '{"name":"South light","height":28}' }] },
  });
  await server.jobsSettled();
  await desk.success('deleteUpload', { ...by, ...id(uploadId) });
  await server.jobsSettled();
};

const buoys = {
  name: 'files',
  file: 'buoys.csv',
  content: 'name,depth,label\nGreen buoy,12,REGION:EU\nRed buoy,9,\n',
};
/** Each record gets its label from a column. */
const accessControlLabel = JSON.stringify({
  securityLabeled: true,
  securityLabelInfo: {
    parserClassName: 'identity-parser',
    fields: ['label'],
    labelHandlingPolicy: 'ignore',
  },
});

/** Previews a file, and uploads it into a dataset of its own, which is deleted afterwards. */
const sendFiles = async (desk: CallDesk, server: TestServer, { ada, workspaceId }: Team): Promise<void> => {
  const by = { by: { token: ada.token } };
  const label = { name: 'accessControlLabel', text: accessControlLabel };
  await desk.success('previewUpload', { ...by, form: [label, buoys] });
  const { id: datasetId } = await desk.call('createDataset', { ...by, body: { name: 'Buoys', workspaceId } });
  await desk.success('createUpload', {
    ...by,
    form: [{ name: 'datasetId', text: datasetId }, label, buoys],
  });
  await server.jobsSettled();
  await desk.call('deleteDataset', { ...by, ...id(datasetId) });
  await server.jobsSettled();
};

/** Uploads documents, and asks for a file, a picture and words. */
const serveDocument = async (
  desk: CallDesk,
  server: TestServer,
  { ada, workspaceId }: Team,
): Promise<void> => {
  const by = { by: { token: ada.token } };
  const { id: datasetId } = await desk.call('createDataset', {
    ...by,
    body: { name: 'Notices', workspaceId },
  });
  const { files } = await desk.call<{ files: { id: string }[] }>('createUpload', {
    ...by,
    form: [
      { name: 'datasetId', text: datasetId },
      { name: 'files', file: 'notice.md', content: 'The north light is dark.\n' },
      { name: 'files', file: 'notice.pdf', content: onePagePdf },
      { name: 'processAsDocument', text: 'true' },
    ],
  });
  await server.jobsSettled();
  const { url } = await desk.success<{ url: string }>('serveMedia', {
    ...by,
    params: { datasetId },
    query: { documentId: files[0]?.id ?? '' },
  });
  await desk.success('getMediaFile', { params: { token: url.slice(url.lastIndexOf('/') + 1) } });
  await desk.success('getDocumentPage', {
    ...by,
    params: { datasetId },
    query: { documentId: files[1]?.id ?? '', page: '1' },
  });
  await desk.call('deleteDataset', { ...by, ...id(datasetId) });
  await server.jobsSettled();
};

/** Files from addresses, and uploads. */
export const tellOfUploads = async (
  desk: CallDesk,
  server: TestServer,
  team: Team,
  datasetId: string,
): Promise<void> => {
  await ingest(desk, team, datasetId);
  await previewSource(desk, team, datasetId);
  await schedule(desk, server, team, datasetId);
  await sendFiles(desk, server, team);
  await manageUpload(desk, server, team, datasetId);
  await serveDocument(desk, server, team);
  await manageConnection(desk, team);
};

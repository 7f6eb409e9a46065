import { makeDocx, makePdf } from '@redoubt/file-formats/testing';
import { createApiClient, type ApiClient } from '@redoubt/api-client';
import { demoLabelField, readDemoRecords } from '@redoubt/server/testing';
import type { Credentials } from '../console-fixture.ts';

/** A workspace as people have it after some weeks. */
export interface FilledWorkspace {
  /** An admin who holds the attributes of Europe and Africa. */
  ada: Credentials;
  /** A person without a workspace. */
  newcomer: Credentials;
  /** A member who was granted nothing. */
  guest: Credentials;
  navaids: string;
  notices: string;
  group: string;
  /** The id of the person of whom a page is shown. */
  person: string;
  savedQuery: string;
  /** The dataset with documents. */
  manuals: string;
  connection: string;
  schedule: string;
}

const workspaceId = 'air-traffic';
const password = 'a password for pictures';
const batchSize = 5000;
const regions = ['AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA'];

const people = [
  ['Ada', 'Kowalczyk', 'admin', ['EU', 'AF']],
  ['Benjamín', 'Ferreira da Conceição', 'member', ['SA', 'NA']],
  ['Ольга', 'Соколова', 'member', ['AS']],
  ['Χρήστος', 'Παπαδόπουλος', 'member', ['EU']],
  ['Maximiliane-Charlotte', 'von Hohenstein-Wittelsbach', 'member', ['EU', 'AS']],
  ['فاطمة', 'الزهراء', 'member', ['AF', 'AS']],
  ['Noah', 'Ng', 'member', []],
  ['Ingrid', 'Þórsdóttir', 'admin', ['EU', 'NA']],
  ['Łukasz', 'Wójcik', 'member', ['EU']],
  ['Amara', 'Okafor', 'member', ['AF', 'EU']],
  ['Đặng', 'Thị Hồng Nhung', 'member', ['AS', 'OC']],
  ['Søren', 'Ågård', 'member', ['EU']],
  ['Camila', 'Núñez', 'member', ['SA']],
  ['Zoë', 'Vandenberghe', 'member', ['EU', 'NA', 'SA']],
  ['Rahul', 'Krishnamurthy', 'member', ['AS']],
  ['Emily', 'O’Donoghue', 'member', ['NA']],
  ['Mehmet', 'Yıldırım', 'member', ['EU', 'AS']],
  ['Aroha', 'Te Whata', 'member', ['OC']],
] as const;

const emailOf = (firstName: string, at: number): string =>
  `${/^[a-z]+$/i.test(firstName) ? firstName.toLowerCase() : `person${String(at)}`}@air-traffic.example`;

const texts = [
  'Runway 09/27 closed for resurfacing',
  'Piste 04 gauche fermée pour travaux jusqu’au lever du jour',
  'Schulungsflüge über der Kontrollzone, Flugplatzverkehrsanweisung beachten',
  'Бортовая связь на частоте 121,5 МГц ограничена',
  'إغلاق المدرج الشمالي حتى إشعار آخر',
  '',
  'Crane 145 ft above ground level, unlit, 0.8 NM east of the threshold',
];

/** Notices with values that are easy to confuse: none, empty, zero, false, long, and scripts of several directions. */
const noticeOf = (n: number): Record<string, unknown> => ({
  number: `A${String(1000 + n)}/26`,
  airport: ['EDDF', 'LFPG', 'RJTT', 'OMDB', 'KJFK'][n % 5],
  text: texts[n % texts.length],
  priority: n % 4,
  approved: n % 3 === 0,
  height_ft: n % 6 === 0 ? null : n % 5 === 0 ? 0 : 45.5 * (n % 40),
  issued: new Date(Date.UTC(2026, 5, 1 + (n % 28), n % 24, (n * 7) % 60)).toISOString(),
  tags: n % 4 === 0 ? ['runway', 'works'] : [],
  [demoLabelField]: n % 9 === 0 ? 'REGION:EU' : n % 11 === 0 ? 'REGION:AS&REGION:EU' : '',
});

const otherDatasets = [
  ['Airspace restrictions', 'Danger, restricted and prohibited areas'],
  ['Bird strikes', 'Reports of collisions with wildlife since 2019'],
  ['Flugverlaufsdaten Langen', ''],
  ['Obstacles above 100 m', 'Cranes, masts and wind turbines'],
  ['Parking positions', ''],
  ['Règlements de circulation', 'Textes en vigueur'],
  ['Runway friction measurements', ''],
  ['Slot requests 2026', 'Requests of carriers for summer and winter'],
  ['Weather observations', 'METAR and SPECI, hourly'],
  ['Wetterbeobachtungen der Flughäfen im Rhein-Main-Gebiet, stündlich', ''],
  ['Полёты над Арктикой', ''],
] as const;

const send = async (url: string, token: string, form: FormData): Promise<void> => {
  const response = await fetch(`${url}/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  if (!response.ok)
    throw new Error(`The upload must succeed, got ${String(response.status)}: ${await response.text()}`);
};

export const manualPages = [
  'Ground operations\n\n1. Taxi to the holding point of the runway.\n2. Stop before the line.\n3. Report ready for departure.',
  'Departure\n\nLine up on the runway and wait for the clearance.\nThe wind is read from the tower.',
  'Landing\n\nVacate the runway by the first taxiway.\nReport when the runway is vacated.',
];

/** A dataset with a manual of three pages, a letter and a note. */
const loadDocuments = async (
  admin: ApiClient,
  url: string,
  token: string,
  groupId: string,
): Promise<string> => {
  const { id: datasetId } = await admin.createDataset({
    body: { name: 'Operations manuals', description: 'Manuals and letters of the tower', workspaceId },
  });
  for (const action of ['read', 'write'] as const)
    await admin.createDatasetPermission({ body: { action, datasetId, groupId } });
  const form = new FormData();
  form.set('datasetId', datasetId);
  form.set('processAsDocument', 'true');
  const files = {
    'ground-and-flight-operations-2026.pdf': makePdf(manualPages),
    'letter.docx': await makeDocx(['Dear colleagues,', 'the runway 07L is closed on Friday.']),
    'note.md': '# Shift change\n\nRunway lights were checked.',
  };
  for (const [name, content] of Object.entries(files))
    form.append('files', new File([typeof content === 'string' ? content : new Uint8Array(content)], name));
  await send(url, token, form);
  return datasetId;
};

/** Uploads a file of some rows; the rows of every fourth one have no column with the label, and one is no JSON. */
const upload = async (url: string, token: string, datasetId: string, n: number): Promise<void> => {
  const rows = Array.from({ length: 20 + n * 13 }, (_, at) => JSON.stringify(noticeOf(at)));
  const text = n === 5 ? '{"number": "A1' : rows.join('\n');
  const form = new FormData();
  form.set('datasetId', datasetId);
  form.set('files', new File([text], `notices-${String(n + 1)}.ndjson`));
  await send(url, token, form);
};

const createAccount = async (url: string, firstName: string, lastName: string, email: string) => {
  await createApiClient({ baseUrl: url }).createUser({ body: { email, firstName, lastName, password } });
  const { accessToken } = await createApiClient({ baseUrl: url }).authenticate({
    body: { strategy: 'local', email, password },
  });
  return createApiClient({ baseUrl: url, token: accessToken });
};

const loadDataset = async (
  admin: ApiClient,
  fields: { name: string; description: string },
  groupId: string,
  records: readonly Record<string, unknown>[],
): Promise<string> => {
  const { id: datasetId } = await admin.createDataset({ body: { ...fields, workspaceId } });
  await admin.createDatasetPermission({ body: { action: 'read', datasetId, groupId } });
  for (let from = 0; from < records.length; from += batchSize) {
    await admin.writeRecordsV2({
      params: { datasetId },
      query: { isAsync: false },
      body: {
        records: records.slice(from, from + batchSize),
        securityLabelInfo: {
          fields: [demoLabelField],
          parserClassName: 'identity-parser',
          labelHandlingPolicy: 'ignore',
        },
      },
    });
  }
  return datasetId;
};

/**
 * Fills a server with people, groups, attributes, datasets, saved queries and invitations.
 * @param maxRows the most rows of a dataset
 */
export const fillWorkspace = async (url: string, maxRows: number): Promise<FilledWorkspace> => {
  const founder = await createAccount(url, 'Fay', 'Founder', 'fay@air-traffic.example');
  await founder.createWorkspace({ body: { name: 'Air traffic desk', id: workspaceId } });
  const ids = new Map<string, string>();
  for (const [at, [firstName, lastName, role]] of people.entries()) {
    const { id } = await founder.createUser({
      body: { email: emailOf(firstName, at), firstName, lastName, password, workspaceId, role },
    });
    ids.set(firstName, id);
  }
  for (const region of regions) {
    const { id: attributeId } = await founder.createAttribute({
      body: { name: `Region ${region}`, token: `REGION:${region}`, workspaceId },
    });
    for (const [firstName, , , held] of people) {
      if (held.some((one) => one === region))
        await founder.createAttributeAssignment({
          body: { attributeId, userId: ids.get(firstName) ?? '' },
        });
    }
  }
  const groups: string[] = [];
  for (const name of [
    'Readers',
    'Tower Frankfurt',
    'Navigation data editors',
    'Flugsicherungsdatenqualitätsmanagement',
    'Auditors',
  ]) {
    groups.push((await founder.createGroup({ body: { name, workspaceId } })).id);
  }
  const [readers = '', tower = ''] = groups;
  for (const id of ids.values()) {
    if (id === ids.get('Noah')) continue;
    await founder.createGroupMembership({ body: { groupId: readers, userId: id, role: 'member' } });
  }
  await founder.createGroupMembership({
    body: { groupId: tower, userId: ids.get('Ada') ?? '', role: 'admin' },
  });
  await founder.createGroupMembership({ body: { groupId: readers, childGroupId: tower, role: 'member' } });

  const { navaids, countries } = await readDemoRecords();
  const navaidsId = await loadDataset(
    founder,
    { name: 'navaids', description: 'Radio navigation aids of the world, from OurAirports' },
    readers,
    navaids.slice(0, maxRows),
  );
  await loadDataset(
    founder,
    { name: 'countries', description: 'Countries with their continents' },
    readers,
    countries.slice(0, maxRows),
  );
  const notices = await loadDataset(
    founder,
    { name: 'Notices to airmen, Frankfurt and Munich flight information regions', description: '' },
    readers,
    Array.from({ length: Math.min(maxRows, 900) }, (_, n) => noticeOf(n)),
  );
  for (const [at, [name, description]] of otherDatasets.entries()) {
    const rows = Array.from({ length: 12 + at * 37 }, (_, n) => noticeOf(n + at * 100));
    await loadDataset(founder, { name, description }, readers, at % 5 === 4 ? [] : rows);
  }
  await founder.createInvitation({ body: { email: 'new.colleague@air-traffic.example', role: 'member' } });

  const ada = { email: emailOf('Ada', 0), password };
  const { accessToken } = await createApiClient({ baseUrl: url }).authenticate({
    body: { strategy: 'local', ...ada, workspaceId },
  });
  const asAda = createApiClient({ baseUrl: url, token: accessToken });
  const { id: savedQuery } = await asAda.createSavedQuery({
    body: {
      name: 'Beacons by type',
      text: 'SELECT type, count(*) AS beacons, avg(elevation_ft) AS elevation\nFROM navaids\nGROUP BY type\nORDER BY beacons DESC',
    },
  });
  const manuals = await loadDocuments(founder, url, accessToken, readers);
  const { id: connection } = await asAda.createConnection({
    body: {
      workspaceId,
      name: 'Flight data of the carriers',
      type: 'URL',
      connectionInfo: { headers: { Authorization: 'Bearer of-the-carriers' } },
      allowed: { urlPrefixes: ['https://flights.example.org/'] },
      minimumLabel: 'REGION:EU',
    },
  });
  const { id: schedule } = await asAda.createSchedule({
    body: {
      datasetId: navaidsId,
      name: 'navaids, every night',
      cron: '0 3 * * *',
      timeZone: 'Europe/Berlin',
      request: {
        dataSourceParams: {
          type: 'URL',
          connectionInfo: { urls: [{ url: 'http://127.0.0.1:9/navaids.csv' }] },
        },
      },
    },
  });
  for (let n = 0; n < 14; n++) await upload(url, accessToken, notices, n);
  await asAda.createSavedQuery({
    body: { name: 'Highest VOR', text: 'SELECT name, elevation_ft FROM navaids ORDER BY elevation_ft DESC' },
  });
  await createAccount(url, 'Nora', 'Newcomer', 'nora@elsewhere.example');
  return {
    ada,
    newcomer: { email: 'nora@elsewhere.example', password },
    guest: { email: emailOf('Noah', 6), password },
    navaids: navaidsId,
    notices,
    group: readers,
    person: ids.get('Maximiliane-Charlotte') ?? '',
    savedQuery,
    manuals,
    connection,
    schedule,
  };
};

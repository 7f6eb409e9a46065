import { createApiClient, type ApiClient } from '@redoubt/api-client';
import { demoLabelField, readDemoRecords, startServerProcess } from '@redoubt/server/testing';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '../../..');
const batchSize = 5000;
const regions = ['AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA'];

/** What the examples of a page find: a workspace, and an empty folder of their own. */
export interface Place {
  readonly folder: string;
  /** For the runner's own files. */
  readonly state: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** What the examples of a page need of their workspace. */
export interface Needs {
  /** The datasets `navaids` and `countries`, which take longer to load than most pages to run. */
  readonly data: boolean;
  /** The people of the demo: Ada and Ben, who hold the attributes of two regions each, and Alex, who holds none. */
  readonly people: boolean;
  /** They change nothing: pages of this kind share a workspace with the data. */
  readonly onlyQueries: boolean;
}

/** A server with its engines embedded, as people start it. */
export interface House {
  readonly url: string;
  makePlace(name: string, needs: Needs): Promise<Place>;
  close(): Promise<void>;
}

interface Member {
  readonly id: string;
  readonly token: string;
}

const password = 'of the examples';

const emailOf = (who: string, workspaceId: string): string => `${who}@${workspaceId}.example`;

/** Makes the workspace and an account that has made it, since an account whose address is unverified makes but one. */
const foundWorkspace = async (url: string, id: string): Promise<{ client: ApiClient; token: string }> => {
  const anybody = createApiClient({ baseUrl: url });
  const email = emailOf('founder', id);
  await anybody.createUser({ body: { email, firstName: 'Fay', lastName: 'Founder', password } });
  const { accessToken } = await anybody.authenticate({ body: { strategy: 'local', email, password } });
  await createApiClient({ baseUrl: url, token: accessToken }).createWorkspace({ body: { name: id, id } });
  const session = await anybody.authenticate({ body: { strategy: 'jwt', accessToken, workspaceId: id } });
  return {
    client: createApiClient({ baseUrl: url, token: session.accessToken }),
    token: session.accessToken,
  };
};

const addMember = async (
  url: string,
  founder: ApiClient,
  workspaceId: string,
  role: 'admin' | 'member',
): Promise<Member> => {
  const email = emailOf(role, workspaceId);
  const names = role === 'admin' ? ['Alex', 'Admin'] : ['Rea', 'Reader'];
  const [firstName = '', lastName = ''] = names;
  const { id } = await founder.createUser({
    body: { email, firstName, lastName, password, workspaceId, role },
  });
  const { accessToken } = await createApiClient({ baseUrl: url }).authenticate({
    body: { strategy: 'local', email, password, workspaceId },
  });
  return { id, token: accessToken };
};

/** Nobody gives themselves an attribute, so the founder of the workspace does it for its administrator. */
const giveAttributes = async (
  founder: ApiClient,
  workspaceId: string,
  admin: Member,
  reader: Member,
): Promise<void> => {
  for (const region of regions) {
    const { id: attributeId } = await founder.createAttribute({
      body: { name: `Region ${region}`, token: `REGION:${region}`, workspaceId },
    });
    await founder.createAttributeAssignment({ body: { attributeId, userId: admin.id } });
    if (region === 'EU') {
      await founder.createAttributeAssignment({ body: { attributeId, userId: reader.id } });
    }
  }
};

const loadDataset = async (
  admin: ApiClient,
  given: { name: string; workspaceId: string; groupId: string },
  records: readonly Record<string, unknown>[],
): Promise<string> => {
  const { name, workspaceId, groupId } = given;
  const { id: datasetId } = await admin.createDataset({ body: { name, workspaceId } });
  for (const action of ['read', 'write'] as const) {
    await admin.createDatasetPermission({ body: { action, datasetId, groupId } });
  }
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

const loadData = async (url: string, workspaceId: string, admin: Member, reader: Member): Promise<string> => {
  const client = createApiClient({ baseUrl: url, token: admin.token });
  const { navaids, countries } = await readDemoRecords();
  const { id: groupId } = await client.createGroup({ body: { name: 'Readers', workspaceId } });
  await client.createGroupMembership({ body: { groupId, userId: reader.id, role: 'member' } });
  const given = { workspaceId, groupId };
  await loadDataset(client, { ...given, name: 'countries' }, countries);
  return loadDataset(client, { ...given, name: 'navaids' }, navaids);
};

/** As the demo makes them: each holds two regions, and reads what the group of readers reads. */
const addDemoPeople = async (
  url: string,
  founder: ApiClient,
  workspaceId: string,
): Promise<Record<'ADA' | 'BEN', string>> => {
  const { data: groups } = await founder.listGroups({ query: { name: 'Readers' } });
  const add = async (firstName: string, held: readonly string[]): Promise<string> => {
    const email = emailOf(firstName.toLowerCase(), workspaceId);
    const { id: userId } = await founder.createUser({
      body: { email, firstName, lastName: 'Demo', password, workspaceId, role: 'member' },
    });
    for (const token of held) {
      const { data } = await founder.listAttributes({ query: { token: `REGION:${token}` } });
      for (const { id: attributeId } of data) {
        await founder.createAttributeAssignment({ body: { attributeId, userId } });
      }
    }
    for (const { id: groupId } of groups) {
      await founder.createGroupMembership({ body: { groupId, userId, role: 'member' } });
    }
    const { accessToken } = await createApiClient({ baseUrl: url }).authenticate({
      body: { strategy: 'local', email, password, workspaceId },
    });
    return accessToken;
  };
  return { ADA: await add('Ada', ['EU', 'AF']), BEN: await add('Ben', ['NA', 'SA']) };
};

/** What examples find of a workspace in their environment. */
type Workspace = Readonly<Record<string, string>>;

const openWorkspace = async (url: string, id: string, needs: Needs): Promise<Workspace> => {
  const { client: founder, token: founderToken } = await foundWorkspace(url, id);
  const admin = await addMember(url, founder, id, 'admin');
  const reader = await addMember(url, founder, id, 'member');
  await giveAttributes(founder, id, admin, reader);
  const data = needs.data ? { DATASET: await loadData(url, id, admin, reader) } : {};
  const people = needs.people ? { ...(await addDemoPeople(url, founder, id)), ALEX: founderToken } : {};
  return {
    REDOUBT: url,
    TOKEN: admin.token,
    READER: reader.token,
    EMAIL: emailOf('admin', id),
    PASSWORD: password,
    WORKSPACE: id,
    ...data,
    ...people,
  };
};

export const openHouse = async (): Promise<House> => {
  const root = await mkdtemp(join(tmpdir(), 'redoubt-examples-'));
  const server = await startServerProcess({ dataDir: join(root, 'data') });
  const { url } = server;

  let ofQueries: Promise<Workspace> | undefined;

  return {
    url,
    makePlace: async (name, needs) => {
      const workspace = needs.onlyQueries
        ? (ofQueries ??= openWorkspace(url, 'pages-of-queries', { ...needs, data: true, people: true }))
        : openWorkspace(url, name, needs);
      const environment = await workspace;
      const folder = join(root, 'pages', name, 'work');
      const state = join(root, 'pages', name, 'state');
      await mkdir(folder, { recursive: true });
      await mkdir(state);
      for (const file of ['navaids.csv', 'countries.csv']) {
        await cp(join(repository, 'examples', file), join(folder, file));
      }
      return { folder, state, environment: { ...environment, WORKDIR: folder } };
    },
    close: async () => {
      await server.kill();
      await rm(root, { recursive: true, force: true });
    },
  };
};

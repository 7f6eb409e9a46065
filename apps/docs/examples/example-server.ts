import { createApiClient, type ApiClient } from '@redoubt/api-client';
import { demoLabelField, readDemoRecords, startServerProcess } from '@redoubt/server/testing';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const repository = join(import.meta.dirname, '../../..');
const batchSize = 5000;
const regions = ['AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA'];

/** The environment of the examples of a page: a workspace, and an empty folder. */
export interface ExampleEnvironment {
  readonly folder: string;
  /** For the runner's own files. */
  readonly state: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The requirements of a page's examples. */
export interface Needs {
  /** The datasets `navaids` and `countries`, which take longer to load than most pages to run. */
  readonly data: boolean;
  /** The people of the demo: Ada and Ben, with the attributes of two regions each, and Alex, without attributes. */
  readonly people: boolean;
  /** Whether the examples only read. Such pages share a workspace with the data. */
  readonly onlyQueries: boolean;
}

/** A server with embedded engines, started like by a user. */
export interface ExampleServer {
  readonly url: string;
  createEnvironment(name: string, needs: Needs): Promise<ExampleEnvironment>;
  close(): Promise<void>;
}

interface Member {
  readonly id: string;
  readonly token: string;
}

const password = 'of the examples';

const emailOf = (who: string, workspaceId: string): string => `${who}@${workspaceId}.example`;

/**
 * Creates a workspace and its creator. Each workspace needs a new account, since an account with an unverified address
 * can create only one.
 */
const createWorkspace = async (url: string, id: string): Promise<{ client: ApiClient; token: string }> => {
  const anybody = createApiClient({ baseUrl: url });
  const email = emailOf('creator', id);
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
  creator: ApiClient,
  workspaceId: string,
  role: 'admin' | 'member',
): Promise<Member> => {
  const email = emailOf(role, workspaceId);
  const names = role === 'admin' ? ['Alex', 'Admin'] : ['Rea', 'Reader'];
  const [firstName = '', lastName = ''] = names;
  const { id } = await creator.createUser({
    body: { email, firstName, lastName, password, workspaceId, role },
  });
  const { accessToken } = await createApiClient({ baseUrl: url }).authenticate({
    body: { strategy: 'local', email, password, workspaceId },
  });
  return { id, token: accessToken };
};

/** Fills a SQLite database. @returns the command line of the connector that reads it */
const createConnector = async (folder: string): Promise<string[]> => {
  await mkdir(folder);
  const database = new DatabaseSync(join(folder, 'shop.db'));
  database.exec("CREATE TABLE orders (item text); INSERT INTO orders VALUES ('tea'), ('rice')");
  database.close();
  const program = join(repository, 'examples/connectors/sqlite_connector.py');
  return ['/usr/bin/env', 'python3', program, folder];
};

/** The creator of the workspace assigns the administrator's attributes: no one can assign attributes to themselves. */
const giveAttributes = async (
  creator: ApiClient,
  workspaceId: string,
  admin: Member,
  reader: Member,
): Promise<void> => {
  for (const region of regions) {
    const { id: attributeId } = await creator.createAttribute({
      body: { name: `Region ${region}`, token: `REGION:${region}`, workspaceId },
    });
    await creator.createAttributeAssignment({ body: { attributeId, userId: admin.id } });
    if (region === 'EU') {
      await creator.createAttributeAssignment({ body: { attributeId, userId: reader.id } });
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

/** Creates Ada and Ben like the demo: each has two regions and is a member of the readers. */
const addDemoPeople = async (
  url: string,
  creator: ApiClient,
  workspaceId: string,
): Promise<Record<'ADA' | 'BEN', string>> => {
  const { data: groups } = await creator.listGroups({ query: { name: 'Readers' } });
  const add = async (firstName: string, held: readonly string[]): Promise<string> => {
    const email = emailOf(firstName.toLowerCase(), workspaceId);
    const { id: userId } = await creator.createUser({
      body: { email, firstName, lastName: 'Demo', password, workspaceId, role: 'member' },
    });
    for (const token of held) {
      const { data } = await creator.listAttributes({ query: { token: `REGION:${token}` } });
      for (const { id: attributeId } of data) {
        await creator.createAttributeAssignment({ body: { attributeId, userId } });
      }
    }
    for (const { id: groupId } of groups) {
      await creator.createGroupMembership({ body: { groupId, userId, role: 'member' } });
    }
    const { accessToken } = await createApiClient({ baseUrl: url }).authenticate({
      body: { strategy: 'local', email, password, workspaceId },
    });
    return accessToken;
  };
  return { ADA: await add('Ada', ['EU', 'AF']), BEN: await add('Ben', ['NA', 'SA']) };
};

/** The environment variables for a workspace. */
type Workspace = Readonly<Record<string, string>>;

const openWorkspace = async (url: string, id: string, needs: Needs): Promise<Workspace> => {
  const { client: creator, token: creatorToken } = await createWorkspace(url, id);
  const admin = await addMember(url, creator, id, 'admin');
  const reader = await addMember(url, creator, id, 'member');
  await giveAttributes(creator, id, admin, reader);
  const data = needs.data ? { DATASET: await loadData(url, id, admin, reader) } : {};
  const people = needs.people ? { ...(await addDemoPeople(url, creator, id)), ALEX: creatorToken } : {};
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

export const startExampleServer = async (): Promise<ExampleServer> => {
  const root = await mkdtemp(join(tmpdir(), 'redoubt-examples-'));
  const server = await startServerProcess({
    dataDir: join(root, 'data'),
    environment: { CONNECTORS: JSON.stringify({ sqlite: await createConnector(join(root, 'databases')) }) },
  });
  const { url } = server;

  let ofQueries: Promise<Workspace> | undefined;

  return {
    url,
    createEnvironment: async (name, needs) => {
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

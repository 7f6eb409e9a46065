import { createApiClient, type ApiClient } from '@redoubt/api-client';
import { RedoubtError } from '@redoubt/errors';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, type SignUp } from '../platform/config/index.ts';
import type { Random } from '../platform/runtime.ts';
import { labelField, readDemoRecords } from './demo-records.ts';

const workspaceId = 'demo';
const batchSize = 5000;

/** The accounts of the demo. The administrator holds no attribute, and so sees no record. */
const people = {
  admin: { email: 'admin@demo.example', firstName: 'Alex', lastName: 'Admin', regions: [] },
  ada: { email: 'ada@demo.example', firstName: 'Ada', lastName: 'Europe', regions: ['EU', 'AF'] },
  ben: { email: 'ben@demo.example', firstName: 'Ben', lastName: 'America', regions: ['NA', 'SA'] },
} as const;
const introductions = {
  ada: 'Ada holds REGION:EU and REGION:AF',
  ben: 'Ben holds REGION:NA and REGION:SA',
  admin: 'Alex is the administrator, holds no attribute, and so sees no record',
} as const;
const regions = ['AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA'];

type Accounts = Record<keyof typeof people, { id: string; password: string }>;

const newPassword = (random: Random): string => random.bytes(12).toString('base64url');

const signIn = async (url: string, email: string, password: string): Promise<ApiClient> => {
  const { accessToken } = await createApiClient({ baseUrl: url }).authenticate({
    body: { strategy: 'local', email, password },
  });
  return createApiClient({ baseUrl: url, token: accessToken });
};

const makeAccounts = async (
  url: string,
  random: Random,
): Promise<{ admin: ApiClient; accounts: Accounts }> => {
  const passwords = { admin: newPassword(random), ada: newPassword(random), ben: newPassword(random) };
  const { regions: _none, ...adminNames } = people.admin;
  const { id } = await createApiClient({ baseUrl: url }).createUser({
    body: { ...adminNames, password: passwords.admin },
  });
  const admin = await signIn(url, people.admin.email, passwords.admin);
  await admin.createWorkspace({ body: { name: 'Demo', id: workspaceId } });
  const add = async (key: 'ada' | 'ben'): Promise<{ id: string; password: string }> => {
    const { regions: _regions, ...names } = people[key];
    const user = await admin.createUser({
      body: { ...names, password: passwords[key], workspaceId, role: 'member' },
    });
    return { id: user.id, password: passwords[key] };
  };
  return {
    admin,
    accounts: { admin: { id, password: passwords.admin }, ada: await add('ada'), ben: await add('ben') },
  };
};

const grantAttributes = async (admin: ApiClient, accounts: Accounts): Promise<void> => {
  for (const region of regions) {
    const attribute = await admin.createAttribute({
      body: { name: `Region ${region}`, token: `REGION:${region}`, workspaceId },
    });
    for (const key of ['ada', 'ben'] as const) {
      if (!people[key].regions.some((held) => held === region)) continue;
      await admin.createAttributeAssignment({
        body: { attributeId: attribute.id, userId: accounts[key].id },
      });
    }
  }
};

const makeDataset = async (
  admin: ApiClient,
  name: string,
  groupId: string,
  records: readonly Record<string, unknown>[],
): Promise<string> => {
  const { id: datasetId } = await admin.createDataset({ body: { name, workspaceId } });
  await admin.createDatasetPermission({ body: { action: 'read', datasetId, groupId } });
  for (let from = 0; from < records.length; from += batchSize) {
    await admin.writeRecordsV2({
      params: { datasetId },
      query: { isAsync: false },
      body: {
        records: records.slice(from, from + batchSize),
        securityLabelInfo: {
          fields: [labelField],
          parserClassName: 'identity-parser',
          labelHandlingPolicy: 'ignore',
        },
      },
    });
  }
  return datasetId;
};

/** A shell command that signs in and stores the token in $TOKEN, which the searches use. */
const signInLine = (url: string, { email }: { email: string }, password: string): string =>
  `TOKEN=$(curl -s ${url}/authentication -H 'Content-Type: application/json' -d '${JSON.stringify({ strategy: 'local', email, password })}' | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')`;

const searchLine = (url: string, datasetId: string, expression: string, limit: number): string =>
  `curl -s ${url}/query/lucene -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '${JSON.stringify({ datasetId, expression, limit })}'`;

/** How each person signs in to the console. */
const consoleLines = (url: string, accounts: Accounts): string[] => [
  `Open the console on ${url}/app/ and sign in as one of these:`,
  '',
  ...(['ada', 'ben', 'admin'] as const).map(
    (key) => `${introductions[key]}: ${people[key].email}, password ${accounts[key].password}`,
  ),
  '',
];

const describe = (
  url: string,
  hasConsole: boolean,
  accounts: Accounts,
  navaids: string,
  countries: string,
): string =>
  [
    '',
    `The demo: 11,000 navigation aids and 249 countries in the workspace "${workspaceId}", each labelled with its region.`,
    ...(hasConsole ? consoleLines(url, accounts) : []),
    'In a shell, paste one of these lines; it stores the token in $TOKEN:',
    '',
    `# ${introductions.ada}`,
    signInLine(url, people.ada, accounts.ada.password),
    `# ${introductions.ben}`,
    signInLine(url, people.ben, accounts.ben.password),
    `# ${introductions.admin}`,
    signInLine(url, people.admin, accounts.admin.password),
    '',
    'Then search; each of them gets different results:',
    '',
    searchLine(url, navaids, 'name:london OR name:victoria', 5),
    searchLine(url, navaids, 'type:VOR AND elevation_ft:[3000 TO *]', 3),
    searchLine(url, countries, 'name:saint OR name:*land', 3),
    '',
  ].join('\n');

/** The URLs in the text of an earlier start, which may have used another port. */
const addresses = /http:\/\/\S+?(?=\/app\/|\/authentication|\/query)/g;

/**
 * Loads the demo through the API at `url`, once, and prints how to try it. The printed text is kept in the data folder,
 * readable by its owner only, since it contains random passwords.
 * @throws ConfigError if the accounts of the demo cannot be created
 */
export const runDemo = async (deps: {
  url: string;
  /** Whether the server serves the console. */
  hasConsole: boolean;
  folder: string;
  signUp: SignUp;
  random: Random;
  say: (line: string) => void;
}): Promise<void> => {
  const { url, hasConsole, folder, signUp, random, say } = deps;
  const notes = join(folder, 'demo.txt');
  if (existsSync(notes)) {
    writeFileSync(notes, readFileSync(notes, 'utf8').replaceAll(addresses, url));
  } else {
    if (signUp !== 'open') {
      throw new ConfigError(
        `The demo creates accounts, but SIGN_UP is ${signUp}. For its first start, set SIGN_UP=open.`,
      );
    }
    say('Loading the demo data.');
    const { navaids, countries } = await readDemoRecords();
    const { admin, accounts } = await makeAccounts(url, random).catch((error: unknown) => {
      if (!(error instanceof RedoubtError)) throw error;
      throw new ConfigError(`Could not create the demo: ${error.message}`);
    });
    await grantAttributes(admin, accounts);
    const group = await admin.createGroup({ body: { name: 'Readers', workspaceId } });
    for (const key of ['ada', 'ben'] as const) {
      await admin.createGroupMembership({
        body: { groupId: group.id, userId: accounts[key].id, role: 'member' },
      });
    }
    const navaidsId = await makeDataset(admin, 'navaids', group.id, navaids);
    const countriesId = await makeDataset(admin, 'countries', group.id, countries);
    writeFileSync(notes, describe(url, hasConsole, accounts, navaidsId, countriesId), { mode: 0o600 });
  }
  say(readFileSync(notes, 'utf8'));
};

/* Shows: E-Job-error, X-HttpClientError, R-python-snake-case, W-absolute-form-ingest,
   W-absolute-form-uploads, W-absolute-form-index-management, W-tls, W-connect-timeout, W-python-connector */
import { migrateDataFolder, startServerProcess, type ServerProcess } from '@redoubt/server/testing';
import { pythonWith, sendRequest } from '@redoubt/testkit';
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer as createPlainHost, type Server as PlainHost } from 'node:http';
import { createServer, type Server } from 'node:https';
import { createServer as createPlainServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

const connector = 'kdp-python-connector==0.121.0';
const program = join(import.meta.dirname, 'python-connector/every-method.py');

/** Loopback addresses that nothing else uses, since four methods of the connector always use port 443. */
const hosts = { redoubt: '127.0.44.3', keycloak: '127.0.44.4' };

/** Why this user cannot listen on port 443, if so. */
const findPortError = async (): Promise<string | undefined> => {
  const server = createPlainServer();
  const outcome = once(server, 'listening').then(
    () => undefined,
    (error: Error) => `the connector needs port 443, and this user may not listen on it: ${error.message}`,
  );
  server.listen(443, hosts.redoubt);
  const problem = await outcome;
  await new Promise((resolve) => server.close(resolve));
  return problem;
};

interface Row {
  name: string;
  age: number;
  fields: string[];
  [field: string]: unknown;
}

/** The fields of the connector's results, except those of errors. */
interface Value {
  id: string;
  accessToken: string;
  description: string;
  name: string;
  type: string;
  status: number;
  total: number;
  keepForever: boolean;
  ageInDays: number;
  records: Row[];
  data: Row[];
  ranges: string[][];
}

interface Line {
  value?: unknown;
  error?: string;
  status?: number | null;
}

const namesOf = (records: readonly Row[]): string[] => records.map(({ name }) => name).toSorted();

const python = await pythonWith(connector);
const missing = 'missing' in python ? python.missing : await findPortError();

describe('the published Python connector, unchanged, over TLS', { skip: missing ?? false }, () => {
  let folder: string;
  let server: ServerProcess;
  let keycloak: Server;
  /** Serves the files that the connector has ingested. */
  let files: PlainHost;
  /** The result of each method. */
  const lines = new Map<string, Line>();
  let uncalled: string[] | undefined;

  /** The result of a method that must succeed. */
  const valueOf = (method: string): Value => {
    const line = lines.get(method);
    equal(line?.error, undefined, method);
    ok(line !== undefined, `${method} was not called`);
    return line.value as Value;
  };
  /** The result of a method that returns a list. */
  const rowsOf = (method: string): Row[] => valueOf(method) as unknown as Row[];
  const errorOf = (method: string): Line => lines.get(method) ?? {};

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redoubt-connector-'));
    const dataDir = await migrateDataFolder(join(folder, 'data'));
    server = await startServerProcess({
      dataDir,
      environment: { HOST: hosts.redoubt, PORT: '443', TLS: 'self-signed', ALLOW_PRIVATE_ADDRESSES: 'yes' },
    });
    const pem = await readFile(join(dataDir, 'tls.pem'), 'utf8');
    const [cert = '', key = ''] = pem.split(/(?=-----BEGIN PRIVATE KEY-----)/);
    setDefaultCACertificates([...getCACertificates(), cert]);
    keycloak = createServer({ cert, key }, (_request, response) => {
      response.setHeader('content-type', 'application/json').end('{"access_token":"of-keycloak"}');
    }).listen(443, hosts.keycloak);
    await once(keycloak, 'listening');
    files = createPlainHost((request, response) => {
      if (request.url === '/planes.csv') response.end('name,age\nFetched,36\n');
      else response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await once(files, 'listening');

    const url = `https://${hosts.redoubt}`;
    const made = async (path: string, body: unknown, token?: string) => {
      const response = await sendRequest<{ id: string; accessToken: string; key: string }>(
        { url },
        'POST',
        path,
        {
          body,
          ...(token !== undefined && { token }),
        },
      );
      equal(response.status, 201, `${path}: ${JSON.stringify(response.body)}`);
      return response.body;
    };
    const person = { email: 'ada@example.org', password: 'long enough', firstName: 'Ada', lastName: 'L' };
    const signIn = { strategy: 'local', email: person.email, password: person.password };
    await made('/users', person);
    const { accessToken: unboundToken } = await made('/authentication', signIn);
    const workspace = await made('/workspaces', { name: 'connector', id: 'connector' }, unboundToken);
    const { accessToken: token } = await made('/authentication', { ...signIn, workspaceId: workspace.id });
    const other = await made(
      '/users',
      { ...person, email: 'ben@example.org', workspaceId: workspace.id, role: 'member' },
      token,
    );
    const newcomer = { ...person, email: 'cy@example.org' };
    await made('/users', newcomer);
    const { accessToken: newcomerToken } = await made('/authentication', {
      ...signIn,
      email: newcomer.email,
    });
    const { key: apiKey } = await made(
      '/api-keys',
      { name: 'K', workspaceId: workspace.id, description: '', groupNames: [], attributeNames: [] },
      token,
    );
    const child = spawn('command' in python ? python.command : '', [program], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(
      JSON.stringify({
        host: url,
        email: person.email,
        password: person.password,
        workspace: workspace.id,
        other: other.id,
        key: apiKey,
        newcomer: newcomerToken,
        keycloak: hosts.keycloak,
        folder,
        files: `http://127.0.0.1:${(files.address() as AddressInfo).port}/`,
      }),
    );
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    await once(child, 'close');
    for (const text of output.trim().split('\n')) {
      const line = JSON.parse(text) as Line & { method: string; uncalled?: string[] };
      if (line.uncalled !== undefined) uncalled = line.uncalled;
      else lines.set(line.method, line);
    }
  });
  after(async () => {
    keycloak.close();
    files.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('each of its methods is called', () => {
    deepEqual(uncalled, []);
  });

  test('it signs in, and its token is accepted', () => {
    match(valueOf('create_authentication_token').accessToken, /^[\w-]+\.[\w-]+\./);
    valueOf('create_and_set_authentication_token');
    equal(valueOf('get_workspace').id, 'connector');
    equal(errorOf('get_workspace without a credential').status, 401);
  });

  test('it creates, reads and changes datasets', () => {
    const { id } = valueOf('create_dataset');
    equal(valueOf('get_dataset').id, id);
    equal(valueOf('patch_dataset').description, 'Changed');
  });

  test('it writes data frames, with labels, and as gzip in a request of absolute form', () => {
    for (const method of ['batch_write', 'batch_write_v2', 'batch_write_v2 with gzip', 'update'])
      deepEqual(rowsOf(method), [0], method);
  });

  test('its searches and statements, which it percent-encodes, find the written records', () => {
    const names = (method: string): string[] => valueOf(method).records.map(({ name }) => name);
    deepEqual(names('post_lucene_query'), ['John']);
    deepEqual(names('post_lucene_query with a phrase').toSorted(), ['John', 'Mary Ann']);
    deepEqual(names('post_sql_query'), ['50%']);
    const [internal] = valueOf('post_sql_query with internal fields').records;
    match(String(internal?.['_koverse_record_id']), /^[0-9a-f-]{36}$/);
    valueOf('post_document_lucene_query');
  });

  test('it reads the visible records in sequence, as a frame, in splits and in ranges', () => {
    const expected = ['50%', 'John', 'Mary Ann', 'Open'];
    deepEqual(namesOf(rowsOf('read_dataset_to_dictionary_list')), expected);
    deepEqual(namesOf(rowsOf('read_dataset_to_pandas_dataframe')), expected);
    deepEqual(namesOf(valueOf('read_batch').records), expected);
    const [range = []] = valueOf('get_splits').ranges;
    equal(range.length, 2);
    const read = rowsOf('read_dataset_to_dictionary_list');
    equal(read.find(({ name }) => name === 'John')?.age, 31);
  });

  test('it creates indexes, lists them and the jobs, and clears the dataset', () => {
    valueOf('modify_indexes');
    const indexes = valueOf('get_indexes').data;
    ok(indexes.some(({ fields }) => fields.includes('name')));
    ok(valueOf('get_jobs').data.length > 0);
    equal(valueOf('clear_dataset').type, 'clear-dataset');
    deepEqual(valueOf('post_lucene_query after clear_dataset').records, []);
  });

  test('it reads and changes the retention of the audit log, and searches it', () => {
    ok(valueOf('get_audit_log_configs').total > 0);
    const changed = valueOf('patch_audit_log_configs');
    deepEqual([changed.keepForever, changed.ageInDays], [false, 30]);
    valueOf('post_audit_log_query');
  });

  test('it removes people, creates workspaces, and uses an API key', () => {
    valueOf('delete_user');
    valueOf('set_api_key');
    const byKey = lines.get('get_dataset with an API key');
    // The key has no group, and so sees no dataset.
    equal(byKey?.status, 404);
    equal(valueOf('create_workspace').name, 'of-the-connector');
    // The connector calls a function that its own client library no longer has: no request reaches the server.
    match(errorOf('delete_workspace').error ?? '', /has no attribute 'delete_workspaces_id'/);
  });

  test('methods that this server does not offer fail accordingly: a proxy and Keycloak that are not set up', () => {
    for (const method of ['create_proxy_authentication_token', 'create_and_set_proxy_authentication_token'])
      equal(errorOf(method).status, 401, method);
    for (const method of [
      'create_keycloak_authentication_token',
      'create_and_set_keycloak_authentication_token',
    ])
      equal(errorOf(method).status, 501, method);
  });

  test('it uploads a file, and its ingest job stores the rows of an address', () => {
    equal(valueOf('upload').status, 201);
    equal(valueOf('ingest of planes.csv').type, 'ingest');
    deepEqual(namesOf(valueOf('post_lucene_query after the ingest').records), ['Fetched']);
  });

  test('it lists jobs while one of the dataset has failed', () => {
    const failed = valueOf('get_jobs with a failed job').data.filter(({ status }) => status === 'failed');
    const [error] = failed.map(({ error: sent }) => sent as { name: string; message: string; code: number });
    deepEqual([failed.length, error?.name, error?.code], [1, 'HttpClientError', 502]);
    match(error?.message ?? '', /^absent\.csv: 127\.0\.0\.1:\d+ answered 404\./);
  });
});

/* Shows: A-made-up-requests */
import {
  addMember,
  sendRequest,
  createRecordFixture,
  readTestEffort,
  labelField,
  pythonWith,
} from '@redoubt/testkit';
import { startServer } from '@redoubt/server/testing';
import { deepEqual, equal } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

/** Number of generated requests for each call; `npm run test:schema` generates more. */
const examples = readTestEffort('REDOUBT_SCHEMA_EXAMPLES', 2);
/** Requests at the edges of each schema take longest, so only the long form has them. */
const phases = examples > 20 ? 'examples,coverage,fuzzing' : 'examples,fuzzing';

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
].join(',');

const python = await pythonWith('schemathesis==4.32.5');
const missing = 'missing' in python ? python.missing : false;

/** Shortens the output, since generated values may be very long. */
const shortLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.slice(0, 300))
    .join('\n')
    .slice(-20_000);

describe(
  'responses to generated requests match the API description',
  { skip: missing, concurrency: 2 },
  () => {
    let server: Awaited<ReturnType<typeof startServer>>;
    let folder: string;
    const credentials = new Map<string, string | undefined>([['nobody', undefined]]);

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'redoubt-schema-'));
      server = await startServer();
      const fixture = await createRecordFixture(server);
      const datasetId = await fixture.dataset(['read', 'write']);
      const records = [{ name: 'John', age: 30, label: 'A' }, { name: 'Mary' }];
      equal((await fixture.write(datasetId, records, { labelInfo: labelField })).status, 200);
      const member = await addMember(server, fixture.workspace);
      const membership = { groupId: fixture.readers.id, userId: member.id, role: 'member' };
      await fixture.call(201, 'POST', '/group-memberships', { body: membership });
      const key = await sendRequest<{ key: string }>(server, 'POST', '/api-keys', {
        token: member.token,
        body: { name: 'K', workspaceId: fixture.workspace.id, groupNames: ['Readers'], attributeNames: [] },
      });
      equal(key.status, 201, JSON.stringify(key.body));
      credentials
        .set('member', `Authorization: Bearer ${member.token}`)
        .set('admin', `Authorization: Bearer ${fixture.admin}`)
        .set('key', `X-API-Key: ${key.body.key}`);
      // With ids of existing objects, requests get further than "not found".
      const settings = `
[parameters]
datasetId = ${JSON.stringify(datasetId)}
workspaceId = ${JSON.stringify(fixture.workspace.id)}

[checks]
not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "501"]
`;
      await writeFile(join(folder, 'schemathesis.toml'), settings);
    });
    after(async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    });

    /** Runs Schemathesis; gives its exit code and output. */
    const run = async (name: string): Promise<{ code: number | null; output: string }> => {
      const header = credentials.get(name);
      const child = spawn(
        'command' in python ? python.command : '',
        [
          ['-m', 'schemathesis.cli', '--config-file', join(folder, 'schemathesis.toml'), 'run'],
          [`${server.url}/openapi.json`, '--url', server.url, '--no-color', '--warnings', 'off'],
          // Python 3.11 sometimes fails when several threads parse source at once.
          ['--workers', '1', '--checks', checks, '--phases', phases, '--max-examples', String(examples)],
          ['--seed', '1', '--suppress-health-check', 'all'],
          // A database for later runs is useless, since the folder is deleted.
          ['--generation-database', 'none'],
          ...(header === undefined ? [] : [['--header', header]]),
        ].flat(),
        { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
      );
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => (output += text));
      }
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, output };
    };

    for (const name of ['nobody', 'member', 'admin', 'key']) {
      test(`to ${name}: no 5xx but 501, no unexpected error, no undocumented status, nothing that violates the schema`, async () => {
        const { code, output } = await run(name);
        equal(code, 0, shortLines(output));
        deepEqual(server.log.filter((line) => line.includes('unexpected error')).slice(0, 3), []);
      });
    }
  },
);

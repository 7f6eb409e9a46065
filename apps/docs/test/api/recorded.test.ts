import { routes, type OperationId, type RouteDescriptor } from '@redoubt/contract';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { apiSections } from '../../plugins/api-reference/reference.ts';
import { sampleCall, sampleOf } from '../../src/api/samples/index.ts';
import type { Recording } from '../../src/api/types.ts';
import type { LiveCall } from './call-desk.ts';
import { recordCalls } from './record.ts';
import { shapeOf } from './shorten.ts';

const file = join(import.meta.dirname, '../../src/api/recorded.json');
const kept = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Recording>;
const operations = new Map(
  apiSections({}).flatMap((section) => section.operations.map((one) => [one.id, one])),
);

/** Calls that change nothing or can be repeated. A sign-in by a provider and a prepared download work once. */
const canRunAgain = (id: OperationId): boolean => {
  const { method, runsQuery, bodyType } = routes[id] as RouteDescriptor;
  const sendsFiles = bodyType === 'multipart/form-data';
  const isRead =
    method === 'GET' || runsQuery === true || id === 'writeRecordsV2' || id === 'authenticate' || sendsFiles;
  return isRead && id !== 'finishSingleSignOn' && id !== 'downloadExport';
};

const shell = (command: string, token: string | undefined, cwd: string): Promise<string> =>
  new Promise((resolve) => {
    const env = { PATH: process.env['PATH'] ?? '', ...(token === undefined ? {} : { TOKEN: token }) };
    execFile('/bin/sh', ['-c', command], { cwd, env }, (_error, stdout, stderr) =>
      resolve(`${stdout}${stderr}`),
    );
  });

describe('recordings of the API', () => {
  let recorded: Record<string, Recording>;
  /** The status of each curl sample, by operation. */
  const ran = new Map<OperationId, string>();
  const folder = mkdtempSync(join(tmpdir(), 'redoubt-samples-'));

  const runSample = async ({ operationId, token, call, files }: LiveCall, url: string): Promise<void> => {
    const operation = operations.get(operationId);
    if (operation === undefined || !canRunAgain(operationId)) return;
    for (const { file: name, content } of files) writeFileSync(join(folder, name), content);
    const sample = sampleOf('curl', sampleCall(operation, url, call));
    const output = await shell(`${sample} \\\n  -sS -w '\\n%{http_code}'`, token, folder);
    ran.set(operationId, output.split('\n').at(-1) ?? '');
  };

  before(async () => {
    recorded = await recordCalls(runSample);
    rmSync(folder, { recursive: true });
  });

  test('every call of the contract has a recorded request and answer', () => {
    const wanted = Object.keys(routes).toSorted();
    assert.deepEqual(Object.keys(recorded).toSorted(), wanted);
    assert.deepEqual(Object.keys(kept).toSorted(), wanted);
  });

  test('recorded responses have the statuses and keys of the current server', () => {
    for (const [id, { success, error }] of Object.entries(recorded)) {
      assert.deepEqual(shapeOf(kept[id]?.success), shapeOf(success), id);
      assert.equal(kept[id]?.success.answer.status, success.answer.status, id);
      assert.equal(kept[id]?.error?.answer.status, error?.answer.status, id);
      assert.deepEqual(shapeOf(kept[id]?.error), shapeOf(error), id);
    }
  });

  test('recordings hold no token, key or password', () => {
    const text = JSON.stringify(kept);
    for (const secret of [/eyJ[\w-]{8,}/, /correct horse/, /another horse/, /127\.0\.0\.1(:|%3A)\d/]) {
      assert.doesNotMatch(text, secret);
    }
  });

  test('the samples for curl of calls that read, and of several that write, run against a server', () => {
    for (const id of Object.keys(routes) as OperationId[]) {
      if (!canRunAgain(id) || recorded[id] === undefined) continue;
      const statuses = [String(recorded[id]?.success.answer.status)];
      assert.ok(statuses.includes(ran.get(id) ?? ''), `${id}: ${ran.get(id)}`);
    }
    assert.ok(ran.size > 55, `${ran.size} samples ran`);
  });
});

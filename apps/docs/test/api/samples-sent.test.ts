import type { OperationId } from '@redoubt/contract';
import { deepEqual, equal } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { pythonForExamples } from '../../examples/python.ts';
import { apiSections } from '../../plugins/api-reference/reference.ts';
import { sampleCall, sampleOf } from '../../src/api/samples/index.ts';
import type { ApiOperation, FormPart, RecordedCall, Recording } from '../../src/api/types.ts';

const run = promisify(execFile);
const token = 'a-token-of-the-reader';
const formType = 'multipart/form-data';
const picture = Buffer.from('the bytes of a picture');

const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../src/api/recorded.json'), 'utf8'),
) as Record<OperationId, Recording>;
const operations = apiSections({}).flatMap((section) => section.operations);
const fileContent = 'name\nthe content of a file\n';

/** An actual or expected request. */
interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly authorization: string | undefined;
  readonly type: string | undefined;
  readonly body: unknown;
}

const sorted = (pairs: Iterable<readonly [string, string]>): Request['query'] =>
  [...pairs].toSorted(([a], [b]) => (a < b ? -1 : 1));

/** The recorded request of an operation, with the token of the reader. */
const asRecorded = (operation: ApiOperation, { params, query, body }: RecordedCall): Request => {
  const type = body === undefined ? undefined : operation.body?.mediaType;
  const isFile = type === 'image/*';
  return {
    method: operation.method,
    path: operation.path.replaceAll(/\{(\w+)\}/g, (_braced, name: string) => params[name] ?? ''),
    query: sorted(query),
    authorization: ['any', 'bearer'].includes(operation.credential) ? `Bearer ${token}` : undefined,
    type: isFile ? 'image/png' : type,
    body: isFile ? picture.toString() : body,
  };
};

/** The parts of a form that arrived, as they are recorded. */
const partsOf = async (bytes: Buffer, type: string): Promise<FormPart[]> => {
  const form = await new Response(Uint8Array.from(bytes), { headers: { 'content-type': type } }).formData();
  const parts = [...form].map(async ([name, value]): Promise<FormPart> => {
    if (typeof value === 'string') return { name, text: value };
    equal(await value.text(), fileContent, value.name);
    return { name, file: value.name };
  });
  return Promise.all(parts);
};

const asArrived = async (message: IncomingMessage, path: string): Promise<Request> => {
  const url = new URL(path, 'http://localhost');
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString();
  const type = text === '' ? undefined : message.headers['content-type'];
  // The rest of this media type is the boundary, which each client chooses.
  const isForm = type?.startsWith(formType) === true;
  return {
    method: message.method ?? '',
    path: decodeURIComponent(url.pathname),
    query: sorted(url.searchParams),
    authorization: message.headers.authorization,
    type: isForm ? formType : type,
    body:
      type === undefined
        ? undefined
        : isForm
          ? await partsOf(bytes, type)
          : type.includes('json')
            ? JSON.parse(text)
            : text,
  };
};

describe('the samples of the API reference', () => {
  const folder = mkdtempSync(join(tmpdir(), 'redoubt-samples-'));
  /** The received requests, by operation. */
  let arrived = new Map<string, Request[]>();

  /** Sends the recorded responses. Each operation has its own path prefix, so that samples can run in parallel. */
  const answer = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, id = '', path = '/'] = /^\/(\w+)(\/.*)?$/.exec(message.url ?? '') ?? [];
    arrived.set(id, [...(arrived.get(id) ?? []), await asArrived(message, path)]);
    const { status, mediaType, location = '', body = '' } = recorded[id as OperationId].success.answer;
    response
      .writeHead(status, { 'content-type': mediaType, location })
      .end(mediaType.includes('json') ? JSON.stringify(body) : String(body));
  };
  const server = createServer((message, response) => void answer(message, response));

  before(async () => {
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    symlinkSync(join(import.meta.dirname, '../../../../node_modules'), join(folder, 'node_modules'));
    const files = operations.map(({ id }) => recorded[id as OperationId].success.body);
    for (const body of files) {
      if (typeof body === 'string' && body.endsWith('.png')) writeFileSync(join(folder, body), picture);
      if (Array.isArray(body))
        for (const part of body as FormPart[])
          if ('file' in part) writeFileSync(join(folder, part.file), fileContent);
    }
  });
  beforeEach(() => {
    arrived = new Map();
  });
  after(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  const samplesIn = (language: 'curl' | 'python' | 'typescript'): string[] => {
    const { port } = server.address() as AddressInfo;
    return operations.map((operation) => {
      const host = `http://127.0.0.1:${port}/${operation.id}`;
      return sampleOf(language, sampleCall(operation, host, recorded[operation.id as OperationId].success));
    });
  };
  const env = { PATH: process.env['PATH'] ?? '', TOKEN: token };
  const inFolder = { cwd: folder, env, maxBuffer: 1 << 26 };

  const holds = (): void => {
    for (const operation of operations) {
      const wanted = asRecorded(operation, recorded[operation.id as OperationId].success);
      deepEqual(arrived.get(operation.id), [wanted], operation.id);
    }
    equal(arrived.size, operations.length);
  };

  test('for curl, each sends the request that was recorded', async () => {
    writeFileSync(join(folder, 'samples.sh'), ['set -e', ...samplesIn('curl')].join('\n'));
    await run('/bin/sh', ['samples.sh'], inFolder);
    holds();
  });

  test('for TypeScript, each sends the request that was recorded', async () => {
    const names = samplesIn('typescript').map((text, index) => {
      writeFileSync(join(folder, `sample-${index}.mts`), text);
      return `./sample-${index}.mts`;
    });
    writeFileSync(join(folder, 'samples.mts'), names.map((name) => `await import('${name}');`).join('\n'));
    await run(process.execPath, ['samples.mts'], inFolder);
    holds();
  });

  test('for Python, each sends the request that was recorded', async (t) => {
    const python = await pythonForExamples(false);
    if ('missing' in python) return t.skip(python.missing);
    writeFileSync(join(folder, 'samples.py'), samplesIn('python').join('\n\n'));
    await run(python.command, ['samples.py'], inFolder);
    holds();
  });
});

import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { triedRequest } from './tried-request.ts';
import type { ApiOperation } from './types.ts';

const operation: ApiOperation = {
  id: 'createUpload',
  method: 'POST',
  path: '/uploads',
  aliases: [],
  summary: '',
  description: '',
  whoMay: '',
  credential: 'any',
  changes: true,
  parameters: [],
  filters: [],
  body: {
    mediaType: 'multipart/form-data',
    schema: {
      type: 'object',
      required: ['datasetId', 'files'],
      properties: {
        datasetId: { type: 'string' },
        files: { type: 'array', items: { type: 'string', format: 'binary' } },
        writeMode: { type: 'string' },
      },
    },
  },
  answer: { status: 201, description: '', mediaType: 'application/json', schema: {} },
  otherMediaTypes: {},
  errors: [],
};
const typed = { params: {}, query: {}, moreQuery: '', bodyText: '' };
const noFile = new File([], '');

test('a form with files is sent with its texts first, and without the empty parts', () => {
  const file = new File(['a\n1\n'], 'a.csv');
  const tried = triedRequest(operation, {}, 'https://data.example.org', {
    ...typed,
    parts: [
      ['files', file],
      ['datasetId', 'd'],
      ['writeMode', ''],
    ],
  });
  ok('request' in tried);
  const { body, bodyType } = tried.request;
  equal(bodyType, undefined);
  ok(body instanceof FormData);
  deepEqual([...body.keys()], ['datasetId', 'files']);
  equal((body.get('files') as File).name, 'a.csv');
});

test('a form with files lacks what the call requires', () => {
  const tried = triedRequest(operation, {}, 'https://data.example.org', {
    ...typed,
    parts: [
      ['files', noFile],
      ['datasetId', 'd'],
    ],
  });
  deepEqual(tried, { problems: [{ at: 'files', problem: 'is missing' }] });
});

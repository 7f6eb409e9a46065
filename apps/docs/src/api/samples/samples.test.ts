import { equal, match } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addressOf, sampleOf, type SampleCall } from './index.ts';

const base: SampleCall = {
  operationId: 'listDatasets',
  method: 'GET',
  path: '/datasets',
  host: 'https://data.example.org',
  credential: 'any',
  params: {},
  query: [],
  answerType: 'application/json',
  answerStatus: 200,
};
const list: SampleCall = {
  ...base,
  query: [
    ['$limit', '5'],
    ['$sort[name]', '1'],
    ['name', "Ann's & Ben's"],
  ],
};
const create: SampleCall = {
  ...base,
  operationId: 'createDataset',
  method: 'POST',
  bodyType: 'application/json',
  body: { name: "Ann's", tags: ['a'], more: { ok: true, none: null }, 'a-b': 1 },
};

describe('samples of calls', () => {
  test('a sample for curl quotes what the shell would change, and takes the token from its variable', () => {
    equal(
      sampleOf('curl', list),
      `curl --globoff 'https://data.example.org/datasets?$limit=5&$sort[name]=1&name=Ann'\\''s%20%26%20Ben'\\''s' \\
  -H "Authorization: Bearer $TOKEN"`,
    );
    equal(
      sampleOf('curl', create),
      `curl -X POST 'https://data.example.org/datasets' \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{
  "name": "Ann'\\''s",
  "tags": [
    "a"
  ],
  "more": {
    "ok": true,
    "none": null
  },
  "a-b": 1
}'`,
    );
  });

  test('a sample for TypeScript uses the client of the API', () => {
    equal(
      sampleOf('typescript', list),
      `import { createApiClient } from '@redoubt/api-client';

const client = createApiClient({
  baseUrl: "https://data.example.org",
  token: () => process.env.TOKEN,
});
const answer = await client.listDatasets({
  query: {
    $limit: 5,
    $sort: {
      name: 1,
    },
    name: "Ann's & Ben's",
  },
});
console.log(answer);`,
    );
  });

  test('a sample for Python uses requests, and writes values as Python does', () => {
    equal(
      sampleOf('python', create),
      `import os

import requests

response = requests.post(
    "https://data.example.org/datasets",
    headers={
        "Authorization": f"Bearer {os.environ['TOKEN']}",
    },
    json={
        "name": "Ann's",
        "tags": [
            "a",
        ],
        "more": {
            "ok": True,
            "none": None,
        },
        "a-b": 1,
    },
    allow_redirects=False,
)
print(response.status_code, response.json())`,
    );
  });

  test('a sample of a form with files sends texts as they are, and the files by their names', () => {
    const call: SampleCall = {
      ...base,
      operationId: 'createUpload',
      method: 'POST',
      path: '/uploads',
      bodyType: 'multipart/form-data',
      body: [
        { name: 'accessControlLabel', text: '{"a":"x;y"}' },
        { name: 'files', file: 'buoys.csv' },
      ],
    };
    equal(
      sampleOf('curl', call),
      `curl 'https://data.example.org/uploads' \\
  -H "Authorization: Bearer $TOKEN" \\
  --form-string 'accessControlLabel={"a":"x;y"}' \\
  -F 'files=@buoys.csv'`,
    );
    equal(
      sampleOf('typescript', call),
      `import { openAsBlob } from 'node:fs';
import { createApiClient } from '@redoubt/api-client';

const client = createApiClient({
  baseUrl: "https://data.example.org",
  token: () => process.env.TOKEN,
});
const form = new FormData();
form.append("accessControlLabel", "{\\"a\\":\\"x;y\\"}");
form.append("files", await openAsBlob("buoys.csv"), "buoys.csv");
const answer = await client.createUpload({ body: form });
console.log(answer);`,
    );
    equal(
      sampleOf('python', call),
      `import os

import requests

response = requests.post(
    "https://data.example.org/uploads",
    headers={
        "Authorization": f"Bearer {os.environ['TOKEN']}",
    },
    data=[
        ("accessControlLabel", "{\\"a\\":\\"x;y\\"}"),
    ],
    files=[
        ("files", open("buoys.csv", "rb")),
    ],
    allow_redirects=False,
)
print(response.status_code, response.json())`,
    );
  });

  test('a sample of a call without a credential sends none', () => {
    for (const language of ['curl', 'typescript', 'python'] as const) {
      const text = sampleOf(language, { ...base, credential: 'optional' });
      equal(/TOKEN|uthorization/.test(text), false, text);
    }
  });

  test('a sample of a call that sends elsewhere shows where, and does not go there', () => {
    const call = { ...base, operationId: 'beginSingleSignOn', answerStatus: 303 };
    match(sampleOf('curl', call), /^curl -i '/);
    match(sampleOf('typescript', call), /redirect: 'manual'[^]*headers\.get\('location'\)\);$/);
    match(sampleOf('python', call), /allow_redirects=False[^]*headers\["Location"\]\)$/);
  });

  test('parameters of a path are one segment each, and stay in braces where they are not known', () => {
    const path = '/datasets/{id}/x/{other}';
    equal(
      addressOf({ ...base, path, params: { id: 'a/b?c' } }),
      'https://data.example.org/datasets/a%2Fb%3Fc/x/{other}',
    );
  });
});

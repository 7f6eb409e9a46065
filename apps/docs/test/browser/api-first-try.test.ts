import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { hydrated } from '../fixture-pages.ts';
import { builtSite, newContext, serveSite } from '../site.ts';
import { startExampleServer } from '../../examples/example-server.ts';

const server = await startExampleServer();
after(() => server.close());
const { environment } = await server.createEnvironment('first-try', {
  data: true,
  people: false,
  onlyQueries: true,
});
/** The site and the API on one origin, like a Redoubt server serves them. */
const { origin } = await serveSite(await builtSite(), {
  before: async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    if (method === 'GET' && !/^\/(me|datasets|query\/schema)\b/.test(url)) return false;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { authorization, 'content-type': sentType = 'application/json' } = headers;
    const answer = await fetch(`${server.url}${url}`, {
      method,
      headers: {
        'content-type': sentType,
        ...(authorization !== undefined && { authorization }),
      },
      ...(method === 'GET' ? {} : { body: Buffer.concat(chunks) }),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(await answer.text());
    return true;
  },
});

test('a reader who signs in on the API reference gets records by the first query, without typing one', async () => {
  const page = await (await newContext()).newPage();
  await page.goto(`${origin}/api/query/`);
  await hydrated(page);
  await page.getByText('Host and credential').click();
  await page.getByLabel('Email').fill(environment['EMAIL'] ?? '');
  await page.getByLabel('Password').fill('a guess at it');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Password').fill(environment['PASSWORD'] ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Forget it' }).waitFor();
  for (const id of ['query', 'queryLucene', 'getDatasetSchema']) {
    const call = page.locator('section', { has: page.locator(`[id="${id}"]`) });
    await call.getByRole('button', { name: 'Try it' }).click();
    const filled = id === 'query' ? 'navaids' : (environment['DATASET'] ?? '');
    await page.waitForFunction(
      ([name, text]) =>
        [
          ...document.querySelectorAll<HTMLInputElement>(`section:has([id="${name}"]) :is(textarea, input)`),
        ].some(({ value }) => value.includes(text ?? '')),
      [id, filled] as const,
    );
    await call.getByRole('button', { name: 'Send', exact: true }).click();
    await call.getByRole('status').getByText(/after/).first().waitFor();
    const told = (await call.getByRole('status').textContent()) ?? '';
    assert.match(told, /200/, id);
    if (id !== 'getDatasetSchema') assert.doesNotMatch(told, /"total":\s*0\b/, id);
  }
});

test('a reader uploads a file by the form of the call, and its rows are stored', async () => {
  const page = await (await newContext()).newPage();
  await page.goto(`${origin}/api/ingest/`);
  await hydrated(page);
  await page.getByText('Host and credential').click();
  await page.getByLabel('Email').fill(environment['EMAIL'] ?? '');
  await page.getByLabel('Password').fill(environment['PASSWORD'] ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Forget it' }).waitFor();
  const call = page.locator('section', { has: page.locator('[id="createUpload"]') });
  await call.getByRole('button', { name: 'Try it' }).click();
  await call.getByRole('textbox', { name: /^datasetId/ }).fill(environment['DATASET'] ?? '');
  for (const input of await call.getByRole('textbox', { name: /optional/ }).all()) await input.fill('');
  await call.getByLabel(/^files/).setInputFiles({
    name: 'beacons.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('name,type\nHelgoland,NDB\nSylt,VOR\n'),
  });
  await call.getByRole('button', { name: 'Send', exact: true }).click();
  await call.getByRole('button', { name: 'Send POST' }).click();
  await call.getByRole('status').getByText(/after/).first().waitFor();
  const told = (await call.getByRole('status').textContent()) ?? '';
  assert.match(told, /^201/);
  const [, jobId = ''] = /"jobId":\s*"([^"]+)"/.exec(told) ?? [];
  assert.match(jobId, /^[\w-]{36}$/, told);
});

test('the page asks for no password for a host that a link named', async () => {
  const page = await (await newContext()).newPage();
  await page.goto(`${origin}/api/query/?host=${encodeURIComponent('https://data.example.org')}`);
  await hydrated(page);
  await page.getByText('Host and credential').click();
  await page.getByText('enter this host yourself').waitFor();
  assert.equal(await page.getByLabel('Password').count(), 0);
});

/* Shows: K-counts */
import { createRecordFixture } from '@redoubt/testkit';
import { startServer } from '@redoubt/server/testing';
import { equal } from 'node:assert/strict';
import { test } from 'node:test';

test('a count above the largest exact integer is rejected, and the largest one is accepted', async () => {
  const server = await startServer();
  try {
    const fixture = await createRecordFixture(server);
    const datasetId = await fixture.dataset();
    const query = async (path: string, rest: string): Promise<number> =>
      (await fixture.post(path, `{"datasetId":"${datasetId}",${rest}}`, { token: fixture.admin })).status;
    const largest = '9007199254740990';
    const all = '"expression":"*:*"';
    equal(await query('/readInSequence', `"batchSize":${largest}`), 200);
    equal(await query('/query/lucene', `${all},"limit":${largest},"offset":${largest}`), 200);
    for (const beyond of ['9007199254740991', '1e300']) {
      equal(await query('/readInSequence', `"batchSize":${beyond}`), 400, beyond);
      equal(await query('/query/lucene', `${all},"limit":${beyond}`), 400, beyond);
      equal(await query('/query/lucene', `${all},"offset":${beyond}`), 400, beyond);
    }
  } finally {
    await server.close();
  }
});

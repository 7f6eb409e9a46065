import { equal, match } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { maxLabelledColumns } from '@redoubt/labels';
import { createRecordFixture, type RawResponse, type RecordFixture } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';

const columns = (from: number, count: number, label: string): Record<string, { securityLabel: string }> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`c${String(from + n)}`, { securityLabel: label }]),
  );

describe('the limit of labelled columns', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  /** Holds `HELD` and manages all datasets of the fixture. */
  let manager: string;
  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
    manager = await fixture.reader('HELD');
    await fixture.reader('OTHER');
  });
  after(() => server.close());

  const dataset = (): Promise<string> => fixture.dataset(['read', 'write', 'manage']);
  const change = async (id: string, body: object, token = manager): Promise<RawResponse> => {
    const response = await fetch(`${server.url}/write/schema/${id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const fill = async (id: string, label: string, token = manager): Promise<void> => {
    for (let from = 0; from < maxLabelledColumns; from += 1000)
      equal((await change(id, columns(from, 1000, label), token)).status, 201);
  };

  test('a person labels so many columns of a dataset, with labels that they hold or do not hold', async () => {
    for (const label of ['HELD', 'NOBODY']) {
      const id = await dataset();
      await fill(id, label);
      const refused = await change(id, columns(maxLabelledColumns, 1, label));
      equal(refused.status, 400);
      match(refused.text, /must be at most 2,?000, got 2001/);
      equal((await change(id, columns(0, 1000, label))).status, 201);
      const { text, status } = await fixture.post(
        `/v2/write/${id}?isAsync=false`,
        JSON.stringify({
          records: [{ a: 1 }],
          columnSecurityLabelInfo: columns(maxLabelledColumns, 1, label),
        }),
        { token: manager },
      );
      equal(status, 400, text);
    }
  });

  test('a column counts no longer when its label is removed, which takes somebody who satisfies it', async () => {
    const id = await dataset();
    await fill(id, 'HELD');
    equal((await change(id, columns(0, 1, ''))).status, 201);
    equal((await change(id, columns(maxLabelledColumns, 1, 'NOBODY'))).status, 201);
    equal((await change(id, columns(maxLabelledColumns, 1, ''))).status, 201);
    equal((await change(id, columns(maxLabelledColumns + 1, 1, 'HELD'))).status, 400);
  });

  test('columns that others labelled count only if the person sees them', async () => {
    const id = await dataset();
    const other = await fixture.reader('OTHER');
    await fill(id, 'OTHER', other);
    equal((await change(id, columns(maxLabelledColumns, 1, 'HELD'))).status, 201);
    equal((await change(id, columns(maxLabelledColumns, 1, 'OTHER'), other)).status, 400);
    const seen = await dataset();
    await fill(seen, 'HELD', await fixture.reader('HELD', 'OTHER'));
    equal((await change(seen, columns(maxLabelledColumns, 1, 'HELD'))).status, 201);
    const record = Object.fromEntries(
      Array.from({ length: maxLabelledColumns }, (_, n) => [`c${String(n)}`, n]),
    );
    equal((await fixture.write(seen, [record], { token: manager })).status, 200);
    equal((await change(seen, columns(maxLabelledColumns + 1, 1, 'HELD'))).status, 400);
  });
});

/* Shows: D-write-durable, D-batch-atomic, A-kill */
import { createApiClient, type ApiClient } from '@redoubt/api-client';
import { readTestEffort } from '@redoubt/testkit';
import { migrateDataFolder, startServerProcess, type ServerProcess } from '@redoubt/server/testing';
import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

const rounds = readTestEffort('REDOUBT_CRASH_ROUNDS', 10, 2);
const moreRounds = 20;
const writers = 16;
const labels = ['', 'A', 'B', 'A&B', 'A|B'];
const password = 'correct horse battery';
/** The kill comes at a random time within this span; in every other round, the span starts with the first response. */
const maxRoundMilliseconds = 700;

/** A record of this test, which identifies itself. `version` is 0 when first written and 1 when replaced. */
interface TestRecord {
  batch: string;
  index: number;
  size: number;
  version: number;
  label: string;
}
type StoredRecord = TestRecord & { _koverse_record_id: string; _koverse_security_label: string };

const makeBatch = (batch: string): TestRecord[] => {
  const size = 1 + Math.floor(Math.random() * 40);
  return Array.from({ length: size }, (_, index) => ({
    batch,
    index,
    size,
    version: 0,
    label: labels[index % labels.length] ?? '',
  }));
};

const securityLabelInfo = {
  fields: 'label',
  parserClassName: 'identity-parser',
  labelHandlingPolicy: 'ignore',
} as const;

describe('a server that is killed during writes', () => {
  let dataDir: string;
  let server: ServerProcess;
  let datasetId: string;
  const acknowledged = new Map<string, TestRecord[]>();
  /** Batches whose records were all replaced, and whether the replacement was acknowledged. */
  const replaced = new Map<string, 'sent' | 'acknowledged'>();

  const signIn = async (email: string): Promise<ApiClient> => {
    const { accessToken } = await createApiClient({ baseUrl: server.url }).authenticate({
      body: { strategy: 'local', email, password },
    });
    return createApiClient({ baseUrl: server.url, token: accessToken });
  };

  const readAll = async (client: ApiClient): Promise<StoredRecord[]> => {
    const { records } = await client.readInSequence({
      body: { datasetId, startingRecordId: '', batchSize: -1, includeInternalFields: true },
    });
    return records as unknown as StoredRecord[];
  };

  before(async () => {
    dataDir = await migrateDataFolder(await mkdtemp(join(tmpdir(), 'redoubt-crash-')));
    server = await startServerProcess({ dataDir, environment: { LOG_LEVEL: 'error' } });
    const anybody = createApiClient({ baseUrl: server.url });
    const names = { firstName: 'Kim', lastName: 'Test', password };
    await anybody.createUser({ body: { ...names, email: 'admin@crash.example' } });
    const admin = await signIn('admin@crash.example');
    await admin.createWorkspace({ body: { name: 'Crash' } });
    const reader = await admin.createUser({
      body: { ...names, email: 'reader@crash.example', workspaceId: 'crash' },
    });
    for (const token of ['A', 'B']) {
      const attribute = await admin.createAttribute({ body: { name: token, token } });
      await admin.createAttributeAssignment({ body: { attributeId: attribute.id, userId: reader.id } });
    }
    const group = await admin.createGroup({ body: { name: 'Readers', workspaceId: 'crash' } });
    await admin.createGroupMembership({ body: { groupId: group.id, userId: reader.id, role: 'member' } });
    const dataset = await admin.createDataset({ body: { name: 'Batches', workspaceId: 'crash' } });
    datasetId = dataset.id;
    for (const action of ['read', 'write'] as const) {
      await admin.createDatasetPermission({ body: { action, datasetId, groupId: group.id } });
    }
  });

  after(async () => {
    await server.kill();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Writes new batches, and sometimes replaces a whole earlier one, until the server is killed. */
  const writeUntilKilled = async (
    client: ApiClient,
    name: string,
    settled: StoredRecord[],
    onResponse: () => void,
  ): Promise<void> => {
    for (let count = 0; ; count++) {
      const batch = `${name}.${count}`;
      const records = makeBatch(batch);
      const earlier =
        count % 2 === 1
          ? settled.find(({ batch, version }) => version === 0 && !replaced.has(batch))?.batch
          : undefined;
      const replacing = earlier !== undefined;
      const rows = replacing
        ? settled
            .filter((row) => row.batch === earlier)
            .map(({ _koverse_security_label: _label, ...row }) => ({ ...row, version: 1 }))
        : [];
      try {
        if (replacing) {
          replaced.set(earlier, 'sent');
          await client.writeRecords({
            params: { datasetId },
            query: { isAsync: false },
            body: rows,
          });
          replaced.set(earlier, 'acknowledged');
        } else {
          await client.writeRecordsV2({
            params: { datasetId },
            query: { isAsync: count % 2 === 0 },
            body: { records: records.map((mark) => ({ ...mark })), securityLabelInfo },
          });
          acknowledged.set(batch, records);
        }
        onResponse();
      } catch (error) {
        // The kill closes the connection; an error response of the server is a failure of the test.
        if (error instanceof Error && error.name !== 'HttpClientError') throw error;
        return;
      }
    }
  };

  const checkStored = (stored: StoredRecord[]): void => {
    const byBatch = Map.groupBy(stored, ({ batch }) => batch);
    for (const [batch, rows] of byBatch) {
      const first = rows[0];
      ok(first !== undefined);
      equal(rows.length, first.size, `batch ${batch} is incomplete or duplicated`);
      deepEqual(
        rows.map(({ index }) => index).toSorted((a, b) => a - b),
        rows.map((_, index) => index),
        `batch ${batch} contains a record twice`,
      );
      const versions = new Set(rows.map(({ version }) => version));
      equal(versions.size, 1, `batch ${batch} was partly replaced`);
      for (const { label, _koverse_security_label: kept } of rows) {
        equal(kept, label, `a record of batch ${batch} has lost its label`);
      }
    }
    for (const batch of acknowledged.keys())
      ok(byBatch.has(batch), `the acknowledged batch ${batch} is lost`);
    for (const [batch, state] of replaced) {
      if (state === 'acknowledged') {
        equal(byBatch.get(batch)?.[0]?.version, 1, `the acknowledged replacement of ${batch} is lost`);
      }
    }
  };

  test('after kills at random times, every acknowledged batch is stored once and completely with its labels, and no other in part', async () => {
    // In a few rounds, by chance, no replacement may have begun before the kill.
    const isEnough = (round: number): boolean =>
      round >= rounds && (replaced.size > 0 || round >= rounds + moreRounds);
    for (let round = 0; !isEnough(round); round++) {
      const client = await signIn('reader@crash.example');
      const settled = await readAll(client);
      const first = Promise.withResolvers<void>();
      const work = Array.from({ length: writers }, (_, index) =>
        writeUntilKilled(
          client,
          `${round}.${index}`,
          settled.filter(({ batch }) => batch.split('.')[1] === String(index)),
          first.resolve,
        ),
      );
      if (round % 2 === 0) await Promise.race([first.promise, Promise.all(work)]);
      await delay(Math.random() * maxRoundMilliseconds);
      await server.kill();
      await Promise.all(work);
      server = await startServerProcess({ dataDir, environment: { LOG_LEVEL: 'error' } });
      checkStored(await readAll(await signIn('reader@crash.example')));
    }
    ok(acknowledged.size > 0, 'no batch was acknowledged in any round');
    ok(replaced.size > 0, 'no batch was replaced in any round');
  });
});

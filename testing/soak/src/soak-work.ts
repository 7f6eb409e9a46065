import type { Job } from '@redoubt/contract';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyOf, labelField, multipartBody, type RecordFixture } from '@redoubt/testkit';
import { anyWord, fileOf, largeRecord, smallRecord } from './soak-records.ts';

/**
 * One kind of work; each call does it once. It removes or replaces everything that it stores, so the amount of data
 * stays the same.
 */
export type SoakWork = Readonly<Record<string, () => Promise<void>>>;

const smallBatch = 500;
/** The size of large records, as a fraction of the largest. */
const largeParts = [1 / 6, 1 / 2, 1];
const jobPollMs = 100;
const fileRows = 5000;
const rowsPerPage = 100;

/** The amount of stored data, which stays the same. */
export interface SoakSize {
  smallBatches: number;
  largeRecords: number;
  /** Bytes of the largest record. */
  largestBytes: number;
}

const limitMessage = /reached a limit of this server on time, memory or rows/;

/**
 * Stores the data of a soak.
 * @returns the work that is done on it
 */
export const prepareSoak = async (fixture: RecordFixture, size: SoakSize): Promise<SoakWork> => {
  const token = await fixture.reader('A', 'B');
  const actions = ['read', 'write', 'manage'] as const;
  const [small, large] = [await fixture.dataset(actions), await fixture.dataset(actions)];

  const write = async (datasetId: string, records: readonly unknown[]): Promise<void> => {
    bodyOf(200, await fixture.write(datasetId, records, { labelInfo: labelField, token }));
  };
  const post = async (path: string, body: unknown): Promise<string> => {
    const response = await fixture.post(path, JSON.stringify(body), { token });
    // A query that reaches a limit of the server is expected here, and no error.
    if (response.status === 400 && limitMessage.test(response.text)) return '{"records":[]}';
    if (response.status !== 200)
      throw new Error(`POST ${path} answered ${response.status}: ${response.text}`);
    return response.text;
  };
  const finish = async (path: string, body: unknown, method: 'POST' | 'PATCH' = 'POST'): Promise<void> => {
    await finishJob(path, await fixture.call<Job>(202, method, path, { token, body }));
  };
  const finishJob = async (path: string, started: Pick<Job, 'id' | 'status' | 'error'>): Promise<void> => {
    let job = started;
    while (job.status === 'queued' || job.status === 'running') {
      await sleep(jobPollMs);
      job = await fixture.call<Job>(200, 'GET', `/jobs/${job.id}`, { token });
    }
    if (job.status !== 'completed')
      throw new Error(`The job of ${path} is ${job.status}: ${String(job.error?.message)}`);
  };
  const sendFile = async (path: string, status: number, datasetId?: string): Promise<string> => {
    const { body, headers } = multipartBody([
      ...(datasetId === undefined ? [] : [{ name: 'datasetId', content: datasetId }]),
      { name: 'files', fileName: 'rows.csv', content: fileOf(fileRows) },
    ]);
    const answer = await fixture.post(path, body, { headers, token });
    if (answer.status !== status) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
    return answer.text;
  };
  const read = async (datasetId: string, batchSize: number, startingRecordId = ''): Promise<string> =>
    post('/readInSequence', { datasetId, batchSize, startingRecordId, includeInternalFields: true });
  const stored = async (datasetId: string, batchSize: number): Promise<Record<string, unknown>[]> =>
    (JSON.parse(await read(datasetId, batchSize)) as { records: Record<string, unknown>[] }).records;
  const search = (datasetId: string, expression: string, limit: number): Promise<string> =>
    post('/query/lucene', { datasetId, expression, limit });
  const sql = (expression: string): Promise<string> => post('/query', { expression, limit: 1000 });

  const uploaded = await fixture.dataset(actions);

  let batches = 0;
  const writeSmall = async (): Promise<void> => {
    batches += 1;
    const batch = `b${batches}`;
    await write(
      small,
      Array.from({ length: smallBatch }, (_, index) => smallRecord(batch, index)),
    );
  };
  let texts = 0;
  const nextLarge = (): Record<string, unknown> => {
    texts += 1;
    return largeRecord(`t${texts}`, size.largestBytes * (largeParts[texts % largeParts.length] as number));
  };
  for (let count = 0; count < size.smallBatches; count += 1) await writeSmall();
  for (let count = 0; count < size.largeRecords; count += 1) await write(large, [nextLarge()]);

  const [fromSmall, fromLarge] = [`FROM "${small}"`, `FROM "${large}"`];
  return {
    'write and delete small records': async () => {
      await writeSmall();
      const query = `batch:b${batches - size.smallBatches}`;
      await finish(`/storage/datasets/${small}/deleteRecords/query`, { query });
    },
    'replace small records': async () => {
      const records = await stored(small, 200);
      const replacements = records.map(({ _koverse_record_id: id }, index) => ({
        ...smallRecord(String(records[index]?.['batch']), index),
        _koverse_record_id: id,
      }));
      await writeUnlessGone(() => write(small, replacements));
    },
    'write and delete a large record': async () => {
      const [oldest] = await stored(large, 1);
      await write(large, [nextLarge()]);
      const recordIds = [oldest?.['_koverse_record_id']];
      await finish(`/storage/datasets/${large}/deleteRecords`, { recordIds });
    },
    'replace a large record': async () => {
      const records = await stored(large, 2);
      const id = records.at(-1)?.['_koverse_record_id'];
      await writeUnlessGone(() => write(large, [{ ...nextLarge(), _koverse_record_id: id }]));
    },
    'relabel records': () =>
      finish(`/storage/datasets/${small}/labels`, { label: 'A', query: `note:${anyWord()}` }, 'PATCH'),
    'read everything': async () => {
      await read(small, -1);
      await read(large, -1);
    },
    'search by words': async () => {
      await search(small, `note:${anyWord()} OR ${anyWord()}`, 100);
      await search(small, `score:[100 TO 400] AND city:oslo AND NOT tags:${anyWord()}`, 100);
      await search(large, anyWord(), 2);
    },
    'ask in SQL': async () => {
      await sql(`SELECT city, count(*) AS n, avg(score) AS a ${fromSmall} GROUP BY city ORDER BY n DESC`);
      await sql(`SELECT batch, max(score) AS s ${fromSmall} WHERE count > 50 GROUP BY batch ORDER BY s`);
      await sql(
        `SELECT a.batch, a.index, b.score ${fromSmall} a JOIN "${small}" b ON a.index = b.index AND a.batch = b.batch ORDER BY b.score LIMIT 500`,
      );
      await sql(`SELECT batch, length(text) AS n ${fromLarge} ORDER BY n DESC`);
    },
    'upload and clear a file': async () => {
      const { jobId } = JSON.parse(await sendFile('/uploads', 201, uploaded)) as { jobId: string };
      await finishJob('/uploads', { id: jobId, status: 'queued', error: null });
      await finish(`/storage/datasets/${uploaded}/clear`, undefined);
    },
    'preview a file': async () => {
      await sendFile('/uploads/preview', 200);
    },
    'look at rows': async () => {
      const path = `/datasets/${small}`;
      const view = {
        lucene: `note:${anyWord()} OR count:[10 TO 60]`,
        sort: [{ field: 'score', direction: 'ascending' }],
      };
      const page = await post(`${path}/rows`, { ...view, limit: rowsPerPage });
      const { view: id } = JSON.parse(page) as { view?: string | null };
      if (typeof id === 'string')
        await post(`${path}/rows`, { ...view, view: id, offset: rowsPerPage, limit: rowsPerPage });
      await post(`${path}/profiles`, { fields: ['city', 'score', 'count', 'batch'] });
      await post(`${path}/values`, { field: 'city', prefix: '', limit: 10 });
    },
    'make, fill, clear and drop a dataset': async () => {
      const id = await fixture.dataset(actions);
      await write(
        id,
        Array.from({ length: smallBatch }, (_, index) => smallRecord('once', index)),
      );
      await write(id, [nextLarge()]);
      await search(id, `note:${anyWord()}`, 10);
      await finish(`/storage/datasets/${id}/clear`, undefined);
      await fixture.call(200, 'DELETE', `/datasets/${id}`);
    },
  };
};

/** A record that was just deleted cannot be replaced; this error is expected. */
const writeUnlessGone = async (write: () => Promise<void>): Promise<void> => {
  try {
    await write();
  } catch (error) {
    if (!/"name":"NotFoundError"/.test(String(error))) throw error;
  }
};

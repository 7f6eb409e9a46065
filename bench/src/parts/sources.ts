import { execFile } from 'node:child_process';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ingestLabels, writeIngestFiles } from '../files/ingest-files.ts';
import type { PartContext } from '../fixture.ts';
import type { BenchServer, Dataset } from '../ours/bench-server.ts';
import { waitForJob } from '../ours/jobs.ts';
import { labelOfRow, uploadFile, uploadFiles } from '../ours/upload.ts';
import type { Report } from '../report/report.ts';
import { formatCount } from '../report/statistics.ts';
import { fillTopic } from '../sources/topic.ts';

const rounds = 2;
const wantedOfUpload = 0.6;
const wantedOfTesseract = 0.8;
const pages = 40;
const scan = join(import.meta.dirname, '../../../testdata/scans/phototest.tif');

/**
 * Measures jobs that read a Kafka topic, against the upload of the same rows as NDJSON. Then it measures text recognition
 * against the tesseract program.
 */
export async function measureSources({ options, report, folder, server }: PartContext): Promise<void> {
  const own = join(folder, 'sources');
  await mkdir(own);
  try {
    const dataset = await server.createDataset('Sources', ingestLabels);
    const files = await writeIngestFiles(own, options.records, () => Promise.resolve());
    const measure = (work: (target: string) => Promise<number>, expected = files.rows): Promise<number> =>
      measureJobs({ server, dataset, repeated: options.pace.times(rounds, 1), expected }, work);
    const upload = await measure((target) => uploadFile(server, target, files.pathOf('ndjson')));
    const addToReport = (what: string, ours: number, ratio: string, target?: boolean): void =>
      report.add({
        what,
        ours: perSecond(files.rows, ours),
        ratio,
        ...(target !== undefined && { target: `≥ ${wantedOfUpload}`, reached: target }),
      });
    addToReport('upload of ndjson', upload, '');
    // A broker takes longer to start than everything else at the quick pace.
    if (options.pace.waitsForIdle) {
      const topic = await fillTopic(files.pathOf('ndjson'));
      if ('missing' in topic) report.note(`Kafka: not measured, since ${topic.missing}`);
      else {
        const info = { bootstrapServers: `127.0.0.1:${String(topic.port)}`, topics: [topic.name] };
        const more = { format: 'json', tls: false, until: 'end' };
        const read = await measure((target) => ingestTopic(server, target, { ...info, ...more }));
        await topic.stop();
        const ratio = upload / read;
        addToReport('Kafka topic', read, `${ratio.toFixed(2)} of the upload`, ratio >= wantedOfUpload);
      }
    }
    await measureRecognition({ server, report, own, measure }, options.pace.times(pages, 2));
  } finally {
    await rm(own, { recursive: true });
  }
}

const perSecond = (count: number, milliseconds: number): string =>
  `${formatCount((count / milliseconds) * 1000)} rows/s`;

type Measure = (work: (target: string) => Promise<number>, expected?: number) => Promise<number>;

/** Runs a job several times, each time into a new dataset. @returns the milliseconds of the fastest */
async function measureJobs(
  {
    server,
    dataset,
    repeated,
    expected,
  }: { server: BenchServer; dataset: Dataset; repeated: number; expected: number },
  work: (target: string) => Promise<number>,
): Promise<number> {
  let best = Infinity;
  for (let round = 0; round < repeated; round++) {
    await server.waitUntilIdle();
    const target = await server.createAnother(`Target ${String(round)}`, dataset);
    const start = performance.now();
    const stored = await work(target.id);
    best = Math.min(best, performance.now() - start);
    if (stored !== expected)
      throw new Error(`Redoubt stored ${String(stored)} of ${String(expected)} records.`);
    await server.deleteDataset(target.id);
  }
  return best;
}

async function ingestTopic(server: BenchServer, datasetId: string, connectionInfo: object): Promise<number> {
  const dataSourceParams = { type: 'KAFKA', connectionInfo };
  const body = JSON.stringify({ datasetId, ...labelOfRow, dataSourceParams });
  const http = server.writer(1);
  try {
    const started = await http.post('/ingest?isAsync=true', body);
    return (await waitForJob(http, started)).recordCount ?? 0;
  } finally {
    http.close();
  }
}

interface Measured {
  server: BenchServer;
  report: Report;
  own: string;
  measure: Measure;
}

async function measureRecognition({ server, report, own, measure }: Measured, count: number): Promise<void> {
  const paths = Array.from({ length: count }, (_, index) => join(own, `page-${String(index)}.tif`));
  for (const path of paths) await copyFile(scan, path);
  const perMinute = (milliseconds: number): string =>
    `${formatCount((count / milliseconds) * 60_000)} pages/min`;
  const ours = await measure(
    (target) => uploadFiles(server, target, paths, { processAsDocument: 'true' }),
    count,
  );
  const alone = await recogniseAlone(paths);
  const ratio = alone === undefined ? undefined : alone / ours;
  report.add({
    what: 'text recognition',
    ours: perMinute(ours),
    ...(ratio !== undefined && {
      ratio: `${ratio.toFixed(2)} of the program`,
      target: `≥ ${wantedOfTesseract}`,
      reached: ratio >= wantedOfTesseract,
    }),
  });
  report.note(
    alone === undefined
      ? 'text recognition: the program tesseract is not installed, so the server used its library.'
      : `text recognition: tesseract alone ${perMinute(alone)}, one page after the other, with one thread as the server.`,
  );
}

/** @returns the milliseconds of the program for all files; undefined if it is not installed */
async function recogniseAlone(paths: readonly string[]): Promise<number | undefined> {
  const run = promisify(execFile);
  const env = { ...process.env, OMP_THREAD_LIMIT: '1' };
  const start = performance.now();
  try {
    for (const path of paths) await run('tesseract', [path, 'stdout', '--psm', '1', 'tsv'], { env });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
    throw error;
  }
  return performance.now() - start;
}

import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startChdb } from '../chdb/chdb.ts';
import { copyRecords } from '../chdb/copy-records.ts';
import { ingestFormats, ingestLabels, writeIngestFiles } from '../files/ingest-files.ts';
import type { PartContext } from '../fixture.ts';
import type { BenchServer } from '../ours/bench-server.ts';
import { uploadFile } from '../ours/upload.ts';
import { copyCsvFile } from '../postgres/copy-file.ts';
import { cpuSeconds, residentMegabytes } from '../process-metrics.ts';
import { formatCount } from '../report/statistics.ts';

const rounds = 2;
const wantedOfChdb = 0.5;
const wantedOfPostgres = 2;
const sampleMilliseconds = 250;

/**
 * Measures uploads of files by `POST /uploads`, until their job has ended. The other contenders are the bare engine,
 * with `INSERT … SELECT FROM file()` into the same kind of table including its words, and PostgreSQL, with COPY into a
 * table with a word index.
 */
export async function measureIngest(
  { options, report, folder, server }: PartContext,
  postgresUrl: string | undefined,
): Promise<void> {
  const own = join(folder, 'ingest');
  await mkdir(own, { mode: 0o755 });
  const chdb = startChdb(options.pace);
  try {
    const dataset = await server.createDataset('Ingest', ingestLabels);
    const copy = join(own, 'chdb');
    await copyRecords(server, dataset.id, copy);
    await chdb.open(copy);
    const files = await writeIngestFiles(own, options.records, (ndjson, parquet) =>
      chdb.convertFile(ndjson, parquet),
    );
    const repeated = options.pace.times(rounds, 1);
    const copied =
      postgresUrl === undefined
        ? undefined
        : Math.min(
            ...(await copyCsvFile(postgresUrl, files.pathOf('csv'), { rows: files.rows, rounds: repeated })),
          );
    for (const format of ingestFormats) {
      const path = files.pathOf(format);
      const ours: { milliseconds: number; cpu: number; growth: number }[] = [];
      const alone: number[] = [];
      for (let round = 0; round < repeated; round++) {
        await chdb.waitUntilIdle();
        alone.push(await chdb.insertFile(dataset.id, path, files.rows));
        await server.waitUntilIdle();
        const target = await server.createAnother(`Ingest of ${format}, ${String(round)}`, dataset);
        ours.push(await measureUpload(server, target, path, files.rows));
        await server.deleteDataset(target.id);
      }
      const best = Math.min(...ours.map(({ milliseconds }) => milliseconds));
      const ratio = Math.min(...alone) / best;
      const rate = (milliseconds: number): string =>
        `${formatCount((files.rows / milliseconds) * 1000)} rows/s`;
      report.add({
        what: `upload of ${format}`,
        ours: rate(best),
        chdb: rate(Math.min(...alone)),
        ...(copied === undefined ? {} : { postgres: rate(copied) }),
        ratio:
          copied === undefined
            ? `${ratio.toFixed(2)} of chdb`
            : `${ratio.toFixed(2)} of chdb, ${(copied / best).toFixed(1)} × PostgreSQL`,
        target: `≥ ${wantedOfChdb}, ${wantedOfPostgres} ×`,
        reached: ratio >= wantedOfChdb && (copied === undefined || copied / best >= wantedOfPostgres),
      });
      report.note(
        `upload of ${format}: ${((await files.sizeOf(format)) / 1e6).toFixed(0)} MB; ours ${ours
          .map(
            ({ milliseconds, cpu, growth }) =>
              `${(milliseconds / 1000).toFixed(1)} s (${cpu.toFixed(1)} s of the server's CPU time, its memory grew by up to ${growth.toFixed(0)} MB)`,
          )
          .join(', ')}; chdb alone ${alone.map((each) => `${(each / 1000).toFixed(1)} s`).join(', ')}.`,
      );
    }
  } finally {
    await chdb.stop();
    await rm(own, { recursive: true });
  }
}

/** Uploads a file. Measures the time, the CPU time of the server, and the growth of its memory during the upload. */
async function measureUpload(
  server: BenchServer,
  dataset: { id: string },
  path: string,
  rows: number,
): Promise<{ milliseconds: number; cpu: number; growth: number }> {
  const before = residentMegabytes(server.pid());
  const cpuBefore = cpuSeconds(server.pid());
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, residentMegabytes(server.pid()));
  }, sampleMilliseconds);
  const start = performance.now();
  try {
    const stored = await uploadFile(server, dataset.id, path);
    if (stored !== rows) throw new Error(`Redoubt stored ${String(stored)} of ${String(rows)} rows.`);
  } finally {
    clearInterval(sampling);
  }
  return {
    milliseconds: performance.now() - start,
    cpu: cpuSeconds(server.pid()) - cpuBefore,
    growth: most - before,
  };
}

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Search } from '../searches.ts';
import { searchesOf } from '../searches.ts';
import { writeReferenceStatement, labelPredicate } from '../chdb/statements.ts';
import type { PostgresKind, PostgresContender } from '../postgres/postgres.ts';
import { runInTurns } from '../run-in-turns.ts';
import { formatCount, formatMilliseconds, median } from '../report/statistics.ts';
import type { BenchFixture } from '../fixture.ts';

interface SearchResult {
  milliseconds: number;
  total: number;
  rows: number;
}

interface Contender {
  name: 'ours' | 'chdb' | 'chdb in turn' | PostgresKind;
  run: () => Promise<SearchResult>;
  times: number[];
}

const warmUps = 3;
/** After `minRuns` runs of a search, a contender that has used this time for them does not run it again. */
const timeoutMilliseconds = 20_000;
const minRuns = 5;

/**
 * Measures searches over HTTP by the reader of about half the labels, against the bare engine and PostgreSQL with the
 * same results.
 */
export async function measureSearches(fixture: BenchFixture): Promise<void> {
  const { chdb, dataset, server } = fixture;
  if (fixture.postgres !== undefined) await loadPostgres(fixture, fixture.postgres);
  await Promise.all([server.waitUntilIdle(), chdb.waitUntilIdle()]);
  const http = server.reader(dataset.half);
  const context = {
    datasetId: dataset.id,
    labels: labelPredicate(fixture.visible),
  };

  async function searchOurs({ expression }: Search): Promise<SearchResult> {
    const start = performance.now();
    const body = await http.post(
      '/query/lucene',
      JSON.stringify({ datasetId: dataset.id, expression, limit: 10 }),
    );
    const milliseconds = performance.now() - start;
    const { total, records } = JSON.parse(body.toString()) as { total: number; records: unknown[] };
    return { milliseconds, total, rows: records.length };
  }

  for (const search of searchesOf(fixture.records)) {
    const { rows, count } = writeReferenceStatement(search, context);
    const { postgres } = fixture;
    const contenders: Contender[] = [
      { name: 'ours', run: () => searchOurs(search), times: [] },
      { name: 'chdb', run: () => chdb.search(rows, count, true), times: [] },
      { name: 'chdb in turn', run: () => chdb.search(rows, count, false), times: [] },
    ];
    if (postgres !== undefined)
      for (const kind of ['indexed', 'plain'] as const)
        contenders.push({ name: kind, run: () => postgres.search(kind, search), times: [] });
    const total = await warmUp(search, contenders);
    await runInTurns(contenders, {
      runs: fixture.options.runs,
      minRuns,
      timeoutMilliseconds,
    });
    reportSearch(fixture, search, total, new Map(contenders.map(({ name, times }) => [name, times])));
  }
  http.close();
}

/** Loads the same records into PostgreSQL, with the same reader. */
async function loadPostgres(
  { chdb, dataset, folder, name, records, report, visible }: BenchFixture,
  postgres: PostgresContender,
): Promise<void> {
  console.log(`${name}: loading PostgreSQL`);
  const file = join(folder, 'records.tsv');
  await chdb.writeFile(dataset.id, file);
  const milliseconds = await postgres.load(file);
  await rm(file);
  report.note(
    `${name}: PostgreSQL's COPY took ${formatCount((records.count / milliseconds) * 1000)} records/s.`,
  );
  await postgres.setVisible(visible);
}

/** Runs each contender a few times and checks that all results are equal. @returns the number of matches */
async function warmUp(search: Search, contenders: readonly Contender[]): Promise<number> {
  const totals = new Map<string, string>();
  let found = 0;
  for (const { name, run } of contenders) {
    for (let count = 0; count < warmUps; count++) {
      const { total, rows } = await run();
      totals.set(name, `${total} with ${rows} shown`);
      found = total;
    }
  }
  if (new Set(totals.values()).size !== 1)
    throw new Error(
      `The results of "${search.expression}" differ: ${JSON.stringify(Object.fromEntries(totals))}.`,
    );
  return found;
}

function reportSearch(
  { name, report }: BenchFixture,
  search: Search,
  total: number,
  times: ReadonlyMap<Contender['name'], readonly number[]>,
): void {
  const medianOf = (contender: Contender['name']): number => median(times.get(contender) ?? []);
  const what = `${search.name}, ${name}`;
  const ours = medianOf('ours');
  const chdb = Math.min(medianOf('chdb'), medianOf('chdb in turn'));
  report.add({
    what: `search: ${what}`,
    ours: formatMilliseconds(ours),
    chdb: formatMilliseconds(chdb),
    ratio: `${(ours / chdb).toFixed(2)} × chdb`,
    target: `≤ ${formatMilliseconds(1.3 * chdb + 3)} (1.3 × chdb + 3 ms)`,
    reached: ours <= 1.3 * chdb + 3,
  });
  const hasPostgres = times.has('plain');
  if (hasPostgres) {
    const plain = medianOf('plain');
    report.add({
      what: `search: ${what}`,
      ours: formatMilliseconds(ours),
      postgres: formatMilliseconds(plain),
      ratio: `${(plain / ours).toFixed(1)} times faster`,
      target: '≥ 5 times faster',
      reached: plain >= 5 * ours,
    });
    const indexed = medianOf('indexed');
    report.note(
      `${what}: PostgreSQL with columns and indexes made for it, and text search declared leakproof, ${formatMilliseconds(indexed)} (ours ${(indexed / ours).toFixed(1)} times as fast).`,
    );
  }
  const fewestRuns = Math.min(...[...times.values()].map(({ length }) => length));
  report.note(`${what}: ${search.expression}, ${total} matches, medians of ${fewestRuns} runs or more.`);
}

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Search } from '../searches.ts';
import { searchesOf } from '../searches.ts';
import { writeReferenceStatement, labelPredicate } from '../chdb/statements.ts';
import type { PostgresKind, PostgresContender } from '../postgres/postgres.ts';
import { runInTurns } from '../run-in-turns.ts';
import { formatCount, formatMilliseconds, median } from '../report/statistics.ts';
import type { Stage } from '../stage.ts';

interface Answer {
  milliseconds: number;
  total: number;
  rows: number;
}

interface Contender {
  name: 'ours' | 'chdb' | 'chdb in turn' | PostgresKind;
  ask: () => Promise<Answer>;
  times: number[];
}

const warmUps = 3;
/** A contender that has taken so long for one search is not asked again, once it has run a few times. */
const patienceMilliseconds = 20_000;
const fewestRuns = 5;

/** Searches over HTTP by the reader of about half the labels, against the same answers of the engine alone and PostgreSQL. */
export async function measureSearches(stage: Stage): Promise<void> {
  const { chdb, dataset, house } = stage;
  if (stage.postgres !== undefined) await loadPostgres(stage, stage.postgres);
  await Promise.all([house.waitUntilIdle(), chdb.waitUntilIdle()]);
  const http = house.reader(dataset.half);
  const context = {
    datasetId: dataset.id,
    labels: labelPredicate(stage.visible),
  };

  async function askOurs({ expression }: Search): Promise<Answer> {
    const start = performance.now();
    const body = await http.post(
      '/query/lucene',
      JSON.stringify({ datasetId: dataset.id, expression, limit: 10 }),
    );
    const milliseconds = performance.now() - start;
    const { total, records } = JSON.parse(body.toString()) as { total: number; records: unknown[] };
    return { milliseconds, total, rows: records.length };
  }

  for (const search of searchesOf(stage.records)) {
    const { rows, count } = writeReferenceStatement(search, context);
    const { postgres } = stage;
    const contenders: Contender[] = [
      { name: 'ours', ask: () => askOurs(search), times: [] },
      { name: 'chdb', ask: () => chdb.search(rows, count, true), times: [] },
      { name: 'chdb in turn', ask: () => chdb.search(rows, count, false), times: [] },
    ];
    if (postgres !== undefined)
      for (const kind of ['indexed', 'plain'] as const)
        contenders.push({ name: kind, ask: () => postgres.search(kind, search), times: [] });
    const total = await warmUp(search, contenders);
    await runInTurns(contenders, {
      runs: stage.options.runs,
      fewest: fewestRuns,
      patience: patienceMilliseconds,
    });
    reportSearch(stage, search, total, new Map(contenders.map(({ name, times }) => [name, times])));
  }
  http.close();
}

/** Gives PostgreSQL the same records, and the same reader. */
async function loadPostgres(
  { chdb, dataset, folder, name, records, report, visible }: Stage,
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
  await postgres.see(visible);
}

/** Runs each a few times, and makes sure that all answer the same. Gives the number of matches. */
async function warmUp(search: Search, contenders: readonly Contender[]): Promise<number> {
  const totals = new Map<string, string>();
  let found = 0;
  for (const { name, ask } of contenders) {
    for (let count = 0; count < warmUps; count++) {
      const { total, rows } = await ask();
      totals.set(name, `${total} with ${rows} shown`);
      found = total;
    }
  }
  if (new Set(totals.values()).size !== 1)
    throw new Error(
      `The answers to "${search.expression}" differ: ${JSON.stringify(Object.fromEntries(totals))}.`,
    );
  return found;
}

function reportSearch(
  { name, report }: Stage,
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
  const fewest = Math.min(...[...times.values()].map(({ length }) => length));
  report.note(`${what}: ${search.expression}, ${total} matches, medians of ${fewest} runs or more.`);
}

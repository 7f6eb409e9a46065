import { createContenders, requireSameResults, type EngineName } from '../hits/contenders.ts';
import { shareNames, type VisibleShare } from '../hits/hits-labels.ts';
import type { HitsReader, HitsFixture } from '../hits/hits-fixture.ts';
import { hitsQueries, type HitsQuery } from '../hits/queries.ts';
import { runInTurns } from '../run-in-turns.ts';
import type { Report } from '../report/report.ts';
import { formatCount, formatMilliseconds, median } from '../report/statistics.ts';

/** The medians of one query by one reader, in milliseconds. */
export interface MeasuredQuery {
  readonly query: HitsQuery;
  readonly medians: Readonly<Record<Exclude<EngineName, 'postgres'>, number>> & {
    readonly postgres: number | undefined;
  };
}

/** An engine that has used this time for one query does not run it again. */
const timeoutMilliseconds = 15_000;
const minRuns = 1;
/**
 * How often fast queries run on Redoubt before the measurements. It was just restarted, and a server in use has already
 * compiled its JavaScript.
 */
const warmUps = 100;
const fastMilliseconds = 60;
const maxRatioToChdb = 1.15;
const extraMilliseconds = 2;
const fasterThanPostgres = 10;

/** Measures thirty analytical queries by three readers, in four engines with the same records. */
export async function measureHits(
  fixture: HitsFixture,
  report: Report,
  runs: number,
): Promise<readonly MeasuredQuery[]> {
  const measured = new Map<VisibleShare, MeasuredQuery[]>();
  await warmUp(fixture);
  const labels = `${formatCount(fixture.labels.count)} labels`;
  for (const reader of fixture.readers) {
    const what = `${labels}, a reader of ${shareNames[reader.share]}`;
    const found = await measureReader(fixture, reader, runs, (one) => reportQuery(report, what, one));
    measured.set(reader.share, found);
    reportTogether(report, what, found);
  }
  reportShares(report, labels, measured.get('all') ?? [], measured.get('trace') ?? []);
  return [...measured.values()].flat();
}

/** Warms up Redoubt with all readers. The other engines do not compile code at run time. */
async function warmUp(fixture: HitsFixture): Promise<void> {
  const all: Awaited<ReturnType<typeof createContenders>>[] = [];
  for (const reader of fixture.readers) all.push(await createContenders(fixture, reader));
  for (const query of hitsQueries(fixture.records)) {
    const ours = all.flatMap(({ of }) => of(query).filter(({ name }) => name === 'ours'));
    const maxTimes = fixture.server.pace.times(warmUps / ours.length);
    for (const { run } of ours) {
      // The first run is slower, so it does not show whether the query is fast.
      for (let time = 0, isFast = true; time < maxTimes && isFast; time++) {
        const { milliseconds } = await run();
        isFast = time === 0 || milliseconds < fastMilliseconds;
      }
    }
  }
  for (const { close } of all) close();
}

async function measureReader(
  fixture: HitsFixture,
  reader: HitsReader,
  runs: number,
  onQuery: (one: MeasuredQuery) => void,
): Promise<MeasuredQuery[]> {
  const contenders = await createContenders(fixture, reader);
  await Promise.all([fixture.server.waitUntilIdle(), fixture.chdb.waitUntilIdle()]);
  const measured: MeasuredQuery[] = [];
  for (const query of hitsQueries(fixture.records)) {
    const engines = contenders.of(query);
    await requireSameResults(query, engines);
    const entries = engines.map((contender) => ({ ...contender, times: [] as number[] }));
    await runInTurns(entries, { runs, minRuns, timeoutMilliseconds });
    const times = new Map(entries.map(({ name, times: taken }) => [name, taken]));
    const medianOf = (name: EngineName): number => median(times.get(name) ?? []);
    const one = {
      query,
      medians: {
        ours: medianOf('ours'),
        chdb: medianOf('chdb'),
        duckDb: medianOf('duckDb'),
        postgres: times.has('postgres') ? medianOf('postgres') : undefined,
      },
    };
    measured.push(one);
    onQuery(one);
  }
  contenders.close();
  return measured;
}

const isWithin = ({ medians: { ours, chdb } }: MeasuredQuery): boolean =>
  ours <= maxRatioToChdb * chdb + extraMilliseconds;

function reportQuery(report: Report, what: string, one: MeasuredQuery): void {
  const { ours, chdb, duckDb, postgres } = one.medians;
  report.add({
    what: `query ${String(one.query.number)}, ${what}`,
    ours: formatMilliseconds(ours),
    chdb: formatMilliseconds(chdb),
    duckDb: formatMilliseconds(duckDb),
    ...(postgres === undefined ? {} : { postgres: formatMilliseconds(postgres) }),
    ratio: `${(ours / chdb).toFixed(2)} × chdb`,
    target: `≤ ${formatMilliseconds(maxRatioToChdb * chdb + extraMilliseconds)}`,
    reached: isWithin(one),
  });
}

/** Reports the targets for the total time of several queries: those of one reader, or of all readers. */
export function reportTogether(report: Report, what: string, measured: readonly MeasuredQuery[]): void {
  const timesOf = (some: readonly MeasuredQuery[], name: EngineName): number =>
    sum(some.map(({ medians }) => medians[name] ?? 0));
  const ratios = measured.map(({ medians }) => (medians.ours - extraMilliseconds) / medians.chdb);
  report.add({
    what: `${formatCount(measured.length)} queries, ${what}`,
    ours: formatMilliseconds(timesOf(measured, 'ours')),
    chdb: formatMilliseconds(timesOf(measured, 'chdb')),
    duckDb: formatMilliseconds(timesOf(measured, 'duckDb')),
    ratio: `median ${median(ratios).toFixed(2)} × chdb + 2 ms, ${String(measured.filter(isWithin).length)} within`,
    target: `≤ ${String(maxRatioToChdb)} × chdb + 2 ms`,
    reached: median(ratios) <= maxRatioToChdb,
  });
  const aggregates = measured.filter(
    ({ query, medians }) => query.gives === 'aggregates' && medians.postgres !== undefined,
  );
  if (aggregates.length === 0) return;
  const overPostgres = aggregates.map(({ medians }) => (medians.postgres ?? 0) / medians.ours);
  const [ours, postgres] = [timesOf(aggregates, 'ours'), timesOf(aggregates, 'postgres')];
  const fast = overPostgres.filter((ratio) => ratio >= fasterThanPostgres).length;
  report.add({
    what: `${formatCount(aggregates.length)} aggregates, ${what}`,
    ours: formatMilliseconds(ours),
    postgres: formatMilliseconds(postgres),
    ratio: `${(postgres / ours).toFixed(1)} times faster in all, median ${median(overPostgres).toFixed(1)}, least ${Math.min(...overPostgres).toFixed(1)}, ${String(fast)} reach it`,
    target: `each ≥ ${String(fasterThanPostgres)} times faster`,
    reached: fast === aggregates.length,
  });
}

const sum = (times: readonly number[]): number => times.reduce((total, time) => total + time, 0);

/** Reports whether a reader who sees little waits no longer than one who sees everything. */
function reportShares(
  report: Report,
  labels: string,
  all: readonly MeasuredQuery[],
  trace: readonly MeasuredQuery[],
): void {
  const oursOf = (measured: readonly MeasuredQuery[]): number[] =>
    measured.map(({ medians }) => medians.ours);
  const [ofAll, ofTrace] = [oursOf(all), oursOf(trace)];
  const slower = trace.filter(({ medians }, at) => medians.ours > (ofAll[at] ?? 0));
  report.add({
    what: `a reader of ${shareNames.trace} beside one of ${shareNames.all}, ${labels}`,
    ours: `${formatMilliseconds(sum(ofTrace))} beside ${formatMilliseconds(sum(ofAll))}`,
    ratio: `${(sum(ofTrace) / sum(ofAll)).toFixed(2)}; slower in ${String(slower.length)} of ${String(trace.length)}`,
    target: 'no slower',
    reached: slower.length === 0,
  });
}

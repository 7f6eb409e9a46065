import { createContenders, requireSameResults, type EngineName } from '../hits/contenders.ts';
import { shareNames, type VisibleShare } from '../hits/hits-labels.ts';
import type { HitsReader, HitsStage } from '../hits/hits-stage.ts';
import { hitsQueries, type HitsQuery } from '../hits/queries.ts';
import { runInTurns } from '../run-in-turns.ts';
import type { Report } from '../report/report.ts';
import { formatCount, formatMilliseconds, median } from '../report/statistics.ts';

/** Medians in milliseconds of one query asked by one reader. */
export interface MeasuredQuery {
  readonly query: HitsQuery;
  readonly medians: Readonly<Record<Exclude<EngineName, 'postgres'>, number>> & {
    readonly postgres: number | undefined;
  };
}

/** An engine that has taken so long for one query is not asked again. */
const patienceMilliseconds = 15_000;
const fewestRuns = 1;
/**
 * Times that the light queries are put to our server before anything is timed. It was started again a moment ago, and a server
 * in use has compiled its JavaScript.
 */
const warmUps = 100;
const lightMilliseconds = 60;
const mostOfChdb = 1.15;
const extraMilliseconds = 2;
const fasterThanPostgres = 10;

/** Thirty analytical queries by three readers, in four engines that have the same records. */
export async function measureHits(
  stage: HitsStage,
  report: Report,
  runs: number,
): Promise<readonly MeasuredQuery[]> {
  const measured = new Map<VisibleShare, MeasuredQuery[]>();
  await warmUp(stage);
  const labels = `${formatCount(stage.labels.count)} labels`;
  for (const reader of stage.readers) {
    const what = `${labels}, a reader of ${shareNames[reader.share]}`;
    const found = await measureReader(stage, reader, runs, (one) => reportQuery(report, what, one));
    measured.set(reader.share, found);
    reportTogether(report, what, found);
  }
  reportShares(report, labels, measured.get('all') ?? [], measured.get('trace') ?? []);
  return [...measured.values()].flat();
}

/** By all readers in turn. The other engines have nothing that is compiled while it runs. */
async function warmUp(stage: HitsStage): Promise<void> {
  const all: Awaited<ReturnType<typeof createContenders>>[] = [];
  for (const reader of stage.readers) all.push(await createContenders(stage, reader));
  for (const query of hitsQueries(stage.records)) {
    const ours = all.flatMap(({ of }) => of(query).filter(({ name }) => name === 'ours'));
    const mostTimes = stage.house.pace.times(warmUps / ours.length);
    for (const { ask } of ours) {
      // The first answer, which is slower, does not tell whether the query is light.
      for (let time = 0, isLight = true; time < mostTimes && isLight; time++) {
        const { milliseconds } = await ask();
        isLight = time === 0 || milliseconds < lightMilliseconds;
      }
    }
  }
  for (const { close } of all) close();
}

async function measureReader(
  stage: HitsStage,
  reader: HitsReader,
  runs: number,
  onQuery: (one: MeasuredQuery) => void,
): Promise<MeasuredQuery[]> {
  const contenders = await createContenders(stage, reader);
  await Promise.all([stage.house.waitUntilIdle(), stage.chdb.waitUntilIdle()]);
  const measured: MeasuredQuery[] = [];
  for (const query of hitsQueries(stage.records)) {
    const asked = contenders.of(query);
    await requireSameResults(query, asked);
    const turns = asked.map((contender) => ({ ...contender, times: [] as number[] }));
    await runInTurns(turns, { runs, fewest: fewestRuns, patience: patienceMilliseconds });
    const times = new Map(turns.map(({ name, times: taken }) => [name, taken]));
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
  ours <= mostOfChdb * chdb + extraMilliseconds;

function reportQuery(report: Report, what: string, one: MeasuredQuery): void {
  const { ours, chdb, duckDb, postgres } = one.medians;
  report.add({
    what: `query ${String(one.query.number)}, ${what}`,
    ours: formatMilliseconds(ours),
    chdb: formatMilliseconds(chdb),
    duckDb: formatMilliseconds(duckDb),
    ...(postgres === undefined ? {} : { postgres: formatMilliseconds(postgres) }),
    ratio: `${(ours / chdb).toFixed(2)} × chdb`,
    target: `≤ ${formatMilliseconds(mostOfChdb * chdb + extraMilliseconds)}`,
    reached: isWithin(one),
  });
}

/** What is promised of queries together: those of one reader, or of all. */
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
    target: `≤ ${String(mostOfChdb)} × chdb + 2 ms`,
    reached: median(ratios) <= mostOfChdb,
  });
  const aggregates = measured.filter(
    ({ query, medians }) => query.gives === 'figures' && medians.postgres !== undefined,
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

/** Who sees little waits no longer than who sees everything. */
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

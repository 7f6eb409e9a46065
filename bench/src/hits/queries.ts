import { sampleUserId } from './hits-records.ts';

/** A query over hits. `{URL}` is a placeholder for a column, which each engine writes in its own way. */
export interface HitsQuery {
  /** The number of the query in ClickBench, from 0. */
  readonly number: number;
  readonly select: string;
  readonly where?: string;
  /** GROUP BY and what follows it. */
  readonly rest?: string;
  /** The text for the bare engine, if an expert would write it differently for the same table. */
  readonly byHand?: { readonly select: string };
  /** The text for DuckDB, if its syntax differs. */
  readonly inDuckDb?: { readonly select: string };
  /** The kind of result: aggregates of many records, some columns of single records, or whole records. */
  readonly gives: 'aggregates' | 'rows' | 'records';
}

const topTen = (measure: string, ...keys: string[]): string =>
  `ORDER BY ${[`${measure} DESC`, ...keys].join(', ')} LIMIT 10`;

/** The ninety sums of query 29 of ClickBench: each adds a larger number to the width. */
const ninetySums = Array.from(
  { length: 90 },
  (_, shift) => `sum({ResolutionWidth}${shift === 0 ? '' : ` + ${String(shift)}`})`,
).join(', ');

const hostPattern = `'^https?://([^/]+)/'`;
const refererMeasures = 'avg(length({Referer})) AS l, count(*) AS c, min({Referer})';
const source = `CASE WHEN {SearchEngineID} = 0 AND {AdvEngineID} = 0 THEN {Referer} ELSE '' END`;
const july = `{CounterID} = 62 AND {EventDate} >= '2013-07-01' AND {EventDate} <= '2013-07-31'`;

/**
 * Thirty of the 43 queries of ClickBench, on JSON records instead of a table of columns. Differences:
 * - Every ORDER BY has enough keys that no two rows tie, so that all engines return the same result.
 * - HAVING requires a thousandth of the records, and OFFSET is shorter.
 * - Query 40 groups by the width of the window, since the records have no hashes of URLs.
 * - The person in query 19 is one of the generated ones.
 * - Query 28 extracts the host of a URL with a pattern that keeps `www.`.
 * - Dates are texts in the records.
 * - Queries 11, 14, 16, 17, 25, 26, 30, 31, 34, 35, 37, 38 and 41 are left out, as variations of others.
 * @param records the number of records
 */
export function hitsQueries(records: number): HitsQuery[] {
  const often = String(Math.max(1, Math.floor(records / 1000)));
  return [
    { number: 0, gives: 'aggregates', select: 'count(*)' },
    { number: 1, gives: 'aggregates', select: 'count(*)', where: '{AdvEngineID} <> 0' },
    { number: 2, gives: 'aggregates', select: 'sum({AdvEngineID}), count(*), avg({ResolutionWidth})' },
    {
      number: 3,
      gives: 'aggregates',
      select: 'avg({UserID})',
      // The engine's average of integers overflows at 64 bits.
      byHand: { select: 'avg(toFloat64({UserID}))' },
    },
    { number: 4, gives: 'aggregates', select: 'count(DISTINCT {UserID})' },
    { number: 5, gives: 'aggregates', select: 'count(DISTINCT {SearchPhrase})' },
    { number: 6, gives: 'aggregates', select: 'min({EventDate}), max({EventDate})' },
    {
      number: 7,
      gives: 'aggregates',
      select: '{AdvEngineID} AS engine, count(*) AS c',
      where: '{AdvEngineID} <> 0',
      rest: 'GROUP BY 1 ORDER BY c DESC, engine',
    },
    {
      number: 8,
      gives: 'aggregates',
      select: '{RegionID} AS region, count(DISTINCT {UserID}) AS u',
      rest: `GROUP BY 1 ${topTen('u', 'region')}`,
    },
    {
      number: 9,
      gives: 'aggregates',
      select:
        '{RegionID} AS region, sum({AdvEngineID}), count(*) AS c, avg({ResolutionWidth}), count(DISTINCT {UserID})',
      rest: `GROUP BY 1 ${topTen('c', 'region')}`,
    },
    {
      number: 10,
      gives: 'aggregates',
      select: '{MobilePhoneModel} AS model, count(DISTINCT {UserID}) AS u',
      where: `{MobilePhoneModel} <> ''`,
      rest: `GROUP BY 1 ${topTen('u', 'model')}`,
    },
    {
      number: 12,
      gives: 'aggregates',
      select: '{SearchPhrase} AS phrase, count(*) AS c',
      where: `{SearchPhrase} <> ''`,
      rest: `GROUP BY 1 ${topTen('c', 'phrase')}`,
    },
    {
      number: 13,
      gives: 'aggregates',
      select: '{SearchPhrase} AS phrase, count(DISTINCT {UserID}) AS u',
      where: `{SearchPhrase} <> ''`,
      rest: `GROUP BY 1 ${topTen('u', 'phrase')}`,
    },
    {
      number: 15,
      gives: 'aggregates',
      select: '{UserID} AS person, count(*) AS c',
      rest: `GROUP BY 1 ${topTen('c', 'person')}`,
    },
    {
      number: 18,
      gives: 'aggregates',
      select:
        '{UserID} AS person, extract(minute FROM {EventTime}) AS m, {SearchPhrase} AS phrase, count(*) AS c',
      rest: `GROUP BY 1, 2, 3 ${topTen('c', 'person', 'm', 'phrase')}`,
      byHand: {
        select:
          '{UserID} AS person, toUInt8(substring({EventTime}, 15, 2)) AS m, {SearchPhrase} AS phrase, count() AS c',
      },
    },
    {
      number: 19,
      gives: 'rows',
      select: '{UserID} AS person',
      where: `{UserID} = ${String(sampleUserId(records))}`,
    },
    { number: 20, gives: 'aggregates', select: 'count(*)', where: `{URL} LIKE '%google%'` },
    {
      number: 21,
      gives: 'aggregates',
      select: '{SearchPhrase} AS phrase, min({URL}), count(*) AS c',
      where: `{URL} LIKE '%google%' AND {SearchPhrase} <> ''`,
      rest: `GROUP BY 1 ${topTen('c', 'phrase')}`,
    },
    {
      number: 22,
      gives: 'aggregates',
      select: '{SearchPhrase} AS phrase, min({URL}), min({Title}), count(*) AS c, count(DISTINCT {UserID})',
      where: `{Title} LIKE '%Google%' AND {URL} NOT LIKE '%.example%' AND {SearchPhrase} <> ''`,
      rest: `GROUP BY 1 ${topTen('c', 'phrase')}`,
    },
    {
      number: 23,
      gives: 'records',
      select: '*',
      where: `{URL} LIKE '%google%'`,
      rest: 'ORDER BY {EventTime}, {WatchID} LIMIT 10',
    },
    {
      number: 24,
      gives: 'rows',
      select: '{SearchPhrase} AS phrase',
      where: `{SearchPhrase} <> ''`,
      rest: 'ORDER BY {EventTime}, {WatchID} LIMIT 10',
    },
    {
      number: 27,
      gives: 'aggregates',
      select: '{CounterID} AS counter, avg(length({URL})) AS l, count(*) AS c',
      where: `{URL} <> ''`,
      rest: `GROUP BY 1 HAVING count(*) > ${often} ORDER BY l DESC, counter LIMIT 25`,
      byHand: { select: '{CounterID} AS counter, avg(lengthUTF8({URL})) AS l, count() AS c' },
    },
    {
      number: 28,
      gives: 'aggregates',
      select: `substring({Referer} FROM ${hostPattern}) AS k, ${refererMeasures}`,
      where: `{Referer} <> ''`,
      rest: `GROUP BY 1 HAVING count(*) > ${often} ORDER BY l DESC, k LIMIT 25`,
      byHand: {
        select: `extract({Referer}, ${hostPattern}) AS k, avg(lengthUTF8({Referer})) AS l, count() AS c, min({Referer})`,
      },
      inDuckDb: { select: `regexp_extract({Referer}, ${hostPattern}, 1) AS k, ${refererMeasures}` },
    },
    { number: 29, gives: 'aggregates', select: ninetySums },
    {
      number: 32,
      gives: 'aggregates',
      select: '{WatchID} AS watch, {ClientIP} AS ip, count(*) AS c, sum({IsRefresh}), avg({ResolutionWidth})',
      rest: `GROUP BY 1, 2 ${topTen('c', 'watch', 'ip')}`,
    },
    {
      number: 33,
      gives: 'aggregates',
      select: '{URL} AS url, count(*) AS c',
      rest: `GROUP BY 1 ${topTen('c', 'url')}`,
    },
    {
      number: 36,
      gives: 'aggregates',
      select: '{URL} AS url, count(*) AS views',
      where: `${july} AND {DontCountHits} = 0 AND {IsRefresh} = 0 AND {URL} <> ''`,
      rest: `GROUP BY 1 ${topTen('views', 'url')}`,
    },
    {
      number: 39,
      gives: 'aggregates',
      select: `{TraficSourceID} AS traffic, {SearchEngineID} AS search, {AdvEngineID} AS engine, ${source} AS src, {URL} AS dst, count(*) AS views`,
      where: `${july} AND {IsRefresh} = 0`,
      rest: `GROUP BY 1, 2, 3, 4, 5 ${topTen('views', 'traffic', 'search', 'engine', 'src', 'dst')} OFFSET 10`,
    },
    {
      number: 40,
      gives: 'aggregates',
      select: '{WindowClientWidth} AS width, {EventDate} AS d, count(*) AS views',
      where: `${july} AND {IsRefresh} = 0 AND {TraficSourceID} IN (-1, 6)`,
      rest: `GROUP BY 1, 2 ${topTen('views', 'width', 'd')} OFFSET 5`,
    },
    {
      number: 42,
      gives: 'aggregates',
      select: `date_trunc('minute', {EventTime}) AS m, count(*) AS views`,
      where: `{CounterID} = 62 AND {EventDate} >= '2013-07-14' AND {EventDate} <= '2013-07-15' AND {IsRefresh} = 0 AND {DontCountHits} = 0`,
      rest: 'GROUP BY 1 ORDER BY m LIMIT 10 OFFSET 20',
      byHand: { select: `concat(substring({EventTime}, 1, 16), ':00') AS m, count() AS views` },
    },
  ];
}

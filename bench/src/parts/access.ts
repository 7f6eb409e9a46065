import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startBareRoute, startRedoubt, type Contender, type OurServer } from '../access/contenders.ts';
import { createHttpClient } from '../ours/http.ts';
import type { Pace } from '../pace.ts';
import { cpuSeconds } from '../process-metrics.ts';
import type { Report } from '../report/report.ts';
import { formatCount, formatMilliseconds, quantile } from '../report/statistics.ts';

const connections = 64;
const rounds = 5;
const warmUpMilliseconds = 1000;
const spanMilliseconds = 4000;
const countedRequests = 200;
const wantedRatio = 0.6;

interface Round {
  perSecond: number;
  /** CPU time of the server per request, in milliseconds. */
  cpu: number;
}

/** Measures a server under 64 connections, each of which sends the next request right after a response. */
async function load(server: Contender, token: string, path: string, pace: Pace): Promise<Round> {
  const http = createHttpClient(server.url, token, connections);
  const phase = { isRunning: true, responses: 0 };
  const repeatRequests = async (): Promise<void> => {
    while (phase.isRunning) {
      await http.get(path);
      phase.responses += 1;
    }
  };
  const work = Promise.all(Array.from({ length: connections }, repeatRequests));
  await Promise.race([sleep(pace.span(warmUpMilliseconds)), work]);
  const [responsesBefore, cpuBefore, start] = [phase.responses, cpuSeconds(server.pid), performance.now()];
  do {
    await Promise.race([sleep(pace.span(spanMilliseconds)), work]);
  } while (phase.responses === responsesBefore);
  const seconds = (performance.now() - start) / 1000;
  const counted = phase.responses - responsesBefore;
  const cpu = ((cpuSeconds(server.pid) - cpuBefore) * 1000) / counted;
  phase.isRunning = false;
  await work;
  http.close();
  return { perSecond: counted / seconds, cpu };
}

/** Measures how many PostgreSQL queries a request causes, by the counter of transactions in PostgreSQL. */
async function queriesPerRequest(server: OurServer, path: string, pace: Pace): Promise<number> {
  const client = new Client({ connectionString: server.database });
  await client.connect();
  const http = createHttpClient(server.url, server.token, 1);
  const transactions = async (): Promise<number> => {
    // PostgreSQL counts the work of a connection only after it has been idle for a second.
    await sleep(pace.span(2500));
    const { rows } = await client.query<{ count: string }>(
      `select xact_commit as count from pg_stat_database where datname = current_database()`,
    );
    return Number(rows[0]?.count);
  };
  try {
    await http.get(path);
    const idleFrom = await transactions();
    const from = await transactions();
    const requests = pace.times(countedRequests);
    for (let count = 0; count < requests; count += 1) await http.get(path);
    const to = await transactions();
    return Math.max(1, Math.round((to - from - (from - idleFrom)) / requests));
  } finally {
    http.close();
    await client.end();
  }
}

/** Measures `GET /datasets/{id}` for a reader, beside a bare route with the same number of PostgreSQL queries. */
export async function measureAccess(
  report: Report,
  postgresUrl: string,
  dataDir: string,
  pace: Pace,
): Promise<void> {
  const ours = await startRedoubt(postgresUrl, dataDir);
  const path = `/datasets/${ours.datasetId}`;
  try {
    const queryCount = await queriesPerRequest(ours, path, pace);
    const bare = await startBareRoute(ours, queryCount);
    try {
      const done: { ours: Round; bare: Round }[] = [];
      for (let round = 0; round < pace.times(rounds); round += 1) {
        done.push({
          ours: await load(ours, ours.token, path, pace),
          bare: await load(bare, ours.token, path, pace),
        });
      }
      const middle = (valueOf: (round: (typeof done)[number]) => number): number =>
        quantile(done.map(valueOf), 0.5);
      const ratio = middle((round) => round.ours.perSecond / round.bare.perSecond);
      report.add({
        what: `GET /datasets/{id}, ${connections} connections, ${queryCount} PostgreSQL queries, beside a bare Fastify route`,
        ours: `${formatCount(middle((round) => round.ours.perSecond))} responses/s`,
        postgres: `${formatCount(middle((round) => round.bare.perSecond))} responses/s (bare route)`,
        ratio: ratio.toFixed(2),
        target: `≥ ${wantedRatio}`,
        reached: ratio >= wantedRatio,
      });
      const [oursCpu, bareCpu] = [middle((round) => round.ours.cpu), middle((round) => round.bare.cpu)];
      report.note(
        `GET /datasets/{id}: the server needs ${formatMilliseconds(oursCpu)} of CPU time per response, the bare route ${formatMilliseconds(bareCpu)} (${(bareCpu / oursCpu).toFixed(2)} of it).`,
      );
    } finally {
      await bare.stop();
    }
  } finally {
    await ours.stop();
  }
}

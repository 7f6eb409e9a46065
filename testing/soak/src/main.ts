import { readTestEffort } from '@redoubt/testkit';
import { growthOf, runSoak, type SoakSpan } from './soak.ts';

/**
 * Puts a mixed load on a server for an hour. Fails if the memory of the server grows, since the amount of data stays
 * the same. REDOUBT_SOAK_MINUTES sets another duration; five minutes are enough for a short check.
 */
const minutes = readTestEffort('REDOUBT_SOAK_MINUTES', 60);
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort());

let minute = 0;
const report = ({ resident, anonymous, done }: SoakSpan): void => {
  minute += 1;
  const rounds = Object.values(done).join(' ');
  console.log(
    `minute ${minute}: ${resident.toFixed(0)} MB resident, ${anonymous.toFixed(0)} MB anonymous (rounds: ${rounds})`,
  );
};

console.log(`A soak of ${minutes} minutes.`);
const spans = await runSoak({
  size: { smallBatches: 60, largeRecords: 12, largestBytes: 6_000_000 },
  seconds: minutes * 60,
  spanSeconds: 60,
  restMs: 500,
  signal: stop.signal,
  report,
});
console.log(`Kinds of work, in the order of their rounds: ${Object.keys(spans[0]?.done ?? {}).join('; ')}.`);
const growth = growthOf(spans);
if (stop.signal.aborted) {
  console.log('Stopped before its end: nothing is said of memory.');
  process.exitCode = 1;
} else if (growth !== undefined) {
  console.log(`Failed: ${growth} from the second quarter to the last.`);
  process.exitCode = 1;
} else {
  console.log('Memory stayed level.');
}

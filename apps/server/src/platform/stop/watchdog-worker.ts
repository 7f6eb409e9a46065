import { workerData } from 'node:worker_threads';

/** The deadline of the process, on the clock of `process.hrtime`. */
const due = workerData as BigInt64Array<SharedArrayBuffer>;

for (;;) {
  const end = Atomics.load(due, 0);
  const left = end - process.hrtime.bigint();
  if (left <= 0n) break;
  Atomics.wait(due, 0, end, Number(left / 1_000_000n) + 1);
}
process.kill(process.pid, 'SIGKILL');

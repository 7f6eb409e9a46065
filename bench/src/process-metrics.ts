import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pace } from './pace.ts';

/** Resident memory of a process in MB, as Linux reports it. */
export function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/** CPU time of a process so far, in seconds. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const spanMilliseconds = 1000;
const idleShare = 0.15;
const maxSpans = 120;

/**
 * Waits until a process is idle, if the pace requires it, because the engine still merges parts after the last write.
 */
export async function waitUntilIdle(pid: number, { waitsForIdle }: Pace): Promise<void> {
  if (!waitsForIdle) return;
  for (let span = 0; span < maxSpans; span++) {
    const before = cpuSeconds(pid);
    await sleep(spanMilliseconds);
    if (cpuSeconds(pid) - before < (idleShare * spanMilliseconds) / 1000) return;
  }
}

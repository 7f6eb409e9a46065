import { readFileSync } from 'node:fs';

/** Memory of a process, in megabytes of 1024 * 1024 bytes. */
export interface MemorySample {
  /** All memory of the process that is in RAM. */
  resident: number;
  /** The part that is not mapped from files. */
  anonymous: number;
}

/** Reads the memory of a process from `/proc`. @throws Error if there is no such process, or the system is not Linux */
export const memoryOf = (pid: number): MemorySample => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
  return { resident: megabytes('VmRSS'), anonymous: megabytes('RssAnon') };
};

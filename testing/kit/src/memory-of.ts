import { readFileSync } from 'node:fs';

/** Memory of a process, in megabytes of 1024 * 1024 bytes. */
export interface MemorySample {
  /** All that is in the machine's memory. */
  resident: number;
  /** The part of it that belongs to no file. */
  anonymous: number;
}

/** What Linux says of a process; no other system tells. */
export const memoryOf = (pid: number): MemorySample => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
  return { resident: megabytes('VmRSS'), anonymous: megabytes('RssAnon') };
};

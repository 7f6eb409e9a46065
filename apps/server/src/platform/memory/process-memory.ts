import { readFileSync } from 'node:fs';

/** Memory of this process, in bytes. */
interface ProcessMemory {
  /** All of it that is in the machine's memory, files that are mapped into it included. */
  resident: number;
  /** What is resident of no file, so that only this process can give it back; Linux alone tells. */
  anonymous: number | undefined;
}

/** @param status what Linux says of the process */
const anonymousBytes = (status: string): number | undefined => {
  const kilobytes = /^RssAnon:\s*(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
};

export const processMemory = (): ProcessMemory => ({
  resident: process.memoryUsage.rss(),
  anonymous:
    process.platform === 'linux' ? anonymousBytes(readFileSync('/proc/self/status', 'utf8')) : undefined,
});

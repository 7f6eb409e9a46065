import { readFileSync } from 'node:fs';

/** Memory of this process, in bytes. */
interface ProcessMemory {
  /** Resident memory, including mapped files. */
  resident: number;
  /** Resident memory without mapped files, which only this process can free; undefined on systems other than Linux. */
  anonymous: number | undefined;
}

/** @param status the content of /proc/self/status */
const anonymousBytes = (status: string): number | undefined => {
  const kilobytes = /^RssAnon:\s*(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
};

export const processMemory = (): ProcessMemory => ({
  resident: process.memoryUsage.rss(),
  anonymous:
    process.platform === 'linux' ? anonymousBytes(readFileSync('/proc/self/status', 'utf8')) : undefined,
});

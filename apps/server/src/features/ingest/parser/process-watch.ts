import { readFile } from 'node:fs/promises';
import { parserMemoryBytes } from './confinement.ts';

/** After this time without output, a parser counts as stuck. */
const silenceMs = 120_000;
const checkMs = 250;
const ticksPerSecond = 100;

/** What is known about a file. */
export interface WatchedFile {
  /** Bytes. */
  size: number;
  /** Undefined until it is open. */
  format?: string | undefined;
  /** The archives and compressions around the file. */
  containers?: readonly string[] | undefined;
}

/** Formats whose readers trust counts in the file, which may be wrong. */
const columnar: ReadonlySet<string> = new Set(['parquet', 'orc', 'avro', 'arrow']);

/**
 * Seconds of processor time that a parser may use without any output: enough for one page of a columnar file, or for the
 * largest document or workbook that is read as a whole.
 */
export const silentProcessorSeconds = ({ size, format = '', containers = [] }: WatchedFile): number =>
  columnar.has(format) && containers.length === 0 ? Math.min(60, 10 + size / 1_000_000) : 60;

interface Usage {
  /** Processor time that the process has used. */
  seconds: number;
  residentBytes: number;
}

/** Reads what a process uses; undefined if the system does not report it. */
const readUsage = async (pid: number): Promise<Usage | undefined> => {
  const [stat, status] = await Promise.all(
    ['stat', 'status'].map((file) => readFile(`/proc/${String(pid)}/${file}`, 'utf8').catch(() => '')),
  );
  // The name of the program is in parentheses and may contain any character.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const seconds = (Number(fields?.[11]) + Number(fields?.[12])) / ticksPerSecond;
  if (Number.isNaN(seconds)) return undefined;
  return { seconds, residentBytes: Number(/^VmRSS:\s+(\d+) kB/m.exec(status ?? '')?.[1] ?? 0) * 1024 };
};

export interface ProcessWatch {
  /** The server waits for output. */
  waiting(): void;
  /** Output has arrived. */
  heard(): void;
  end(): void;
}

/**
 * Stops a process that exceeds its memory, or works without output.
 * @param stop called with the reason
 */
export const watchProcess = (
  pid: number,
  { hasLimits }: { hasLimits: boolean },
  allowedSeconds: () => number,
  stop: (why: string) => void,
): ProcessWatch => {
  let waitsSince: number | undefined;
  let outputs = 0;
  let checkedOutputs = -1;
  let secondsBefore = 0;

  const check = async (): Promise<void> => {
    if (waitsSince !== undefined && performance.now() - waitsSince > silenceMs)
      stop(`it took more than ${String(silenceMs / 1000)} seconds for one part of the file`);
    const usage = await readUsage(pid);
    if (usage === undefined) return;
    if (!hasLimits && usage.residentBytes > parserMemoryBytes)
      stop(`it needs more than ${String(parserMemoryBytes / 1_000_000)} MB of memory`);
    if (outputs !== checkedOutputs) {
      checkedOutputs = outputs;
      secondsBefore = usage.seconds;
    } else if (usage.seconds - secondsBefore > allowedSeconds()) {
      const seconds = Math.round(allowedSeconds());
      stop(
        `it used more than ${String(seconds)} seconds of processor time for one part of the file, as for a damaged one`,
      );
    }
  };
  const timer = setInterval(() => void check(), checkMs);
  return {
    waiting: () => {
      waitsSince = performance.now();
    },
    heard: () => {
      waitsSince = undefined;
      outputs++;
    },
    end: () => clearInterval(timer),
  };
};

import { parserMemoryBytes } from '../parser/confinement.ts';
import type { ConfinedProcess } from '../parser/confined-process.ts';
import { describeErrorOutput } from '../parser/error-output.ts';
import type { ParserHost } from '../parser/start-parser.ts';
import { watchProcess } from '../parser/process-watch.ts';

/** A confined process did not do its work; the message is the reason, without anything from a file. */
export class ConfinedProcessError extends Error {}

/** Processor time, in seconds, that one page may take. */
const maxPageSeconds = 240;
/** Maximum number of bytes that a process may answer with. */
const maxOutputBytes = 64_000_000;

/**
 * Reads all output of a confined process, and stops it beyond its limits.
 * @param maxBytes the maximum number of bytes that it may answer with
 * @returns undefined if it reports that it could not do its work, which depends on its input
 * @throws ConfinedProcessError if it was stopped or could not be started
 */
export const runConfined = async (
  host: ParserHost,
  child: ConfinedProcess,
  signal: AbortSignal,
  maxBytes = maxOutputBytes,
): Promise<Buffer | undefined> => {
  let stopped: string | undefined;
  const stop = (why: string): void => {
    stopped ??= why;
    child.kill();
  };
  const watch =
    child.pid === undefined ? undefined : watchProcess(child.pid, host, () => maxPageSeconds, stop);
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of child.output as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) stop('it wrote too much');
      else parts.push(chunk);
    }
    // Output that has ended does not mean that the process has.
    const end = await child.ended;
    signal.throwIfAborted();
    if (stopped === undefined && end === 'it ended with 0') return Buffer.concat(parts);
    if (stopped === undefined && /^it ended with \d+$/.test(end)) return undefined;
    const why =
      stopped ??
      (end.startsWith('SIG')
        ? `it was ended by ${end}, as when it needs more than ${String(parserMemoryBytes / 1_000_000)} MB of memory`
        : end);
    host.report(why, describeErrorOutput(child.errors()));
    throw new ConfinedProcessError(why);
  } finally {
    watch?.end();
    child.end();
  }
};

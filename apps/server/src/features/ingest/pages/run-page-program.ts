import { ConfinedProcessError, runConfined } from '../ocr/run-confined.ts';
import { startConfinedProcess } from '../parser/confined-process.ts';
import type { ParserHost } from '../parser/start-parser.ts';

/** What the programs of this folder load. */
const readable = [
  'package.json',
  'apps/server/package.json',
  'apps/server/src/features/ingest/pages/',
  'packages/',
  'node_modules/',
];
const heapMegabytes = 700;

/**
 * Runs a program of this folder in a process of its own.
 * @param program its path
 * @param descriptor the file that it reads, open for reading
 * @param maxBytes the maximum size of its output; by default that of `runConfined`
 * @returns its output; undefined if it could not do its work or was stopped
 */
export const runPageProgram = async (
  host: ParserHost,
  program: string,
  {
    descriptor,
    task,
    signal,
    maxBytes,
  }: { descriptor: number; task: unknown; signal: AbortSignal; maxBytes?: number },
): Promise<Buffer | undefined> => {
  const { prefix } = host;
  const child = startConfinedProcess({
    prefix,
    program,
    readable,
    heapMegabytes,
    task,
    signal,
    descriptor,
  });
  try {
    return await runConfined(host, child, signal, maxBytes);
  } catch (error) {
    if (error instanceof ConfinedProcessError) return undefined;
    throw error;
  }
};

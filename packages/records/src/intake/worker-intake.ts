import { parseWriteInThread, type ParsedWrite } from './intake.ts';
import type { WriteBodyFormat } from './parse-write-body.ts';
import type { BatchSummary } from './prepare-batch.ts';
import type { ReplacementOptions, ReplacementsSummary } from './prepare-replacements.ts';
import type { ParseResult } from './intake-worker-messages.ts';
import { startWorkerThread, type WorkerThread } from './intake-worker-thread.ts';

/** Parses the bodies of writes. */
export interface Intake {
  /** @throws RedoubtError 400 if the body does not have this format */
  parse(bytes: Uint8Array, shape: WriteBodyFormat): Promise<ParsedWrite>;
  close(): Promise<void>;
}

/** Bodies up to this size take at most a few milliseconds, so they are parsed on the main thread. */
const smallBody = 128 * 1024;

/** Parses large bodies on another thread, so that other requests do not wait. */
export function createIntake(): Intake {
  let thread: WorkerThread | undefined;
  let bodies = 0;

  async function parseAside(bytes: Uint8Array, shape: WriteBodyFormat): Promise<ParsedWrite> {
    if (thread === undefined || thread.isDead) thread = startWorkerThread();
    return parseThere(thread, ++bodies, bytes, shape);
  }

  return {
    parse: async (bytes, shape) =>
      bytes.length <= smallBody
        ? parseSmall(bytes, shape, async () => parseAside(bytes, shape))
        : parseAside(bytes, shape),
    async close() {
      await thread?.stop();
    },
  };
}

/**
 * Parses a small body on this thread. If its replacements keep large hidden parts, the other thread creates their rows.
 */
function parseSmall(
  bytes: Uint8Array,
  shape: WriteBodyFormat,
  parseAside: () => Promise<ParsedWrite>,
): ParsedWrite {
  const here = parseWriteInThread(bytes, shape);
  let aside: ParsedWrite | undefined;
  let updates = here;
  return {
    ...here,
    prepareReplacements: async (options) => {
      updates = keptLength(options) <= smallBody ? here : (aside ??= await parseAside());
      return updates.prepareReplacements(options);
    },
    rowsOf: async (which, prefixes) => (which === 'updates' ? updates : here).rowsOf(which, prefixes),
    release: () => aside?.release(),
  };
}

const keptLength = ({ replacements }: ReplacementOptions): number =>
  replacements.reduce((sum, { hiddenPart }) => sum + (hiddenPart?.length ?? 0), 0);

async function parseThere(
  thread: WorkerThread,
  body: number,
  bytes: Uint8Array,
  shape: WriteBodyFormat,
): Promise<ParsedWrite> {
  const own = new Uint8Array(bytes);
  const parsed = (await thread.request({ kind: 'parse', body, bytes: own, shape }, [
    own.buffer,
  ])) as ParseResult;
  return {
    ...parsed,
    prepare: async (options) => (await thread.request({ kind: 'prepare', body, options })) as BatchSummary,
    prepareReplacements: async (options) =>
      (await thread.request({ kind: 'prepareReplacements', body, options })) as ReplacementsSummary,
    rowsOf: async (which, prefixes) => {
      const rows = (await thread.request({ kind: 'rows', body, which, prefixes })) as Uint8Array<ArrayBuffer>;
      return Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength);
    },
    release: () => {
      if (!thread.isDead) void thread.request({ kind: 'release', body }).catch(() => undefined);
    },
  };
}

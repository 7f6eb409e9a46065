import { RedoubtError } from '@redoubt/errors';
import { fileURLToPath } from 'node:url';
import { startConfinedProcess } from '../../parser/confined-process.ts';
import { describeErrorOutput } from '../../parser/error-output.ts';
import { readLines } from '../../parser/read-lines.ts';
import type { ParserHost } from '../../parser/start-parser.ts';
import type { TopicPlace, TopicResult, TopicTask } from './topic-messages.ts';
import { toSourceError } from '../unreachable-source-error.ts';

const program = fileURLToPath(new URL('./topic-worker.ts', import.meta.url));
/** What the program loads. */
const readable = ['package.json', 'apps/server/', 'packages/', 'node_modules/'];

/** Enough for what the brokers send at once, several times. */
const heapMegabytes = 500;
const rowKind = 0x52;
const newline = 0x0a;

/** What a process that reads topics tells after its messages. */
export type TopicEnd =
  | { kind: 'place'; place: TopicPlace }
  | { kind: 'result'; result: TopicResult }
  | { kind: 'topics'; topics: readonly string[] }
  | { kind: 'waited' };

/**
 * Reads messages in a separate process, as lines. The process is killed when the loop is left.
 * @param ended called with what the process tells at its end
 * @throws RedoubtError with the hosts, and never with a password
 */
export async function* readTopics(
  host: ParserHost,
  task: TopicTask,
  signal: AbortSignal,
  ended: (end: TopicEnd) => void,
): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted();
  const child = startConfinedProcess({
    prefix: host.networked,
    program,
    readable,
    heapMegabytes,
    task,
    signal,
  });
  let isComplete = false;
  try {
    for await (const line of readLines(child.output)) {
      if (line[0] === rowKind) {
        // The line is valid until the next one is read, and rows are kept until they are stored.
        const row = Buffer.allocUnsafe(line.length);
        line.copy(row, 0, 1);
        row[row.length - 1] = newline;
        yield row;
        continue;
      }
      isComplete = true;
      const json = line.toString('utf8', 1);
      const kind = String.fromCharCode(line[0] ?? 0);
      if (kind === 'P') ended({ kind: 'place', place: JSON.parse(json) as TopicPlace });
      else if (kind === 'E') ended({ kind: 'result', result: JSON.parse(json) as TopicResult });
      else if (kind === 'T') ended({ kind: 'topics', topics: JSON.parse(json) as string[] });
      else if (kind === 'W') ended({ kind: 'waited' });
      else {
        const { message, isUnreachable } = JSON.parse(json) as { message?: unknown; isUnreachable?: unknown };
        throw toSourceError(String(message), isUnreachable === true);
      }
      break;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (isComplete || !(error instanceof Error)) throw error;
  } finally {
    child.end();
  }
  const end = await child.ended;
  signal.throwIfAborted();
  if (isComplete) return;
  host.report(end, describeErrorOutput(child.errors()));
  throw new RedoubtError(
    'DatasourceError',
    `The process that reads topics ended before its last message, as when messages need too much memory. Retry the job; if it fails again, send smaller messages.`,
  );
}

import { documentFormatNamed, innerPlace, type InnerDocument, type PageScan } from '@redoubt/file-formats';
import { fstatSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parserMemoryBytes, type Confinement } from './confinement.ts';
import { startConfinedProcess } from './confined-process.ts';
import { describeErrorOutput } from './error-output.ts';
import type { ParserError, ParserOpened, ParserReject, ParserTask } from './parser-messages.ts';
import { silentProcessorSeconds, watchProcess, type WatchedFile } from './process-watch.ts';
import { readLines } from './read-lines.ts';

/** The output of a parser, in the order of the file. */
export type ParserItem =
  | { kind: 'opened'; opened: ParserOpened }
  | { kind: 'inside'; file: string | undefined }
  | { kind: 'row'; line: number; offset: number; json: Buffer }
  | { kind: 'scan'; scan: PageScan }
  | { kind: 'begin'; document: InnerDocument }
  | ({ kind: 'reject' } & ParserReject)
  | { kind: 'progress'; bytes: number }
  | ({ kind: 'fault' } & ParserError);

/** The output of a parser after the text of images was recognised. */
export type FileItem = Exclude<ParserItem, { kind: 'scan' }>;

const program = fileURLToPath(new URL('./parser-worker.ts', import.meta.url));
/** What the parser loads. */
const readable = [
  'package.json',
  'apps/server/package.json',
  'apps/server/src/features/ingest/parser/',
  'packages/',
  'node_modules/',
];

const heapMegabytes = 700;

/**
 * A message before its values are checked. A process that reads hostile bytes may write anything, so nothing in it is
 * trusted.
 */
type Unchecked<Message> = { [Key in keyof Message]?: unknown };

const comma = 0x2c;
/** Maximum number of characters that are kept of a path inside an archive. */
const maxInnerPath = 1000;

const toItem = (line: Buffer): ParserItem | undefined => {
  const text = (): string => line.toString('utf8', 1);
  switch (String.fromCharCode(line[0] ?? 0)) {
    case 'R': {
      const first = line.indexOf(comma, 1);
      const second = line.indexOf(comma, first + 1);
      return {
        kind: 'row',
        line: toCount(line.toString('latin1', 1, first)),
        offset: toCount(line.toString('latin1', first + 1, second)),
        json: line.subarray(second + 1),
      };
    }
    case 'D':
      return { kind: 'begin', document: toInnerDocument(JSON.parse(text()) as Unchecked<InnerDocument>) };
    case 'G':
      return { kind: 'scan', scan: toScan(line) };
    case 'X': {
      const { line: at, offset, reason, text: row, fields } = JSON.parse(text()) as Unchecked<ParserReject>;
      return {
        kind: 'reject',
        line: toCount(at),
        offset: toCount(offset),
        reason: String(reason),
        text: String(row),
        fields: typeof fields === 'string' ? fields : undefined,
      };
    }
    case 'I': {
      const file: unknown = JSON.parse(text());
      return { kind: 'inside', file: typeof file === 'string' ? file.slice(0, maxInnerPath) : undefined };
    }
    case 'P':
      return { kind: 'progress', bytes: toCount(text()) };
    case 'O':
      return { kind: 'opened', opened: JSON.parse(text()) as ParserOpened };
    case 'F': {
      const { line: at, text: error } = JSON.parse(text()) as Unchecked<ParserError>;
      return { kind: 'fault', line: toCount(at), text: String(error) };
    }
    case 'E':
      return undefined;
    default:
      throw new Error('A parser process wrote what is no message.');
  }
};

/** Maximum number of characters of the name of a document inside a file. */
const maxInnerName = 255;

/** @throws Error for a place or format that does not exist */
const toInnerDocument = ({ path, name, format }: Unchecked<InnerDocument>): InnerDocument => {
  innerPlace(String(path));
  if (documentFormatNamed(String(format)) === undefined)
    throw new Error('A parser process wrote a document format that does not exist.');
  const shown = String(name).replaceAll('\0', '').slice(0, maxInnerName).toWellFormed();
  return { path: String(path), name: shown, format: String(format) };
};

/** @throws Error for an image whose size contradicts its pixels */
const toScan = (line: Buffer): PageScan => {
  const first = line.indexOf(comma, 1);
  const second = line.indexOf(comma, first + 1);
  const width = toCount(line.toString('latin1', 1, first));
  const height = toCount(line.toString('latin1', first + 1, second));
  const gray = Buffer.from(line.toString('latin1', second + 1), 'base64');
  if (gray.length === 0 || gray.length !== width * height)
    throw new Error('A parser process wrote an image that does not have its size.');
  return { width, height, gray };
};

const toCount = (value: unknown): number => {
  const count = Number(value);
  return Number.isSafeInteger(count) && count >= 0 ? count : 0;
};

const formatOf = ({ format, containers }: Unchecked<ParserOpened>): Omit<WatchedFile, 'size'> => ({
  format: String(format),
  containers: Array.isArray(containers) ? containers.map(String) : [],
});

/** The confinement of parser processes. */
export interface ParserHost extends Confinement {
  /**
   * Called when a process ends before the end of its file.
   * @param errors its error output, without anything from the file
   */
  report(why: string, errors: readonly string[]): void;
  /** Replaces the limit of processor time without output; for tests. */
  silentSeconds?: typeof silentProcessorSeconds;
}

/**
 * Reads a file in a separate process, which is killed when the loop is left.
 * @param descriptor the file, open for reading
 */
export async function* parseFile(
  host: ParserHost,
  descriptor: number,
  task: ParserTask,
  signal: AbortSignal,
): AsyncGenerator<ParserItem> {
  signal.throwIfAborted();
  const child = startConfinedProcess({
    prefix: host.prefix,
    program,
    readable,
    heapMegabytes,
    task,
    signal,
    descriptor,
  });
  let file: WatchedFile = { size: fstatSync(descriptor).size };
  let stopped: string | undefined;
  const watch =
    child.pid === undefined
      ? undefined
      : watchProcess(
          child.pid,
          host,
          () => (host.silentSeconds ?? silentProcessorSeconds)(file),
          (why) => {
            stopped ??= why;
            child.kill();
          },
        );
  let isComplete = false;
  try {
    const lines = readLines(child.output);
    for (;;) {
      watch?.waiting();
      const next = await lines.next();
      watch?.heard();
      if (next.done === true) break;
      const item = toItem(next.value);
      if (item === undefined) {
        isComplete = true;
        break;
      }
      if (item.kind === 'opened') file = { size: file.size, ...formatOf(item.opened) };
      if (item.kind === 'fault') isComplete = true;
      yield item;
      if (isComplete) break;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Error)) throw error;
  } finally {
    watch?.end();
    child.end();
  }
  const end = await child.ended;
  signal.throwIfAborted();
  if (isComplete) return;
  const why =
    stopped ??
    `it ended before the end of the file, as when it needs more than ${String(parserMemoryBytes / 1_000_000)} MB of memory`;
  host.report(stopped ?? end, describeErrorOutput(child.errors()));
  yield {
    kind: 'fault',
    line: 0,
    text: `the process that reads the file was stopped: ${why}. Split the file, or store it in a simpler format.`,
  };
}

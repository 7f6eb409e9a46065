import { RedoubtError } from '@redoubt/errors';
import { startConfinedCommand } from '../../parser/confined-process.ts';
import { describeErrorOutput } from '../../parser/error-output.ts';
import { readLines } from '../../parser/read-lines.ts';
import type { ParserHost } from '../../parser/start-parser.ts';

/** What a connector is asked for. It gets the task on its standard input as one line of JSON. */
export interface ConnectorTask {
  version: 1;
  action: 'discover' | 'read';
  config: object;
  /** Other users of the machine can see arguments and environments, so secrets are in neither. */
  secrets: object;
  stream?: string;
  range?: unknown;
  checkpoint?: unknown;
}

/** What a connector writes: a row, or a message with its JSON. */
export type ConnectorItem =
  | { kind: 'row'; row: Buffer }
  | { kind: 'checkpoint' | 'stream'; content: unknown };

const brace = 0x7b;
const newline = 0x0a;
const messageForm = /^#([a-z]{1,20})(?: (.*))?$/s;
const maxMessageBytes = 1_000_000;
/** How many messages may follow each other without a row. */
const maxMessages = 10_000;
/** Enough to find interpreters by `/usr/bin/env`, and for texts in UTF-8. Nothing else of the server's environment. */
const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' };

/** All texts and numbers in a value. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string' || typeof value === 'number') yield String(value);
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* textsIn(inner);
}

const onOneLine = (text: string): string => text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();

/** Shorter lines of a secret are words that a message may have anyway. */
const shortestLine = 6;

/** The forms in which a message may repeat a secret: as it is, a line of it, and in the usual encodings. */
function* formsOf(secret: string): Generator<string> {
  const lines = secret.split('\n').filter((line) => line.trim().length >= shortestLine);
  for (const text of [secret, ...lines]) {
    const plain = onOneLine(text);
    yield plain;
    yield encodeURIComponent(text);
    yield JSON.stringify(text).slice(1, -1);
    yield Buffer.from(text).toString('base64').replaceAll('=', '');
  }
}

/** The words of a connector, unless they repeat a secret. */
const shownText = (message: unknown, secrets: object): string => {
  const text = typeof message === 'string' ? onOneLine(message) : '';
  const isSecret = [...textsIn(secrets)]
    .flatMap((secret) => [...formsOf(secret)])
    .some((form) => form !== '' && text.includes(form));
  return text === '' || isSecret ? 'an error without words' : text.slice(0, 300);
};

/** The row is valid until the next line is read, so it is copied. */
const copyRow = (line: Buffer): Buffer => {
  const row = Buffer.allocUnsafe(line.length + 1);
  line.copy(row);
  row[line.length] = newline;
  return row;
};

const parse = (json: string | undefined): { content: unknown } | undefined => {
  try {
    return { content: JSON.parse(json ?? '') as unknown };
  } catch {
    return undefined;
  }
};

/**
 * Runs a connector until it has written `#end`. It is killed with all processes of its group when the loop is left.
 * @param connector its name, for messages
 * @param name what it reads, for messages
 * @throws RedoubtError that says what the connector did wrong, or what it reports, without secrets
 */
export async function* runConnector(
  host: ParserHost,
  { connector, command }: { connector: string; command: readonly string[] },
  task: ConnectorTask,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<ConnectorItem> {
  signal.throwIfAborted();
  const fault = (what: string): RedoubtError =>
    new RedoubtError('DatasourceError', `${name}: the connector ${JSON.stringify(connector)} ${what}`);
  const wrong = (what: string): RedoubtError =>
    fault(`${what}. Ask the operator of this server to correct the connector.`);
  const child = startConfinedCommand({
    words: [...host.networked, ...command],
    env,
    input: `${JSON.stringify(task)}\n`,
    signal,
  });
  const expected = task.action === 'discover' ? 'stream' : 'checkpoint';
  let isComplete = false;
  let messages = 0;
  try {
    for await (const line of readLines(child.output)) {
      if (line[0] === brace) {
        messages = 0;
        yield { kind: 'row', row: copyRow(line) };
        continue;
      }
      const [, kind, json] =
        (line.length <= maxMessageBytes ? messageForm.exec(line.toString('utf8')) : null) ?? [];
      if (kind === 'end') {
        isComplete = true;
        break;
      }
      const parsed = parse(json);
      if (kind === 'error') {
        const { message } = (parsed?.content ?? {}) as { message?: unknown };
        throw fault(`reports: ${shownText(message, task.secrets)}`);
      }
      if (kind !== expected || parsed === undefined) {
        throw wrong(
          kind === undefined
            ? 'wrote a line that is neither a JSON object nor a message'
            : `wrote a message #${kind} that is not part of its protocol`,
        );
      }
      if (++messages > maxMessages)
        throw wrong(`wrote more than ${String(maxMessages)} messages without a row`);
      yield { kind, content: parsed.content };
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RedoubtError) throw error;
    throw wrong('wrote a line that is too long, or that has no end');
  } finally {
    child.end();
  }
  const end = await child.ended;
  signal.throwIfAborted();
  if (isComplete) return;
  host.report(end, describeErrorOutput(child.errors()));
  throw wrong(`ended without the message #end (${end})`);
}

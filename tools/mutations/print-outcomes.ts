import { run } from 'node:test';
import { inspect } from 'node:util';

/** The outcome of a test, as a line of JSON. */
export interface TestOutcome {
  readonly name: string;
  /** The messages of the error and its causes; absent if the test passed. */
  readonly error?: string;
  readonly isSkipped: boolean;
}

/** Runs the tests of a file that have a name, and prints their outcomes. */
const [file = '', name = ''] = process.argv.slice(2);
const escaped = name.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

for await (const event of run({ files: [file], testNamePatterns: new RegExp(`^${escaped}$`) })) {
  if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
  const { data } = event;
  const outcome: TestOutcome = {
    name: data.name,
    ...('error' in data.details && { error: messagesOf(data.details.error).join('\n') }),
    isSkipped: data.skip !== undefined,
  };
  console.log(JSON.stringify(outcome));
}

/** The runner wraps the error that a test throws, and repeats its message. */
function messagesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return error === undefined ? [] : [inspect(error)];
  return [...new Set([error.message, ...messagesOf(error.cause)])];
}

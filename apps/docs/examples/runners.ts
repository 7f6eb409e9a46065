import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Block } from './blocks.ts';
import type { ExampleEnvironment } from './example-server.ts';
import { pythonForExamples } from './python.ts';
import { startSession, type Session } from './session.ts';

/** The result of an example. */
export interface Finding {
  /** Its output: in a shell, that of its last curl. */
  readonly output: string;
  /** The problem, with the line of the block if it is known. */
  readonly problem?: { readonly message: string; readonly line?: number };
  /** Why it was not run: what this machine lacks. */
  readonly missing?: string;
  /** Set if no later example can be run. */
  readonly isOver?: true;
}

const here = import.meta.dirname;
const packages = join(here, '../../../node_modules');
const needsConnector = /\bkdp_(api|connector)\b|\bkdp\./;
const execute = promisify(execFile);

const contentOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');
const shorten = (text: string): string => (text.length > 2000 ? `${text.slice(0, 2000)} …` : text).trim();

const realCurl = (): string => {
  const found = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'curl'))
    .find((path) => existsSync(path));
  return found ?? 'curl';
};

interface Call {
  readonly status: number;
  readonly url: string;
}

const readCalls = (text: string, server: string): Call[] =>
  text
    .split('\n')
    .map((line) => /^(?<status>\d+) (?<url>.*)$/.exec(line)?.groups ?? {})
    .map(({ status, url = '' }) => ({ status: Number(status), url }))
    .filter(({ url }) => url.startsWith(server));

const statusProblem = (calls: readonly Call[], expected: number | undefined): string | undefined => {
  const last = calls.at(-1);
  const wrong = calls.find((call) => call.status >= 400 && !(call === last && expected !== undefined));
  if (wrong !== undefined) return `${wrong.url} returned ${wrong.status}`;
  if (expected === undefined || last?.status === expected) return undefined;
  return `the last call must return ${expected}, got ${last?.status ?? 'no response'}`;
};

interface QueryAnswer {
  readonly records?: readonly unknown[];
  readonly name?: string;
  readonly message?: string;
}

const queryProblem = (block: Block, status: number, answer: QueryAnswer): string | undefined => {
  const expected = block.marks.get('error');
  if (expected !== undefined) {
    return answer.name === expected ? undefined : `expected ${expected}, got ${status} ${answer.name ?? ''}`;
  }
  if (status !== 200) return `returned ${status} ${answer.name ?? ''}: ${answer.message ?? ''}`;
  if (answer.records?.length === 0 && !block.marks.has('rows')) return 'returned no row';
  return undefined;
};

/** Creates the runners for the examples of one page. */
export const createRunners = (
  server: string,
  given: ExampleEnvironment,
): { run(block: Block, name: string): Promise<Finding>; close(): void } => {
  const { folder, state } = given;
  const at = (name: string): string => join(state, name);
  const sessions = new Map<string, Session>();
  const base = {
    ...process.env,
    ...given.environment,
    HOME: folder,
    EXAMPLES_STATE: state,
    EXAMPLES_CURL: realCurl(),
    PATH: [join(here, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter),
  };
  writeFileSync(
    at('environment'),
    Object.entries(given.environment)
      .map((pair) => pair.join('='))
      .join('\0'),
  );
  symlinkSync(packages, join(folder, 'node_modules'));

  /** The variables that the page has set so far. */
  const readVariables = (): Record<string, string> =>
    Object.fromEntries(
      contentOf(at('environment'))
        .split('\0')
        .filter((pair) => pair.includes('='))
        .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    );

  const session = (name: string, command: readonly [string, ...string[]]): Session => {
    const open = sessions.get(name) ?? startSession(command, { folder, state, environment: base });
    sessions.set(name, open);
    return open;
  };

  const runBash = async (block: Block, name: string): Promise<Finding> => {
    for (const file of ['calls', 'answer', 'line']) rmSync(at(file), { force: true });
    const { succeeded, errors } = await session('bash', ['bash', join(here, 'run-blocks.sh')]).run(
      name,
      block.text,
    );
    const output = contentOf(at('answer'));
    const calls = readCalls(contentOf(at('calls')), server);
    const expected = block.marks.get('status');
    const wrong = statusProblem(calls, expected === undefined ? undefined : Number(expected));
    if (succeeded && wrong === undefined) return { output };
    const line = Number(contentOf(at('line')).trim());
    const message = [wrong ?? 'the shell exited', shorten(errors), shorten(output)]
      .filter(Boolean)
      .join('\n    ');
    return {
      output,
      problem: { message, ...(line > 0 && !succeeded && { line }) },
      ...(!succeeded && { isOver: true }),
    };
  };

  const runPython = async (block: Block, name: string): Promise<Finding> => {
    const python = await pythonForExamples(needsConnector.test(block.text));
    if ('missing' in python) return { output: '', missing: python.missing };
    const driver = [python.command, join(here, 'run-blocks.py')] as const;
    const { succeeded, output, errors } = await session('python', driver).run(`${name}.py`, block.text);
    return { output, ...(!succeeded && { problem: { message: errors.trim() } }) };
  };

  const runTypeScript = async (block: Block, name: string): Promise<Finding> => {
    const file = join(folder, `${name}.mts`);
    writeFileSync(file, block.text);
    try {
      const env = { ...base, ...readVariables() };
      const { stdout } = await execute(process.execPath, [file], { cwd: folder, env, maxBuffer: 1 << 26 });
      return { output: stdout };
    } catch (error) {
      const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
      return { output: '', problem: { message: shorten(said) } };
    }
  };

  const runQuery = async (block: Block): Promise<Finding> => {
    const variables = readVariables();
    const token = block.marks.get('as') === 'reader' ? variables['READER'] : variables['TOKEN'];
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const ask = async (path: string, body?: unknown): Promise<{ status: number; text: string }> => {
      const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
      const response = await fetch(`${server}${path}`, init);
      return { status: response.status, text: await response.text() };
    };
    let path = '/query';
    let body: Record<string, unknown> = { expression: block.text };
    if (block.language === 'lucene') {
      const name = block.marks.get('dataset') ?? 'navaids';
      const { text } = await ask(`/datasets?name=${encodeURIComponent(name)}`);
      const { data = [] } = JSON.parse(text) as { data?: { id: string }[] };
      if (data[0] === undefined)
        return { output: '', problem: { message: `the dataset ${name} does not exist` } };
      path = '/query/lucene';
      body = { expression: block.text, datasetId: data[0].id };
    }
    const { status, text } = await ask(path, body);
    const message = queryProblem(block, status, JSON.parse(text) as QueryAnswer);
    return { output: text, ...(message !== undefined && { problem: { message } }) };
  };

  return {
    run: (block, name) => {
      switch (block.language) {
        case 'bash':
          return runBash(block, name);
        case 'python':
          return runPython(block, name);
        case 'ts':
          return runTypeScript(block, name);
        default:
          return runQuery(block);
      }
    },
    close: () => {
      for (const open of sessions.values()) open.close();
    },
  };
};

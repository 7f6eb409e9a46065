/* Shows: A-tour, A-demo, A-demo-again, A-memory-idle */
import { memoryOf } from '@redoubt/testkit';
import { startServerProcess, type ServerProcess } from '@redoubt/server/testing';
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const page = join(import.meta.dirname, '../../../docs/docs/getting-started/shell-tour.md');

describe('the tour with curl', () => {
  let dataDir: string;
  let server: ServerProcess;
  /** The lines that the demo prints. */
  let printed: string[];
  /** The shell blocks of the page. */
  let steps: string[];

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'redoubt-readme-'));
    server = await startServerProcess({ dataDir, args: ['--demo'] });
    while (!server.output().includes('name:saint')) await new Promise((resolve) => setTimeout(resolve, 50));
    printed = (await readFile(join(dataDir, 'demo.txt'), 'utf8')).split('\n');
    const text = await readFile(page, 'utf8');
    steps = [...text.matchAll(/```bash\n([\s\S]*?)```/g)].map((block) => block[1] ?? '');
  });
  after(async () => {
    await server.kill();
    await rm(dataDir, { recursive: true, force: true });
  });

  const signInAs = (name: string): string => {
    const line = printed[printed.findIndex((each) => each.startsWith(`# ${name} `)) + 1];
    ok(line !== undefined && line.startsWith('TOKEN=$(curl '));
    return line;
  };
  /** Runs the lines in a shell and gives its output: one response per line. */
  const paste = async (...lines: string[]): Promise<string[]> => {
    const script = lines.join('\n').replaceAll('http://127.0.0.1:7600', server.url);
    const { stdout, stderr } = await run('bash', ['-c', script], { cwd: dataDir });
    equal(stderr, '');
    return stdout.trim().split('\n');
  };

  test('every command of the tour works when pasted, and returns what the text says', async () => {
    ok(steps.length >= 4);
    const outputs = await paste(signInAs('Ada'), ...steps);
    for (const output of outputs) ok(!/^{"name":"\w+Error"/.test(output), output);
    match(outputs[0] ?? '', /"name":"countries","recordCount":[1-9]/);
    ok(outputs.some((output) => /^{"records":\[{"name":"[^"]+","aids":[1-9]/.test(output)));
    ok(outputs.some((output) => /^"?ident"?,"?name"?,"?type"?\r?$/.test(output)));
    ok(outputs.some((output) => output.includes('"workspace":"demo"')));
    ok(
      outputs.some((output) => /^{"records":\[{"note":"Runway 09 closed"[^}]*}\],.*"total":1}$/.test(output)),
    );
    ok(
      outputs.some((output) => /"received":2,"written":2,/.test(output)),
      outputs.join('\n'),
    );
    match(outputs.at(-1) ?? '', /^{"id":"[^"]+","attributeId":"[^"]+","userId":"[^"]+"}$/);
  });

  test('the demo prints where the console is, and the accounts that sign in to it', async () => {
    ok(printed.some((line) => line.startsWith(`Open the console on ${server.url}/app/ and sign in`)));
    const accounts = printed.flatMap((line) => {
      const [, email, password] = /: (\S+), password (\S+)$/.exec(line) ?? [];
      return email === undefined ? [] : [{ email, password }];
    });
    deepEqual(
      accounts.map(({ email }) => email),
      ['ada@demo.example', 'ben@demo.example', 'admin@demo.example'],
    );
    for (const account of accounts) {
      const response = await fetch(`${server.url}/authentication`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ strategy: 'local', ...account }),
      });
      equal(response.status, 201, account.email);
    }
  });

  test('the searches that the demo prints give Ada, Ben and the administrator different results', async () => {
    const searches = printed.filter((line) => line.startsWith('curl '));
    equal(searches.length, 3);
    const totals = async (name: string): Promise<number[]> => {
      const outputs = await paste(signInAs(name), ...searches.map((line) => `${line}; echo`));
      return outputs.map((output) => (JSON.parse(output) as { total: number }).total);
    };
    const [ada, ben, alex] = [await totals('Ada'), await totals('Ben'), await totals('Alex')];
    for (const index of [0, 1, 2]) {
      ok((ada[index] ?? 0) > 0 && (ben[index] ?? 0) > 0, 'both must find something');
      ok(ada[index] !== ben[index], 'their totals must differ');
    }
    equal(alex.join(), '0,0,0');
  });

  const idleMegabytes = 500;
  const untilIdleMemory = async (): Promise<void> => {
    while (memoryOf(server.pid).anonymous >= idleMegabytes)
      await new Promise((resolve) => setTimeout(resolve, 200));
  };
  const onLinux = process.platform === 'linux' ? false : 'only Linux reports anonymous memory';

  test(
    'after the demo an idle server has less than 500 MB of anonymous memory',
    { skip: onLinux },
    untilIdleMemory,
  );

  test('after a restart, the demo prints the same sign-ins', async () => {
    const before = await readFile(join(dataDir, 'demo.txt'), 'utf8');
    const { url } = server;
    equal(await server.stop(), 0);
    server = await startServerProcess({ dataDir, args: ['--demo'] });
    while (!server.output().includes('name:saint')) await new Promise((resolve) => setTimeout(resolve, 50));
    // The restarted server uses another free port.
    equal(await readFile(join(dataDir, 'demo.txt'), 'utf8'), before.replaceAll(url, server.url));
  });

  test(
    'after a restart, an idle server has less than 500 MB of anonymous memory',
    { skip: onLinux },
    untilIdleMemory,
  );
});

import assert from 'node:assert/strict';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { silentProcessorSeconds } from './process-watch.ts';
import { parseFile, type ParserItem } from './start-parser.ts';

const shell = existsSync('/proc/self/stat') && existsSync('/bin/sh');

interface Parsed {
  items: ParserItem[];
  reports: [why: string, errors: readonly string[]][];
}

/** Runs shell commands in place of a parser, and returns the outcome for the file. */
const parseWith = async (commands: string): Promise<Parsed> => {
  const folder = await mkdtemp(join(tmpdir(), 'process-watch-'));
  const path = join(folder, 'file');
  await writeFile(path, 'x');
  const file = await open(path);
  const reports: Parsed['reports'] = [];
  const host = {
    prefix: ['/bin/sh', '-c', commands],
    networked: [],
    hasNoNetwork: false,
    hasLimits: false,
    silentSeconds: () => 0.5,
    report: (why: string, errors: readonly string[]) => void reports.push([why, errors]),
  };
  try {
    const task = { extension: '', isDocument: false, reading: {}, requiredColumns: [], labelFields: [] };
    const items = await Array.fromAsync(parseFile(host, file.fd, task, new AbortController().signal));
    return { items, reports };
  } finally {
    await file.close();
    await rm(folder, { recursive: true });
  }
};

test(
  'a process that works without output is stopped by its processor time, and the message says so',
  {
    skip: !shell,
  },
  async () => {
    const { items, reports } = await parseWith(
      `echo 'O{"format":"parquet","containers":[]}'; while :; do :; done`,
    );
    assert.deepEqual(
      items.map(({ kind }) => kind),
      ['opened', 'fault'],
    );
    assert.match(JSON.stringify(items[1]), /it used more than \d+ seconds of processor time for one part/);
    assert.match(reports[0]?.[0] ?? '', /processor time/);
  },
);

test('a process with output may work on', { skip: !shell }, async () => {
  const { items, reports } = await parseWith(
    'n=0; while [ $n -lt 30 ]; do n=$((n+1)); i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; echo P1; done; echo E',
  );
  assert.equal(items.length, 30);
  assert.deepEqual(reports, []);
});

test(
  'the log names the errors of a parser process that fails, without their messages',
  {
    skip: !shell,
  },
  async () => {
    const { items, reports } = await parseWith('echo "TypeError: secret" >&2; exit 3');
    assert.deepEqual(
      items.map(({ kind }) => kind),
      ['fault'],
    );
    assert.deepEqual(reports, [['it ended with 3', ['TypeError']]]);
  },
);

test('readers that go by counts in the file get little time for a small file', () => {
  const size = 25_000;
  assert.ok(silentProcessorSeconds({ size, format: 'parquet', containers: [] }) < 11);
  assert.equal(silentProcessorSeconds({ size: 1e9, format: 'parquet', containers: [] }), 60);
  for (const [format, containers] of [
    ['yaml', []],
    ['parquet', ['gzip']],
    [undefined, undefined],
  ] as const)
    assert.equal(silentProcessorSeconds({ size, format, containers }), 60);
});

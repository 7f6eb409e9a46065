import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findConfinement, type Confinement } from './confinement.ts';
import { parseFile, type ParserItem } from './start-parser.ts';

const skip =
  existsSync('/proc/self/status') && existsSync('/bin/sh')
    ? false
    : 'needs /proc and a shell, to limit and to measure the memory of a process';

interface Outcome {
  items: ParserItem[];
  reports: string[];
}

/** Parses a YAML file, which takes many times its size in memory. */
const parse = async (
  { prefix, hasLimits }: Pick<Confinement, 'hasLimits' | 'prefix'>,
  rows: number,
): Promise<Outcome> => {
  const folder = await mkdtemp(join(tmpdir(), 'parser-memory-'));
  const path = join(folder, 'file');
  await writeFile(path, '- {id: 1, name: one}\n'.repeat(rows));
  const file = await open(path);
  const reports: string[] = [];
  const host = {
    prefix,
    networked: [],
    hasNoNetwork: false,
    hasLimits,
    silentSeconds: () => 600,
    report: (why: string) => void reports.push(why),
  };
  try {
    const task = { extension: '.yaml', isDocument: false, reading: {}, requiredColumns: [], labelFields: [] };
    const items = await Array.fromAsync(parseFile(host, file.fd, task, new AbortController().signal));
    return { items, reports };
  } finally {
    await file.close();
    await rm(folder, { recursive: true });
  }
};

const faultOf = ({ items }: Outcome): string => {
  const last = items.at(-1);
  return last?.kind === 'fault' ? last.text : '';
};

const system = await findConfinement();

test('within the limit of the system, the parser reads the file', { skip }, async () => {
  const outcome = await parse(system, 10);
  assert.equal(outcome.items.filter(({ kind }) => kind === 'row').length, 10);
  assert.deepEqual(outcome.reports, []);
});

test(
  'a parser beyond the memory limit of the system ends, and the message names the memory',
  { skip },
  async () => {
    const outcome = await parse(system, 750_000);
    assert.match(
      faultOf(outcome),
      /it ended before the end of the file, as when it needs more than 1200 MB of memory\. Split/,
    );
    assert.equal(outcome.reports.length, 1);
  },
);

test(
  'without limits of the system, the server measures the memory and stops the parser',
  { skip },
  async () => {
    const grow = 'const held = []; setInterval(() => held.push(Buffer.alloc(100e6, 1)), 100);';
    const outcome = await parse(
      { prefix: ['/bin/sh', '-c', `exec "$1" --eval '${grow}'`, 'sh'], hasLimits: false },
      1,
    );
    assert.match(faultOf(outcome), /was stopped: it needs more than 1200 MB of memory\. Split the file/);
    assert.deepEqual(outcome.reports, ['it needs more than 1200 MB of memory']);
  },
);

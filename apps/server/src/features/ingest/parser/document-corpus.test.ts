import { makeDocx, makeOdt, makePdf, makePptx } from '@redoubt/file-formats/testing';
import { readTestEffort } from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { findConfinement } from './confinement.ts';
import { parseFile, type ParserHost } from './start-parser.ts';

/** Modules of Apache Tika whose test files are read, from the Maven registry: none in the short form. */
const modules = ['pdf', 'microsoft', 'mail', 'ocr', 'image'].slice(
  0,
  readTestEffort('REDOUBT_DOCUMENT_MODULES', 0),
);
const version = '3.3.1';

/** What became of a file: its text, its pages as images, neither, a message for people, or the end of its process. */
type Outcome = 'text' | 'scan' | 'empty' | 'refused' | 'fault';

const folder = mkdtempSync(join(tmpdir(), 'redoubt-documents-'));
let host: ParserHost;
const reports: string[] = [];

before(async () => {
  host = { ...(await findConfinement()), report: (why) => void reports.push(why) };
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Unpacks the test files of a module. Returns their paths. */
const filesOfModule = (module: string): string[] => {
  const artifact = `org.apache.tika:tika-parser-${module}-module:${version}:jar:tests`;
  const target = join(folder, module);
  const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy';
  execFileSync('mvn', ['-q', '-B', copy, `-Dartifact=${artifact}`, `-DoutputDirectory=${target}`]);
  for (const jar of readdirSync(target))
    execFileSync('unzip', ['-qo', join(target, jar), 'test-documents/*', '-d', target]);
  const entries = readdirSync(join(target, 'test-documents'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
};

const smallCorpus = async (): Promise<string[]> => {
  const documents = {
    'a.pdf': makePdf(['Runway']),
    'locked.pdf': makePdf(['Runway'], { isEncrypted: true }),
    'a.docx': await makeDocx(['Runway']),
    'a.pptx': await makePptx(['Runway']),
    'a.odt': await makeOdt(['Runway']),
    'a.tif': readFileSync(new URL('../../../../../../testdata/scans/phototest.tif', import.meta.url)),
  };
  for (const [name, content] of Object.entries(documents)) writeFileSync(join(folder, name), content);
  return Object.keys(documents).map((name) => join(folder, name));
};

const outcomeOf = async (path: string): Promise<Outcome> => {
  const file = await open(path);
  try {
    const before = reports.length;
    const task = {
      extension: extname(path),
      isDocument: true,
      reading: {},
      requiredColumns: [],
      labelFields: [],
      scansFrom: 0,
    };
    let outcome: Outcome = 'empty';
    for await (const item of parseFile(host, file.fd, task, new AbortController().signal)) {
      if (item.kind === 'fault') return reports.length > before ? 'fault' : 'refused';
      if (item.kind === 'scan' && outcome === 'empty') outcome = 'scan';
      if (item.kind === 'row') {
        const { text } = JSON.parse(item.json.toString('utf8')) as { text: string };
        if (text.trim() !== '') outcome = 'text';
      }
    }
    return outcome;
  } finally {
    await file.close();
  }
};

test('a document gives its text, its pages as images, or a message that says why not', async (t) => {
  const files = modules.length === 0 ? await smallCorpus() : modules.flatMap(filesOfModule);
  const outcomes = new Map<string, Record<Outcome, number>>();
  const faults: string[] = [];
  for (const path of files) {
    const format = extname(path).toLowerCase();
    const counts = outcomes.get(format) ?? { text: 0, scan: 0, empty: 0, refused: 0, fault: 0 };
    const outcome = await outcomeOf(path);
    counts[outcome]++;
    outcomes.set(format, counts);
    if (outcome === 'fault') faults.push(`${path.slice(folder.length)}: ${reports.at(-1) ?? ''}`);
  }
  for (const [format, counts] of [...outcomes].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    t.diagnostic(`${format}: ${JSON.stringify(counts)}`);
  if (modules.length === 0)
    assert.deepEqual(outcomes.get('.pdf'), { text: 1, scan: 0, empty: 0, refused: 1, fault: 0 });
  assert.deepEqual(faults, []);
});

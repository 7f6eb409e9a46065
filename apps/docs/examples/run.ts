import { parseArgs } from 'node:util';
import { exampleKinds } from './blocks.ts';
import { openHouse } from './house.ts';
import { readPages } from './pages.ts';
import { runPage } from './run-page.ts';

/**
 * `node apps/docs/examples/run.ts [--show] [part of a page's path…]`: runs the examples of pages and says what is
 * wrong; with `--show` also what each has printed.
 */
const { values, positionals } = parseArgs({ options: { show: { type: 'boolean' } }, allowPositionals: true });
const wanted = positionals.map((argument) =>
  argument.replace(/^.*apps\/docs\/docs\//, '').replace(/\.mdx?$/, ''),
);
const pages = readPages().filter(
  ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
);
if (pages.length === 0) {
  console.error(`No page's path has ${wanted.join(' or ')} in it.`);
  process.exit(1);
}

const house = await openHouse();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    void house.close().finally(() => process.exit(1));
  });
}
let failures = 0;
try {
  for (const page of pages) {
    const { counts, faults, missing } = await runPage(house, page, (block, output) => {
      if (values.show === true) console.log(`${page.file}:${block.line}: ${output.slice(0, 4000)}`);
    });
    failures += faults.length;
    const told = exampleKinds.filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${kind}`);
    console.log(`${faults.length === 0 ? '✔' : '✖'} ${page.name}: ${told.join(', ') || 'no examples'}`);
    if (missing !== undefined) console.log(`  not all were run: ${missing}`);
    for (const { line, message } of faults) console.log(`  ${page.file}:${line}: ${message}`);
  }
} finally {
  await house.close();
}
process.exitCode = failures === 0 ? 0 : 1;

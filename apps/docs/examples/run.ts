import { parseArgs } from 'node:util';
import { exampleKinds } from './blocks.ts';
import { startExampleServer } from './example-server.ts';
import { readPages } from './pages.ts';
import { runPage } from './run-page.ts';

/**
 * `node apps/docs/examples/run.ts [--show] [part of a page's path…]`: runs the examples of pages and reports problems;
 * with `--show` also the output of each.
 */
const { values, positionals } = parseArgs({ options: { show: { type: 'boolean' } }, allowPositionals: true });
const wanted = positionals.map((argument) =>
  argument.replace(/^.*apps\/docs\/docs\//, '').replace(/\.mdx?$/, ''),
);
const pages = readPages().filter(
  ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
);
if (pages.length === 0) {
  console.error(`An argument must be part of a page's path, got ${wanted.join(', ')}.`);
  process.exit(1);
}

const server = await startExampleServer();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    void server.close().finally(() => process.exit(1));
  });
}
let failures = 0;
try {
  for (const page of pages) {
    const { counts, problems, missing } = await runPage(server, page, (block, output) => {
      if (values.show === true) console.log(`${page.file}:${block.line}: ${output.slice(0, 4000)}`);
    });
    failures += problems.length;
    const counted = exampleKinds.filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${kind}`);
    console.log(`${problems.length === 0 ? '✔' : '✖'} ${page.name}: ${counted.join(', ') || 'no examples'}`);
    if (missing !== undefined) console.log(`  not all were run: ${missing}`);
    for (const { line, message } of problems) console.log(`  ${page.file}:${line}: ${message}`);
  }
} finally {
  await server.close();
}
process.exitCode = failures === 0 ? 0 : 1;

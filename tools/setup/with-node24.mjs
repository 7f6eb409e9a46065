import { delimiter, dirname, join } from 'node:path';
import { dependencies } from './dependencies.mjs';
import { node24 } from './node24.mjs';
import { thisPlatform } from './platform.mjs';
import { root } from './root.mjs';
import { run } from './run.mjs';
import { runBeside } from './run-beside.mjs';
import { SetUpError, say } from './say.mjs';

/** The engines work on libuv's threads: with the usual four, a few long queries would hold up everything. */
const threads = '32';

/**
 * glibc keeps what was freed in up to eight arenas a core, and takes ever larger blocks out of them: an idle server held 200
 * MB that way. With these it has two arenas, and gives large blocks and free ends back to the system.
 */
const glibc = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

const options = [
  // Early releases of Node.js 24 call the running of TypeScript an experiment, on every start.
  '--disable-warning=ExperimentalWarning',
  // The package of the documentation site names no kind of modules, since its builder breaks when it does.
  '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
];

/**
 * Sets up what the house needs (Node.js 24, packages; nothing when it is there), then runs a script of it
 * with these arguments under Node.js 24, and makes its exit code ours.
 * @param beside another script with its arguments, which runs at the same time, after the first in all else
 * Answers whether set-up went well.
 */
export async function withNode24(script, args, beside) {
  let node;
  try {
    const platform = thisPlatform();
    node = await node24(platform);
    await dependencies(platform);
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    say(error.message);
    process.exitCode = 1;
    return false;
  }
  const env = {
    ...withoutThoseSet(glibc),
    UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? threads,
    // Reading the sources takes half of every start; what was read once is kept.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/redoubt/compiled'),
    PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
  };
  const endBeside = beside === undefined ? undefined : runBeside(node, [...options, ...beside], env);
  process.exitCode = await run(node, [...options, script, ...args], env);
  await endBeside?.();
  return true;
}

/** What the operator has set stays as it is. */
const withoutThoseSet = (variables) =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => process.env[name] === undefined));

import { delimiter, dirname, join } from 'node:path';
import { dependencies } from './dependencies.mjs';
import { node24 } from './node24.mjs';
import { thisPlatform } from './platform.mjs';
import { root } from './root.mjs';
import { run } from './run.mjs';
import { SetUpError, say } from './say.mjs';

/** The engines work on libuv's threads: with the usual four, a few long queries would hold up everything. */
const threads = '32';

/**
 * Sets up what the house needs (Node.js 24, packages; nothing when it is there), then runs a script of it
 * with these arguments under Node.js 24, and makes its exit code ours.
 * Answers whether set-up went well.
 */
export async function withNode24(script, args) {
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
  // Early releases of Node.js 24 call the running of TypeScript an experiment, on every start.
  process.exitCode = await run(node, ['--disable-warning=ExperimentalWarning', script, ...args], {
    UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? threads,
    // Reading the sources takes half of every start; what was read once is kept.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/redoubt/compiled'),
    PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
  });
  return true;
}

import { delimiter, dirname, join } from 'node:path';
import { dependencies } from './dependencies.mjs';
import { node24 } from './node24.mjs';
import { thisPlatform } from './platform.mjs';
import { root } from './root.mjs';
import { run } from './run.mjs';
import { runBeside } from './run-beside.mjs';
import { SetUpError, say } from './say.mjs';

/** The engines run on libuv's threads: with the default of four, a few long queries would block everything else. */
const threads = '32';

/**
 * By default, glibc keeps freed memory in up to eight arenas per core, and allocates ever larger blocks from them: an
 * idle server held 200 MB that way. With these settings it has two arenas, and returns large blocks and free memory at
 * their end to the system.
 */
const glibc = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

const options = [
  // Early releases of Node.js 24 warn at every start that running TypeScript is experimental.
  '--disable-warning=ExperimentalWarning',
  // The package.json of the documentation site has no "type", since Docusaurus breaks with one.
  '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
];

/**
 * Installs what is missing (Node.js 24, packages), then runs a script with these arguments under Node.js 24, and sets
 * its exit code as that of this process.
 * @param beside other scripts with their arguments, which run in the background at the same time
 * @returns whether the installation succeeded
 */
export async function withNode24(script, args, beside = []) {
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
    ...withoutSet(glibc),
    UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? threads,
    // Compiling the sources takes half of every start, so cache the result.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/redoubt/compiled'),
    PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
  };
  const endBeside = beside.map((command) => runBeside(node, [...options, ...command], env));
  process.exitCode = await run(node, [...options, script, ...args], env);
  await Promise.all(endBeside.map((end) => end()));
  return true;
}

/** The variables that the operator has not set. */
const withoutSet = (variables) =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => process.env[name] === undefined));

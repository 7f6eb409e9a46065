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
 * Installs what is missing (Node.js 24, and the packages of a part), then runs a script with these arguments under
 * Node.js 24, and sets its exit code as that of this process.
 * @param part the packages that the script needs, see installation.mjs
 * @param beside other scripts with their arguments, which run in the background one after another: those of `first` at
 *   once, those of `later` when the script has sent the message that it is ready
 * @returns whether the installation succeeded
 */
export async function withNode24(part, script, args, beside) {
  let node;
  try {
    node = await install(part);
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
  const command = [...options, script, ...args];
  if (beside === undefined) process.exitCode = await run(node, command, env);
  else process.exitCode = await runWithOthers(node, command, env, beside);
  return true;
}

async function runWithOthers(node, command, env, { first, later }) {
  let onReady;
  const ready = new Promise((resolve) => (onReady = resolve));
  async function* others() {
    yield* first;
    await ready;
    yield* later;
  }
  const endOthers = runBeside(node, options, others(), env);
  const code = await run(node, command, env, onReady);
  onReady();
  await endOthers();
  return code;
}

/** Installs both at once, since each mostly waits for the network. @returns the path of Node.js 24 */
async function install(part) {
  const platform = thisPlatform();
  const [node, packages] = await Promise.allSettled([node24(platform), dependencies(part, platform)]);
  for (const { reason } of [node, packages]) if (reason !== undefined) throw reason;
  return node.value;
}

/** The variables that the operator has not set. */
const withoutSet = (variables) =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => process.env[name] === undefined));

import { spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { megabytesOf } from './folder-size.mjs';
import { broughtFolder, root } from './root.mjs';
import { SetUpError, say, showProgress } from './say.mjs';
import { requireSpace } from './writable.mjs';

const tailLines = 15;
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs npm and shows its progress by the size of the folder that it fills.
 * @param intro a sentence about what happens, printed once
 * @param task the same in a few words
 * @param about the expected size in megabytes
 */
export async function npm(args, { intro, task, folder, about }) {
  mkdirSync(folder, { recursive: true });
  requireSpace(folder, Math.max(0, about - megabytesOf(folder)));
  say(intro);
  const done = showProgress(() => {
    const megabytes = megabytesOf(folder);
    return `${task}: ${megabytes} MB${megabytes <= about ? ` of about ${about} MB` : ''}`;
  });
  try {
    await runNpm([...args, '--no-audit', '--no-fund', '--engine-strict=false']);
  } finally {
    done();
  }
}

async function runNpm(args) {
  const [command, ...first] = npmCommand();
  const child = spawn(command, [...first, ...args], {
    cwd: root,
    env: { ...process.env, ...writableCache() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output = (output + text).slice(-20_000)));
  }
  const signals = forwardSignals(child);
  const code = await new Promise((resolve) => {
    child.on('error', (error) => {
      output += error.message;
      resolve(error.code);
    });
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  signals.end();
  if (code === 0) return;
  if (signals.wasStopped()) throw new SetUpError(`npm ${args[0]} was stopped. Run this again to continue.`);
  const lines = output.trim().split('\n');
  const tail = lines.filter((line) => !/^npm warn|^npm (error|ERR!)\s*$/i.test(line)).slice(-tailLines);
  for (const line of tail) say(`  ${line}`);
  throw new SetUpError(`npm ${args[0]} failed (${code}): ${advice(output)}`);
}

/** Stops npm together with this process. */
function forwardSignals(child) {
  let stopped = false;
  const forward = (signal) => {
    if (!stopped) say('Stopping npm, which removes what it has not finished.');
    stopped = true;
    child.kill(signal);
  };
  for (const signal of stopSignals) process.on(signal, forward);
  return {
    wasStopped: () => stopped,
    end: () => stopSignals.forEach((signal) => process.off(signal, forward)),
  };
}

/** The npm that started this program, run by the same Node.js; else the one on the PATH. */
function npmCommand() {
  const cli = process.env.npm_execpath;
  return cli?.endsWith('npm-cli.js') ? [process.execPath, cli] : ['npm'];
}

/** A user without a home folder (a service account) cannot write to npm's default cache, and gets one in .redoubt. */
function writableCache() {
  const cache = process.env.npm_config_cache ?? join(homedir(), '.npm');
  try {
    mkdirSync(cache, { recursive: true });
    accessSync(cache, constants.W_OK);
    return {};
  } catch {
    return { npm_config_cache: join(broughtFolder, 'npm-cache') };
  }
}

const advices = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT/,
    'cannot reach the package registry. Check the network and proxy settings (npm config get registry), then run this again.',
  ],
  [/ENOSPC/, 'the disk is full. Free about 2 GB, then run this again.'],
  [
    /EACCES|EPERM|EROFS/,
    'cannot write to a folder. Use a copy of Redoubt that you own, or change its owner to yourself, then run this again.',
  ],
  [/ENOENT/, 'cannot find npm. Install npm 9 or later, then run this again.'],
];

function advice(output) {
  const known = advices.find(([pattern]) => pattern.test(output));
  return known ? known[1] : 'the output of npm is above. Fix the problem, then run this again.';
}

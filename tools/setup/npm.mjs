import { spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { folderSize } from './folder-size.mjs';
import { broughtFolder, root } from './root.mjs';
import { SetUpError, say, showProgress } from './say.mjs';
import { requireSpace } from './writable.mjs';

const tailLines = 15;

/**
 * Runs npm and shows how far it is by the size of the folder it fills.
 * `intro` says once what is going on and `task` in short; `about` is the size to expect in megabytes.
 */
export async function npm(args, { intro, task, folder, about }) {
  mkdirSync(folder, { recursive: true });
  requireSpace(folder, Math.max(0, about - Math.round((await folderSize(folder)) / 1e6)));
  say(intro);
  const done = showProgress(async () => {
    const megabytes = Math.round((await folderSize(folder)) / 1e6);
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
  const code = await new Promise((resolve) => {
    child.on('error', (error) => {
      output += error.message;
      resolve(error.code);
    });
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  if (code === 0) return;
  const lines = output.trim().split('\n');
  const tail = lines.filter((line) => !/^npm warn|^npm (error|ERR!)\s*$/i.test(line)).slice(-tailLines);
  for (const line of tail) say(`  ${line}`);
  throw new SetUpError(`npm ${args[0]} failed (${code}): ${advice(output)}`);
}

/** The npm that started us, with the Node.js that started us; else the one on the PATH. */
function npmCommand() {
  const cli = process.env.npm_execpath;
  return cli?.endsWith('npm-cli.js') ? [process.execPath, cli] : ['npm'];
}

/** Somebody without a home (a service account) cannot write npm's usual cache; then it stands beside the rest. */
function writableCache() {
  const usual = process.env.npm_config_cache ?? join(homedir(), '.npm');
  try {
    mkdirSync(usual, { recursive: true });
    accessSync(usual, constants.W_OK);
    return {};
  } catch {
    return { npm_config_cache: join(broughtFolder, 'npm-cache') };
  }
}

const advices = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT/,
    'the package registry cannot be reached; check the network and proxy settings (npm config get registry), then run this again.',
  ],
  [/ENOSPC/, 'the disk is full; free about 2 GB, then run this again.'],
  [
    /EACCES|EPERM|EROFS/,
    'a folder cannot be written; use a copy of Redoubt that you own, or change its owner to yourself, then run this again.',
  ],
  [/ENOENT/, 'npm was not found; install npm 9 or later, then run this again.'],
];

function advice(output) {
  const known = advices.find(([pattern]) => pattern.test(output));
  return known ? known[1] : 'what npm said is above; mend that, then run this again.';
}

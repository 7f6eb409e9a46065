import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { root } from './root.mjs';

/** What we are told, and what the program is told then: a closed terminal is a reason to stop in good order. */
const passedOn = { SIGINT: 'SIGINT', SIGTERM: 'SIGTERM', SIGHUP: 'SIGTERM' };
const sameSignalMs = 1000;
const parentCheckMs = 500;

/**
 * Runs a program until it ends, passing signals on, and answers its exit code.
 * The program stands in a process group of its own: a Ctrl-C reaches us once from the terminal and once more
 * from npm, and the program shall see it once (a second one tells many programs to drop everything).
 */
export async function run(command, args, env) {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
    detached: true,
  });
  const last = new Map();
  const tell = (signal) => {
    const now = Date.now();
    if (now - (last.get(signal) ?? -Infinity) < sameSignalMs) return;
    last.set(signal, now);
    child.kill(signal);
  };
  const handlers = Object.entries(passedOn).map(([signal, told]) => [signal, () => tell(told)]);
  for (const [signal, handler] of handlers) process.on(signal, handler);
  const watch = whenLeftByNpm(() => tell('SIGTERM'));
  try {
    return await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
    });
  } finally {
    for (const [signal, handler] of handlers) process.off(signal, handler);
    clearInterval(watch);
  }
}

/** A signal to npm alone ends npm and its shell, but never reaches us: then we are left without a parent. */
function whenLeftByNpm(stop) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, parentCheckMs);
  return watch;
}

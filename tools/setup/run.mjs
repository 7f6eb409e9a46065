import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { root } from './root.mjs';

/**
 * The signals that are forwarded, each with the signal that the program gets: a closed terminal stops it gracefully.
 */
const forwardedSignals = { SIGINT: 'SIGINT', SIGTERM: 'SIGTERM', SIGHUP: 'SIGTERM' };
const sameSignalMs = 1000;
const parentCheckMs = 500;

/**
 * Runs a program until it ends, and forwards signals to it. A Ctrl-C arrives here twice, from the terminal and from
 * npm, but many programs stop immediately at the second one. So the program has its own process group and gets each
 * signal once.
 * @param onReady called when the program sends a message, if it is given
 * @returns its exit code
 */
export async function run(command, args, env, onReady) {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['inherit', 'inherit', 'inherit', ...(onReady === undefined ? [] : ['ipc'])],
    detached: true,
  });
  if (onReady !== undefined) child.on('message', onReady);
  const last = new Map();
  const forward = (signal) => {
    const now = Date.now();
    if (now - (last.get(signal) ?? -Infinity) < sameSignalMs) return;
    last.set(signal, now);
    child.kill(signal);
  };
  const handlers = Object.entries(forwardedSignals).map(([signal, forwarded]) => [
    signal,
    () => forward(forwarded),
  ]);
  for (const [signal, handler] of handlers) process.on(signal, handler);
  const watch = whenNpmEnds(() => forward('SIGTERM'));
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

/** Calls `stop` when npm has ended: a signal to npm alone ends npm and its shell, but does not reach this process. */
function whenNpmEnds(stop) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, parentCheckMs);
  return watch;
}

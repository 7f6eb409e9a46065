import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { root } from './root.mjs';

/**
 * Runs a program that nobody waits for: it gives way to whatever else wants the processor, and how it ends is its own
 * affair. Answers a function that ends it, if it still runs.
 */
export function runBeside(command, args, env) {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    // A Ctrl-C is for the program in front; this one is ended when that has ended.
    detached: true,
  });
  const ended = new Promise((resolve) => {
    child.on('error', resolve);
    child.on('exit', resolve);
  });
  try {
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Then it runs like everything else.
  }
  return () => {
    child.kill('SIGTERM');
    return ended;
  };
}

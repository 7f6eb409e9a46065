import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { root } from './root.mjs';

/**
 * Runs a program in the background with low priority. Its exit code is ignored.
 * @returns a function that ends it if it is still running
 */
export function runBeside(command, args, env) {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    // A Ctrl-C must reach only the program in the foreground. This program is stopped after it.
    detached: true,
  });
  const ended = new Promise((resolve) => {
    child.on('error', resolve);
    child.on('exit', resolve);
  });
  try {
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // If the priority cannot be changed, the program runs with normal priority.
  }
  return () => {
    child.kill('SIGTERM');
    return ended;
  };
}

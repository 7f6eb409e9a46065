import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { root } from './root.mjs';

/**
 * Runs a program in the background with low priority, once with each list of arguments, one after another. Exit codes
 * are ignored.
 * @param options arguments of all runs
 * @param runs the arguments of each run, also as they come
 * @returns a function that ends the one that is running, and starts no other
 */
export function runBeside(command, options, runs, env) {
  let ended = false;
  let child;
  const all = (async () => {
    for await (const args of runs) {
      if (ended) return;
      child = start(command, [...options, ...args], env);
      await new Promise((resolve) => {
        child.on('error', resolve);
        child.on('exit', resolve);
      });
    }
  })();
  return () => {
    ended = true;
    child?.kill('SIGTERM');
    return all;
  };
}

function start(command, args, env) {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    // A Ctrl-C must reach only the program in the foreground. This program is stopped after it.
    detached: true,
  });
  try {
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // If the priority cannot be changed, the program runs with normal priority.
  }
  return child;
}

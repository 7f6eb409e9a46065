import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** How a process is started that has its share of the cores to itself. */
export interface CoreAssignment {
  readonly execArgv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * One of `lanes` equal shares of the cores of this machine. Threads of one process wake each other tens of thousands of times a
 * second, a server with its engine above all, and on virtual machines each waking of another core costs microseconds: of two
 * processes on two cores, each is done with half the work where it stays on one. More lanes than cores take turns. Nothing is
 * shared out where there is but one core, or a machine cannot keep processes to some.
 */
export function coresForLane(lane: number, lanes: number): CoreAssignment {
  const cores = allowedCores();
  if (cores.length < 2) return { execArgv: [], env: {} };
  const shares = Math.min(lanes, cores.length);
  const share = lane % shares;
  const own = cores.slice(
    Math.floor((share * cores.length) / shares),
    Math.floor(((share + 1) * cores.length) / shares),
  );
  return { execArgv: [`--import=${import.meta.filename}`], env: { [variable]: own.join(',') } };
}

/** The numbers in a list of Linux, such as `0-2,5`. */
export function numbersIn(list: string): number[] {
  return list.split(',').flatMap((range) => {
    const [first = NaN, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

function allowedCores(): number[] {
  if (process.platform !== 'linux') return [];
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  if (list === undefined || spawnSync('taskset', ['--version']).status !== 0) return [];
  return numbersIn(list);
}

const variable = 'REDOUBT_TEST_CORES';

/** With the threads that it has by now; those to come, and its child processes, stay with it. */
function keepTo(cores: string): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(process.pid)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

// As `--import` this module is the first that such a process loads.
const cores = process.env[variable];
if (isMainThread && cores !== undefined && process.execArgv.includes(`--import=${import.meta.filename}`)) {
  keepTo(cores);
}

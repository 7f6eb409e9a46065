import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Options for starting a process that runs only on its share of the cores. */
export interface CoreAssignment {
  readonly execArgv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Assigns one of `lanes` equal shares of the machine's cores. The threads of a process, especially of a server with its
 * engine, wake each other tens of thousands of times a second. On virtual machines, waking another core costs
 * microseconds each time: two processes on two cores need half the CPU time if each of them stays on one core. With
 * more lanes than cores, several lanes use the same core. On a machine with one core, or where processes cannot be
 * bound to cores, this assigns nothing.
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

/** Parses a CPU list of Linux, such as `0-2,5`. */
export function parseCpuList(list: string): number[] {
  return list.split(',').flatMap((range) => {
    const [first = NaN, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

function allowedCores(): number[] {
  if (process.platform !== 'linux') return [];
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  if (list === undefined || spawnSync('taskset', ['--version']).status !== 0) return [];
  return parseCpuList(list);
}

const variable = 'REDOUBT_TEST_CORES';

/** Binds this process and its current threads to cores; later threads and child processes inherit that. */
function bindTo(cores: string): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(process.pid)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

// With `--import`, this is the first module that such a process loads.
const cores = process.env[variable];
if (isMainThread && cores !== undefined && process.execArgv.includes(`--import=${import.meta.filename}`)) {
  bindTo(cores);
}

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

/** What the operating system enforces for parser processes, in addition to the permission model of Node.js. */
export interface Confinement {
  /** The command and arguments in front of Node.js. */
  prefix: readonly string[];
  /** The same for processes that need the network. */
  networked: readonly string[];
  /** Whether the process has no network. */
  hasNoNetwork: boolean;
  /** Whether the kernel limits memory and open files. Otherwise the server measures the memory and kills the process. */
  hasLimits: boolean;
}

/** Maximum number of bytes that a parser process can allocate. */
export const parserMemoryBytes = 1_200_000_000;
const maxOpenFiles = 64;
/** Maximum processor time, in seconds. */
const maxCpuSeconds = 4 * 60 * 60;

const limiter = [
  '/bin/sh',
  '-c',
  `ulimit -d ${String(Math.floor(parserMemoryBytes / 1024))} && ulimit -n ${String(maxOpenFiles)} && ulimit -t ${String(maxCpuSeconds)} && ulimit -c 0 && exec "$@"`,
  'sh',
];

/** Makes the process end with the server, even if the server is killed. */
const ending = ['/usr/bin/setpriv', '--pdeathsig', 'KILL', '--'];

/**
 * Commands that run a program in a new network namespace without any device. The second one works for users other than
 * root.
 */
const networkless = [
  ['/usr/bin/unshare', '--net', '--'],
  ['/usr/bin/unshare', '--user', '--map-current-user', '--net', '--'],
];

const run = promisify(execFile);

const works = async ([command, ...args]: readonly string[]): Promise<boolean> => {
  if (command === undefined || !existsSync(command)) return false;
  try {
    await run(command, [...args, process.execPath, '--version'], { env: {} });
    return true;
  } catch {
    return false;
  }
};

/** Determines what this machine enforces, by trying it. */
export const findConfinement = async (): Promise<Confinement> => {
  const hasLimits = await works(limiter);
  const limits = [...(hasLimits ? limiter : []), ...((await works(ending)) ? ending : [])];
  for (const command of networkless) {
    if (await works([...command, ...limits])) {
      return { prefix: [...command, ...limits], networked: limits, hasNoNetwork: true, hasLimits };
    }
  }
  return { prefix: limits, networked: limits, hasNoNetwork: false, hasLimits };
};

/** Describes the confinement in one line, which the server logs at its start. */
export const describeConfinement = ({ hasNoNetwork, hasLimits }: Confinement): string => {
  const memory = `${String(parserMemoryBytes / 1_000_000)} MB of memory`;
  const limits = hasLimits
    ? `${memory} and ${String(maxOpenFiles)} open files, enforced by the system`
    : `${memory}, measured by the server because the system has no limits for processes`;
  const network = hasNoNetwork
    ? 'without network'
    : 'with network, because this system has no network namespaces for the user of the server';
  return `Uploaded files are parsed in separate processes with at most ${limits}, without environment or access to files, ${network}.`;
};

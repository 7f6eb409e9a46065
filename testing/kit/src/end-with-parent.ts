import { existsSync } from 'node:fs';

const program = '/usr/bin/setpriv';

/** A command that also ends when this process is killed, where the system offers that. */
export const endWithParent = (command: string, args: readonly string[]): [string, string[]] =>
  existsSync(program) ? [program, ['--pdeathsig', 'KILL', '--', command, ...args]] : [command, [...args]];

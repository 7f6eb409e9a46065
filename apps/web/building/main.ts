import { parseArgs } from 'node:util';
import { buildConsole, builtConsole, isCurrent } from './build.ts';

/** Builds the console into the folder that the server serves; with --if-stale only when a source has changed. */
const { values } = parseArgs({ options: { 'if-stale': { type: 'boolean' } } });
const say = (line: string): void => void process.stderr.write(`${line}\n`);

try {
  if (values['if-stale'] !== true || !isCurrent(builtConsole)) {
    await buildConsole(builtConsole);
    say('The console is built. Open /app/ on the server.');
  }
} catch (error) {
  say(`The console could not be built: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

import { parseArgs } from 'node:util';
import { currentBundles } from '../src/platform/bundles/bundled-programs.ts';
import { buildPrograms } from './build.ts';

/** Bundles the confined programs; with --if-stale only when a source has changed. They also run without it. */
const { values } = parseArgs({ options: { 'if-stale': { type: 'boolean' } } });

try {
  if (values['if-stale'] !== true || currentBundles() === undefined) await buildPrograms();
} catch (error) {
  const why = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    `The programs that read files could not be bundled, so they start more slowly: ${why}\n`,
  );
  process.exitCode = 1;
}

import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const docs = dirname(import.meta.dirname);

/** One run of Docusaurus. */
export interface DocusaurusRun {
  /** The folder with the configuration. */
  site: string;
  out: string;
  /** The name of the folder of generated files in `site`: of this run alone, as others may go on beside it. */
  generated: string;
  environment: NodeJS.ProcessEnv;
  /** Whether scripts and styles are made small, which takes a third of the time of a small site; they are unless told. */
  minify?: boolean;
  signal?: AbortSignal | undefined;
}

/** Builds pages in a process of its own. What it generates on the way is gone afterwards. */
export const runDocusaurus = async ({
  site,
  out,
  generated,
  environment,
  minify = true,
  signal,
}: DocusaurusRun): Promise<{ code: unknown; output: string }> => {
  const program = createRequire(import.meta.url).resolve('@docusaurus/core/bin/docusaurus.mjs');
  const args = ['build', site, '--out-dir', out, ...(minify ? [] : ['--no-minify'])];
  const child = spawn(process.execPath, [program, ...args], {
    cwd: docs,
    signal,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...environment,
      DOCUSAURUS_NO_TELEMETRY: '1',
      // What is kept of one build names its generated files, which the next has elsewhere.
      DOCUSAURUS_NO_PERSISTENT_CACHE: '1',
      DOCUSAURUS_GENERATED_FILES_DIR_NAME: generated,
      NO_UPDATE_NOTIFIER: '1',
      NO_COLOR: '1',
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const code = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', resolve);
  });
  rmSync(join(site, generated), { recursive: true, force: true });
  return { code, output };
};

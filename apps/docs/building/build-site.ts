import { mkdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readSiteSettings } from '../site-settings.ts';
import { finishSite, isBuiltFrom, replaceFolder } from '@redoubt/site-files';
import { inputsOf } from './inputs.ts';
import { runDocusaurus } from './run-docusaurus.ts';
import { usedOrigins } from './used-origins.ts';

const docs = join(import.meta.dirname, '..');

/** The site could not be built; `output` is what the builder said. */
export class BuildError extends Error {
  readonly output: string;
  constructor(message: string, output = '') {
    super(message);
    this.output = output;
  }
}

export interface SiteBuild {
  /** Where the site comes to stand. What stands there is replaced when the new one is whole. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Ends the build before its time. */
  readonly signal: AbortSignal;
}

/** Whether the folder holds the site that would be built now. */
export const isCurrent = ({ folder, environment }: Pick<SiteBuild, 'environment' | 'folder'>): boolean =>
  isBuiltFrom(folder, inputsOf(environment));

/** Generated files stand apart from those of other builds, which may run at the same time. */
const generatedFolder = `.docusaurus-build-${process.pid}`;

const runBuilder = async (out: string, { environment, signal }: SiteBuild): Promise<void> => {
  const { code, output } = await runDocusaurus({
    site: docs,
    out,
    generated: generatedFolder,
    environment,
    signal,
  });
  if (code !== 0)
    throw new BuildError(`The documentation site could not be built (${String(code)}).`, output);
};

/**
 * Builds the site, packs its files and puts it in place.
 * @throws BuildError
 */
export const buildSite = async (build: SiteBuild): Promise<void> => {
  const { folder, environment } = build;
  const settings = readSiteSettings(environment);
  const inputs = inputsOf(environment);
  // Beside the place where it will stand, and hidden: moving it there is a matter of its name.
  const made = join(dirname(folder), `.${basename(folder)}-${process.pid}`);
  mkdirSync(dirname(folder), { recursive: true });
  try {
    await runBuilder(made, build);
    await finishSite(made, { inputs, baseUrl: settings.baseUrl, origins: usedOrigins(settings) });
    replaceFolder(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
};

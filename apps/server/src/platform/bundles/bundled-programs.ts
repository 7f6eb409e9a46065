import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository, with a slash at its end. */
export const rootFolder = fileURLToPath(new URL('../../../../../', import.meta.url));

/** Bundles are below `node_modules`, where they find the packages that are not part of them. */
export const bundles = join(rootFolder, 'node_modules/.cache/redoubt/programs');

/** The file that names the bundles to use. */
export const bundleList = join(bundles, 'current.json');

/** What was built, and from what. */
export interface BundleList {
  /** The name of the folder of the bundles. */
  readonly folder: string;
  /** With paths relative to the root of the repository. */
  readonly sources: readonly { readonly path: string; readonly size: number; readonly modified: number }[];
}

/** The name of a program's bundle in the folder. */
export const bundleName = (program: string): string => `${basename(program, '.ts')}.mjs`;

/** The last list of bundles that was compared with the sources. */
let known: { list: string; modified: number; folder: string | undefined } | undefined;

const isCurrent = ({ sources }: BundleList): boolean =>
  sources.every(({ path, size, modified }) => {
    const found = statSync(join(rootFolder, path), { throwIfNoEntry: false });
    return found?.size === size && found.mtimeMs === modified;
  });

const readFolder = (list: string): string | undefined => {
  try {
    const built = JSON.parse(readFileSync(list, 'utf8')) as BundleList;
    return isCurrent(built) ? join(bundles, basename(built.folder)) : undefined;
  } catch {
    return undefined;
  }
};

/** The folder of bundles that were built from the present sources; undefined if there is none. */
export function currentBundles(list = bundleList): string | undefined {
  const modified = statSync(list, { throwIfNoEntry: false })?.mtimeMs;
  if (modified === undefined) return undefined;
  if (known?.list !== list || known.modified !== modified)
    known = { list, modified, folder: readFolder(list) };
  return known.folder;
}

/**
 * The file to start for a program: its bundle, which starts in a quarter of the processor time, or else its source.
 * @param source the path of the source
 */
export function bundleOf(source: string, list = bundleList): string {
  const folder = currentBundles(list);
  const bundle = folder === undefined ? source : join(folder, bundleName(source));
  return existsSync(bundle) ? bundle : source;
}

import { createHash } from 'node:crypto';
import {
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import {
  bundleList,
  bundleName,
  bundles,
  rootFolder,
  type BundleList,
} from '../src/platform/bundles/bundled-programs.ts';

const ingest = join(import.meta.dirname, '../src/features/ingest');
/** The programs that are started for each file, page or source. */
const programs = globSync('**/*-worker.ts', { cwd: ingest }).map((path) => join(ingest, path));

const isOwn = (id: string): boolean => /^[./]|^@redoubt\//.test(id);

/**
 * Whether a package can stay outside of the bundles: they find the same copy of it as the source that imports it.
 * Bundling packages would save little more time, and some of them load files beside their code.
 */
const isSharedPackage = (id: string, importer: string): boolean => {
  try {
    return createRequire(importer).resolve(id) === createRequire(bundleList).resolve(id);
  } catch {
    return false;
  }
};

const sourceOf = (file: string): BundleList['sources'][number] => {
  const { size, mtimeMs: modified } = statSync(file);
  return { path: relative(rootFolder, file), size, modified };
};

/**
 * Bundles the sources of each confined program, so that its processes need not find and compile hundreds of files. The
 * list of the bundles is replaced last; running processes keep the folder of their start until the next build.
 */
export async function buildPrograms(): Promise<void> {
  const build = await rolldown({
    input: Object.fromEntries(programs.map((path) => [basename(path, '.ts'), path])),
    platform: 'node',
    external: (id, importer) => !isOwn(id) && importer !== undefined && isSharedPackage(id, importer),
  });
  const { output } = await build.generate({
    format: 'esm',
    entryFileNames: bundleName('[name]'),
    chunkFileNames: '[name]-[hash].mjs',
  });
  await build.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  const modules = new Set(chunks.flatMap(({ moduleIds }) => moduleIds));
  const files = [import.meta.filename, ...modules].filter((id) => !id.startsWith('\0')).toSorted();
  const hash = createHash('sha256');
  for (const { fileName, code } of chunks) hash.update(`${fileName}\n${code}\n`);
  const name = hash.digest('hex').slice(0, 32);
  const previous = readList()?.folder;

  mkdirSync(join(bundles, name), { recursive: true });
  for (const { fileName, code } of chunks) writeWhole(join(bundles, name, fileName), code);
  const list: BundleList = {
    folder: name,
    sources: files.map(sourceOf),
  };
  writeWhole(bundleList, JSON.stringify(list));
  const kept = new Set([name, previous, basename(bundleList)]);
  for (const old of readdirSync(bundles))
    if (!kept.has(old)) rmSync(join(bundles, old), { recursive: true, force: true });
}

function readList(): BundleList | undefined {
  try {
    return JSON.parse(readFileSync(bundleList, 'utf8')) as BundleList;
  } catch {
    return undefined;
  }
}

/** Writes a file under another name first, so that nobody reads a part of it. */
function writeWhole(file: string, content: string): void {
  const made = join(dirname(file), `.${basename(file)}-${String(process.pid)}`);
  writeFileSync(made, content);
  renameSync(made, file);
}

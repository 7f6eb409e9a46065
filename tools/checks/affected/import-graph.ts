import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** For each source file, the files that import it. Paths are relative to the root. */
export type Importers = ReadonlyMap<string, ReadonlySet<string>>;

interface Statement {
  readonly from: string;
  /** The imported names; undefined for `*`, for all of a file, and for a path in a text. */
  readonly names: readonly string[] | undefined;
  readonly isExport: boolean;
}

const sources = '{apps,packages,testing,bench,tools}/**/*.{ts,tsx,mjs}';
const notSources = ['**/node_modules/**', 'apps/{docs,web}/build/**', '**/.docusaurus*/**'];

/**
 * Reads who imports whom at run time. An import of a name through an index leads to the file that defines the name, so
 * that a change of one file of a package does not reach all who use the package.
 */
export function readImporters(root: string): Importers {
  const files = globSync(sources, { cwd: root, exclude: notSources });
  const statements = new Map(
    files.map((file) => [file, statementsOf(readFileSync(join(root, file), 'utf8'))] as const),
  );
  const resolve = resolver(root, new Set(files));
  const importers = new Map<string, Set<string>>();
  for (const [file, own] of statements) {
    for (const { from, names } of own) {
      const target = resolve(file, from);
      if (target === undefined) continue;
      const targets =
        names === undefined ? [target] : names.map((name) => definition(target, name, statements, resolve));
      for (const one of targets) importers.set(one, (importers.get(one) ?? new Set()).add(file));
    }
  }
  return importers;
}

type Resolve = (file: string, specifier: string) => string | undefined;

/** The file that defines a name which `file` exports. */
function definition(
  file: string,
  name: string,
  statements: ReadonlyMap<string, readonly Statement[]>,
  resolve: Resolve,
): string {
  const exported = statements.get(file)?.find(({ isExport, names }) => isExport && names?.includes(name));
  const target = exported && resolve(file, exported.from);
  return target === undefined ? file : definition(target, name, statements, resolve);
}

const imports = /^(?<kind>import|export)\s+(?<clause>[^'"();]*?)\s*from\s+'(?<from>[^']+)';/gm;
/** What a file loads in other ways, such as a program or worker that it starts, is named by its path. */
const paths = /'(?<from>@redoubt\/[\w/-]+|[\w./-]+\.(?:ts|tsx|mjs))'/g;

function statementsOf(text: string): Statement[] {
  const named = [...text.matchAll(imports)]
    .map(({ groups }) => ({
      from: groups?.['from'] ?? '',
      clause: groups?.['clause'] ?? '',
      isExport: groups?.['kind'] === 'export',
    }))
    .filter(({ clause }) => !/^type\b/.test(clause))
    .map(({ clause, ...statement }) => ({ ...statement, names: namesOf(clause) }));
  const whole = [...text.replaceAll(imports, '').matchAll(paths)].map(({ groups }) => ({
    from: groups?.['from'] ?? '',
    names: undefined,
    isExport: false,
  }));
  return [...named, ...whole];
}

/** The names of `{ a, b as c, type D }` without types; undefined for `* as all` and default imports. */
function namesOf(clause: string): string[] | undefined {
  const list = /\{(?<list>[^}]*)\}/.exec(clause)?.groups?.['list'];
  if (list === undefined) return undefined;
  return list
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && !one.startsWith('type '))
    .map((one) => one.split(' as ')[0]?.trim() ?? '');
}

function resolver(root: string, files: ReadonlySet<string>): Resolve {
  const packages = new Map<string, string>();
  for (const file of globSync('{apps,packages,testing}/*/package.json', { cwd: root })) {
    const { name, exports = {} } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
      name: string;
      exports?: Record<string, string>;
    };
    for (const [path, target] of Object.entries(exports))
      if (typeof target === 'string') packages.set(join(name, path), join(dirname(file), target));
  }
  return (file, specifier) => {
    const found =
      packages.get(specifier) ??
      [normalize(join(dirname(file), specifier)), normalize(specifier)].find((path) => files.has(path));
    return found === file ? undefined : found;
  };
}

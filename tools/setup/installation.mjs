import { join } from 'node:path';

/**
 * The packages that programs need: each part contains the ones before it. `megabytes` is the size of all its packages on
 * Linux x64.
 */
export const parts = {
  server: { of: 'the server and the console', megabytes: 996, workspaces: ['apps/server', 'apps/web'] },
  docs: {
    of: 'the documentation site',
    megabytes: 1147,
    workspaces: ['apps/server', 'apps/web', 'apps/docs'],
  },
  tests: { of: 'the tests', megabytes: 1476 },
};

const engineMegabytes = 570;

/** Says what is going to be installed. @param present the megabytes that are there */
export function announce(part, present) {
  const { of, megabytes } = parts[part];
  const missing = megabytes - present;
  const engine = missing > engineMegabytes ? `, of which the record engine is ${engineMegabytes} MB` : '';
  const size = missing > 0 ? `: about ${missing.toLocaleString('en')} MB${engine}` : '';
  return `Installing the packages of ${of}, once${size}.`;
}

/** The parts that contain this one, itself first. */
export const containing = (part) => Object.keys(parts).slice(Object.keys(parts).indexOf(part));

/** The paths in package-lock.json of the packages that a part needs. */
export function packagesOf(part, lock) {
  const { workspaces } = parts[part];
  const needed = new Set();
  const add = (from, names) => {
    for (const name of names) {
      const path = locate(lock, from, name);
      if (path === undefined || needed.has(path)) continue;
      needed.add(path);
      add(path, required(lock[path]));
    }
  };
  if (workspaces === undefined) {
    for (const path of Object.keys(lock))
      if (path.includes('node_modules/') && !lock[path].link) needed.add(path);
    return needed;
  }
  for (const workspace of workspaces) add(workspace, required(lock[workspace]));
  return needed;
}

const required = ({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} }) => [
  ...Object.keys({ ...dependencies, ...optionalDependencies }),
  ...Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta[name]?.optional !== true),
];

/** Where a package finds another one: beside itself or in a folder above; undefined if npm left it out. */
function locate(lock, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const path = join(folder, 'node_modules', name);
    if (lock[path] !== undefined) return lock[path].link ? lock[path].resolved : path;
    if (folder === '') return undefined;
  }
}

/**
 * The arguments of npm that install a part; undefined if its packages are all installed, so that a developer's own
 * `npm install` is not repeated. npm removes the packages of omitted kinds, so nothing is omitted once tests were
 * installed.
 * @param installed the packages in npm's own list of what it installed, which it writes last
 */
export function installArguments(part, lock, installed) {
  const isThere = (path) => {
    const { version, integrity, optional } = lock[path];
    const there = installed[path];
    if (there === undefined) return optional === true;
    return there.version === version && there.integrity === integrity;
  };
  if ([...packagesOf(part, lock)].every((path) => !path.includes('node_modules/') || isThere(path)))
    return undefined;
  // `npm ci` rejects a lock file without the native libraries of this platform, and deletes what is installed. This
  // installs the same versions, checks the same hashes, and does not change the lock file.
  // Every peer that is needed is a dependency, too. With peers, npm would install optional ones for the tests' sake.
  const args = ['install', '--no-save', '--include=optional', '--legacy-peer-deps'];
  if (part === 'tests' || Object.values(installed).some(({ dev }) => dev === true))
    return [...args, '--include=dev'];
  return [
    ...args,
    '--omit=dev',
    ...parts[part].workspaces.flatMap((workspace) => ['--workspace', workspace]),
  ];
}

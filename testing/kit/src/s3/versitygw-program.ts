import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const source = 'github.com/versity/versitygw/cmd/versitygw';
const version = 'v1.8.0';
/** The folder of downloads that all tests of a clone share. */
const downloads = join(import.meta.dirname, '../../../../.redoubt');

/** Where Go may be: in the path, or where its own installer puts it. */
const compilers = ['go', '/usr/local/go/bin/go'];

const findGo = async (): Promise<string | undefined> => {
  for (const compiler of compilers) {
    const works = await run(compiler, ['version']).then(
      () => true,
      () => false,
    );
    if (works) return compiler;
  }
  return undefined;
};

/**
 * The path of versitygw, which Go fetches and builds once; that takes some minutes.
 * @returns why there is none, if Go is missing or the build fails
 */
export const findVersitygw = async (): Promise<{ program: string } | { missing: string }> => {
  const program = join(downloads, `versitygw-${version}`);
  if (existsSync(program)) return { program };
  const go = await findGo();
  if (go === undefined)
    return {
      missing: 'versitygw needs Go to be built, and there is none on this machine; install Go 1.25 or later.',
    };
  mkdirSync(downloads, { recursive: true });
  const draft = mkdtempSync(join(downloads, 'versitygw-draft-'));
  const env = {
    ...process.env,
    CGO_ENABLED: '0',
    // Files that this process can delete, and no other compiler than the one that is installed.
    GOFLAGS: '-mod=mod -modcacherw',
    GOTOOLCHAIN: 'local',
    GOPATH: join(draft, 'path'),
    GOCACHE: join(draft, 'cache'),
    GOBIN: join(draft, 'bin'),
  };
  try {
    await run(go, ['install', '-ldflags=-s -w', `${source}@${version}`], {
      cwd: draft,
      env,
      maxBuffer: 1 << 26,
    });
    // Another test process may have been faster; it built the same.
    renameSync(join(draft, 'bin/versitygw'), program);
    return { program };
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n').slice(-3).join(' ') : 'unknown';
    return { missing: `Go could not build versitygw ${version}: ${reason}` };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
};

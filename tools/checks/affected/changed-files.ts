import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { encoding: 'utf8' })
    .split('\0')
    .filter((line) => line !== '');

/**
 * The files that differ from a commit, untracked ones included. Without a commit: the uncommitted changes, or those of
 * the last commit if there are none.
 */
export function changedFiles(base?: string): string[] {
  if (base !== undefined) return since(base);
  const uncommitted = since('HEAD');
  return uncommitted.length > 0 ? uncommitted : since('HEAD~1');
}

function since(commit: string): string[] {
  const differing = git('diff', '--name-only', '-z', commit);
  const untracked = git('ls-files', '--others', '--exclude-standard', '-z');
  return [...new Set([...differing, ...untracked])].filter((file) => existsSync(file));
}

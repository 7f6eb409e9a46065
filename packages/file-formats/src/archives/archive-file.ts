import type { DataSource } from '../sources/data-source.ts';
import type { ReadPass } from '../sources/read-pass.ts';

/** A file inside an archive. */
export interface ArchiveFile {
  /** With "/" between folders. */
  readonly path: string;
  readonly source: DataSource;
  /** Why it cannot be read, if so. */
  readonly problem: string | undefined;
}

/** Whether a path would leave the folder that an archive is unpacked in. Nothing is unpacked; such archives are attacks. */
export const leavesFolder = (path: string): boolean =>
  /^([/\\]|[A-Za-z]:)/.test(path) || path.split(/[/\\]/).includes('..') || path.includes('\0');

/** Whether a file only describes others to an operating system. */
export const isSystemFile = (path: string): boolean =>
  path.startsWith('__MACOSX/') || /(^|\/)(\.DS_Store|Thumbs\.db|\._[^/]*)$/.test(path);

/** The files of an archive, read in one pass and in their order. */
export type ArchiveFiles = (pass: ReadPass) => AsyncIterable<ArchiveFile>;

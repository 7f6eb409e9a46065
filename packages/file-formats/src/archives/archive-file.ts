import type { DataSource } from '../sources/data-source.ts';
import type { ReadPass } from '../sources/read-pass.ts';

/** A file inside an archive. */
export interface ArchiveFile {
  /** Folders are separated by "/". */
  readonly path: string;
  readonly source: DataSource;
  /** Why the file cannot be read; undefined if it can. */
  readonly problem: string | undefined;
}

/**
 * Whether a path leads out of the folder into which an archive is unpacked. Redoubt unpacks no archive into a folder,
 * but an archive with such a path is an attack.
 */
export const leavesFolder = (path: string): boolean =>
  /^([/\\]|[A-Za-z]:)/.test(path) || path.split(/[/\\]/).includes('..') || path.includes('\0');

/** Whether this is a file that an operating system adds for its own use, such as `.DS_Store`. */
export const isSystemFile = (path: string): boolean =>
  path.startsWith('__MACOSX/') || /(^|\/)(\.DS_Store|Thumbs\.db|\._[^/]*)$/.test(path);

/** Reads the files of an archive in their order, in one pass. */
export type ArchiveFiles = (pass: ReadPass) => AsyncIterable<ArchiveFile>;

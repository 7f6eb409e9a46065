import type { FileOptions, OpenedFile } from './file-format.ts';
import type { FileLimits } from './file-limits.ts';
import type { DataSource } from './sources/data-source.ts';
import type { ReadPass } from './sources/read-pass.ts';

/** The options, limits and state with which a file, or a file inside another, is opened. */
export interface OpenContext {
  readonly options: FileOptions;
  readonly limits: FileLimits;
  /** The number of archives and compressed files around the file. */
  readonly depth: number;
  /** Starts a pass over the file. */
  readonly newPass: (isFinal: boolean) => ReadPass;
  /** What the documents inside a document have used of its limits; undefined outside of one. */
  readonly inner?: InnerUsage | undefined;
  /** Opens a file inside this one. */
  readonly open: (source: DataSource, context: OpenContext) => Promise<OpenedFile>;
}

/** Counts the documents inside a document, at all depths together. */
export interface InnerUsage {
  documents: number;
  /** Bytes of their rows. */
  bytes: number;
}

/** The context of a file inside another. */
export const insideOf = (context: OpenContext, fileName: string): OpenContext => ({
  ...context,
  depth: context.depth + 1,
  options: { ...context.options, fileName },
});

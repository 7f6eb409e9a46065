/** Combines the files of pages into one file. */
export interface PageConcatenation {
  /** The bytes that the next page adds to the file. */
  add(page: Uint8Array): Uint8Array;
  /** The bytes at the end of the file. */
  end(): Uint8Array;
}

/** Makes one file out of the files of its pages. */
export interface PageConcatenation {
  /** What the next page adds. */
  add(page: Uint8Array): Uint8Array;
  /** What ends the file. */
  end(): Uint8Array;
}

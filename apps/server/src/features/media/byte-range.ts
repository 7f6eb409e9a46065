/** The bytes of a file that a request covers; both ends are included. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * Parses the header Range for a file of a size. A header that is malformed or names several ranges is ignored, as RFC
 * 9110 allows.
 * @returns undefined for the whole file, and `none` for a range that begins behind its end
 */
export const parseByteRange = (header: string | undefined, size: number): ByteRange | 'none' | undefined => {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'none' : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < first) return undefined;
  return first >= size ? 'none' : { first, last };
};

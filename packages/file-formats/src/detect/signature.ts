/** Bytes at the beginning of a file that tell its format. */
export interface Signature {
  /** A character for each byte, in Latin-1. */
  readonly bytes: string;
  /** How many bytes come before; 0 by default. */
  readonly offset?: number;
}

/** Finds the first signature that a file has. */
export const findSignature = <Known extends Signature>(
  signatures: readonly Known[],
  head: Buffer,
): Known | undefined =>
  signatures.find(({ bytes, offset = 0 }) =>
    head.subarray(offset, offset + bytes.length).equals(Buffer.from(bytes, 'latin1')),
  );

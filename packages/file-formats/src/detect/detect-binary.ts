import { findSignature, type Signature } from './signature.ts';

/** A binary format by its first bytes. */
export type BinaryFormat = 'gzip' | 'zstd' | 'zip' | 'tar' | 'parquet' | 'avro' | 'orc' | 'arrow';

interface BinarySignature extends Signature {
  readonly format: BinaryFormat | 'unsupported';
  /** Unsupported formats by their first bytes, with a message that says what to do. */
  readonly message?: string;
}

const asDocument = 'To store it as a document, send it with processAsDocument: true.';
const convert = 'Save it as CSV, Excel (.xlsx) or JSON and send that.';
const signatures: readonly BinarySignature[] = [
  { bytes: '\x1f\x8b\x08', format: 'gzip' },
  { bytes: '\x28\xb5\x2f\xfd', format: 'zstd' },
  { bytes: 'PK\x03\x04', format: 'zip' },
  { bytes: 'PK\x05\x06', format: 'zip' },
  { bytes: 'ustar', offset: 257, format: 'tar' },
  { bytes: 'PAR1', format: 'parquet' },
  {
    bytes: 'PARE',
    format: 'unsupported',
    message: 'it is an encrypted Parquet file. Write it without encryption and send it again.',
  },
  { bytes: 'Obj\x01', format: 'avro' },
  { bytes: 'ORC', format: 'orc' },
  { bytes: 'ARROW1', format: 'arrow' },
  { bytes: '\xff\xff\xff\xff', format: 'arrow' },
  {
    bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
    format: 'unsupported',
    message:
      'it is an Excel file with a password, or in the format from before 2007 (.xls). Remove the password, save it as .xlsx and send that.',
  },
  { bytes: '%PDF-', format: 'unsupported', message: `it is a PDF, which has no rows. ${asDocument}` },
  { bytes: '\x89PNG', format: 'unsupported', message: `it is an image, which has no rows. ${asDocument}` },
  {
    bytes: '\xff\xd8\xff',
    format: 'unsupported',
    message: `it is an image, which has no rows. ${asDocument}`,
  },
  { bytes: 'GIF8', format: 'unsupported', message: `it is an image, which has no rows. ${asDocument}` },
  { bytes: 'BZh', format: 'unsupported', message: 'bzip2 is not supported. Compress it with gzip or zstd.' },
  {
    bytes: '\xfd7zXZ',
    format: 'unsupported',
    message: 'xz is not supported. Compress it with gzip or zstd.',
  },
  { bytes: '7z\xbc\xaf\x27\x1c', format: 'unsupported', message: '7z is not supported. Pack it with zip.' },
  { bytes: 'Rar!', format: 'unsupported', message: 'RAR is not supported. Pack it with zip.' },
  { bytes: 'SQLite format 3', format: 'unsupported', message: `it is an SQLite database. ${convert}` },
];

/** Detects the binary format of a file. Returns a message for people if it is not supported, and undefined for text. */
export function detectBinary(head: Buffer): { format: BinaryFormat } | { message: string } | undefined {
  const found = findSignature(signatures, head);
  if (found === undefined) return undefined;
  return found.format === 'unsupported' ? { message: found.message ?? '' } : { format: found.format };
}

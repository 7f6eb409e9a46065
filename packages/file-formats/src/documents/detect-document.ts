import { findSignature, type Signature } from '../detect/signature.ts';
import type { DocumentFormatName } from './document-formats.ts';
import { isSeparator } from './mail/split-mailbox.ts';

/** What the first bytes of a file say about its format. */
export type DetectedDocument =
  | { readonly kind: 'format'; readonly format: DocumentFormatName }
  | { readonly kind: 'zip' }
  | { readonly kind: 'text' }
  | { readonly kind: 'unsupported'; readonly message: string };

interface DocumentSignature extends Signature {
  readonly found: DetectedDocument;
}

const format = (name: DocumentFormatName): DetectedDocument => ({ kind: 'format', format: name });
const unsupported = (message: string): DetectedDocument => ({ kind: 'unsupported', message });
const packed = (name: string): DetectedDocument =>
  unsupported(`it is ${name}. Unpack it and send the documents themselves with processAsDocument.`);
const table = (name: string): DetectedDocument =>
  unsupported(`it is ${name}, which is no document. Send it without processAsDocument.`);

const signatures: readonly DocumentSignature[] = [
  { bytes: '%PDF-', found: format('pdf') },
  { bytes: 'PK\x03\x04', found: { kind: 'zip' } },
  { bytes: 'PK\x05\x06', found: { kind: 'zip' } },
  { bytes: '{\\rtf', found: format('rtf') },
  { bytes: '\x89PNG', found: format('png') },
  { bytes: '\xff\xd8\xff', found: format('jpeg') },
  { bytes: 'GIF8', found: format('gif') },
  { bytes: 'WEBP', offset: 8, found: format('webp') },
  { bytes: 'II*\0', found: format('tiff') },
  { bytes: 'MM\0*', found: format('tiff') },
  ...['heic', 'heix', 'heim', 'heis', 'hevc', 'mif1', 'msf1', 'avif', 'avis'].map((brand) => ({
    bytes: `ftyp${brand}`,
    offset: 4,
    found: format('heif'),
  })),
  { bytes: 'ftypqt', offset: 4, found: format('mov') },
  { bytes: 'ftyp', offset: 4, found: format('mp4') },
  { bytes: '\x1a\x45\xdf\xa3', found: format('webm') },
  {
    bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
    found: unsupported(
      'it is an Office file with a password, or in a format from before 2007 (.doc, .ppt, .xls), which are not supported. Remove the password, save it as .docx, .pptx or .xlsx and send that.',
    ),
  },
  { bytes: '\x1f\x8b\x08', found: packed('compressed with gzip') },
  { bytes: '\x28\xb5\x2f\xfd', found: packed('compressed with zstd') },
  { bytes: 'BZh', found: packed('compressed with bzip2') },
  { bytes: '\xfd7zXZ', found: packed('compressed with xz') },
  { bytes: '7z\xbc\xaf\x27\x1c', found: packed('a 7z archive') },
  { bytes: 'Rar!', found: packed('a RAR archive') },
  { bytes: 'ustar', offset: 257, found: packed('a tar archive') },
  { bytes: 'PAR1', found: table('a Parquet file') },
  { bytes: 'Obj\x01', found: table('an Avro file') },
  { bytes: 'ORC', found: table('an ORC file') },
  { bytes: 'ARROW1', found: table('an Arrow file') },
  { bytes: '\xff\xff\xff\xff', found: table('an Arrow stream') },
];

/** Detects the format of a document by its first bytes. A file without a known signature is text. */
export const detectDocument = (head: Buffer): DetectedDocument =>
  findSignature(signatures, head)?.found ?? { kind: 'text' };

const headerLine = /^[A-Za-z][\w-]*:[ \t]/;
const mailHeader = /^(?:from|to|subject|date|message-id|received|return-path|mime-version):/i;

/** Whether a text begins with the header of a mail. One header line proves nothing; notes may begin like that. */
const isMail = (sample: string): boolean => {
  const lines = sample.slice(0, 20_000).split(/\r?\n/);
  const first = lines[0] ?? '';
  if (!headerLine.test(first)) return false;
  const end = lines.findIndex((line) => !headerLine.test(`${line} `) && !/^[ \t]+\S/.test(line));
  const header = lines.slice(0, end < 0 ? lines.length : end);
  return header.filter((line) => mailHeader.test(line)).length >= 3;
};

/** Which document a text is. */
export const detectTextDocument = (sample: string, fileName: string): 'html' | 'mail' | 'mbox' | 'text' => {
  const extension = /\.[a-z]+$/.exec(fileName.toLowerCase())?.[0] ?? '';
  const [first = ''] = sample.split('\n', 1);
  if (isSeparator(first) && (['.mbox', '.mbx'].includes(extension) || isMail(sample.slice(first.length + 1))))
    return 'mbox';
  if (extension === '.eml' || isMail(sample)) return 'mail';
  if (/^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)*<(?:!doctype html|html)\b/i.test(sample)) return 'html';
  if (['.html', '.htm', '.xhtml'].includes(extension)) return 'html';
  return 'text';
};

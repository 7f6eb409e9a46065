import type { ByteSource } from '../../file-format.ts';
import { defaultFileLimits } from '../../file-limits.ts';
import { FileParseError } from '../../file-parse-error.ts';
import { fromByteSource } from '../../sources/data-source.ts';
import { readWhole } from '../../sources/seekable-source.ts';
import { parseInnerPath, type InnerStep } from './inner-path.ts';
import { createOpenContext } from '../../open-file.ts';

/**
 * The bytes of a document inside a file.
 * @param path as `InnerDocument` has it
 * @returns undefined if there is no such document
 * @throws FileParseError when the file cannot be read
 */
export async function readInnerDocument(source: ByteSource, path: string): Promise<Uint8Array | undefined> {
  const steps = parseInnerPath(path);
  if (steps === undefined) return undefined;
  let bytes: Uint8Array | undefined;
  for (const step of steps) {
    bytes = await readStep(bytes === undefined ? source : inMemory(bytes), step);
    if (bytes === undefined) return undefined;
  }
  return bytes;
}

const inMemory = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  async *stream(from = 0) {
    yield bytes.subarray(from);
  },
});

async function readStep(source: ByteSource, step: InnerStep): Promise<Uint8Array | undefined> {
  if (step.kind === 'mail') {
    const raw = await readPart(source, step.offset, step.length);
    if (raw.length < step.length) return undefined;
    return (await import('../mail/split-mailbox.ts')).unquoteMail(raw);
  }
  if (step.kind === 'file') return readFileOfArchive(source, step.number);
  const { attachmentsOf, parseMail } = await import('../mail/parse-mail.ts');
  const mail = await parseMail(await readPart(source, 0, source.size), 'file');
  return attachmentsOf(mail).find((attachment) => attachment.step === String(step.number))?.content;
}

async function readFileOfArchive(source: ByteSource, number: number): Promise<Uint8Array | undefined> {
  const { listZip } = await import('../../archives/list-zip.ts');
  const context = createOpenContext({ fileName: 'file' });
  const { files } = await listZip(fromByteSource(source), context);
  const pass = context.newPass(true);
  let count = 0;
  for await (const file of files(pass))
    if (++count === number)
      return file.problem === undefined ? readWhole(file.source, pass, context.limits, 'file') : undefined;
  return undefined;
}

async function readPart(source: ByteSource, offset: number, length: number): Promise<Buffer> {
  const { maxDocumentBytes } = defaultFileLimits;
  if (length > maxDocumentBytes)
    throw new FileParseError('file', 0, `it has more than ${String(maxDocumentBytes)} bytes.`);
  const parts: Uint8Array[] = [];
  let left = length;
  for await (const chunk of source.stream(offset)) {
    parts.push(chunk.subarray(0, left));
    left -= Math.min(left, chunk.length);
    if (left === 0) break;
  }
  return Buffer.concat(parts);
}
